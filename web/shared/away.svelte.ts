/** The personas whose Mind is failing. They receive messages and answer them later. */
import { SvelteSet } from 'svelte/reactivity'
import { text } from '../strings/strings.ts'
import { answerTo, client } from './client.ts'
import { conditionOf, type Persona } from './shapes.ts'
import { hear } from './system-line.ts'

const gone = new SvelteSet<string>()
/** Number of received facts by persona id: responses to older requests are dropped. */
const heard = new Map<string, number>()

const become = (id: string, isAway: boolean) => {
  heard.set(id, (heard.get(id) ?? 0) + 1)
  if (isAway) gone.add(id)
  else gone.delete(id)
}

const ways: Readonly<Record<string, boolean>> = {
  OrganFailed: true,
  OrganRecovered: false,
  OrganReplaced: false,
}

hear(({ fact, of, details }) => {
  const isAway = ways[fact]
  if (isAway !== undefined && details.slot === 'thinking') become(of, isAway)
})

export const away = {
  has: (id: string): boolean => gone.has(id),
  /** Loads the current state, which may have changed before the page was opened. */
  look: async (id: string): Promise<void> => {
    const before = heard.get(id)
    const answer = await answerTo(
      client.GET('/api/persona/{persona_id}/diagnose', { params: { path: { persona_id: id } } }),
    )
    if (answer.ok && before === heard.get(id)) become(id, answer.value.organs.thinking?.state === 'failing')
  },
}

/** Returns the condition of a persona as a label. */
export const conditionName = (persona: Persona): string =>
  persona.running && away.has(persona.id) ? text.talk.away : text.condition[conditionOf(persona)]
