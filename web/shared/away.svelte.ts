/** The personas whose Mind is failing. They receive messages and answer them later. */
import { SvelteSet } from 'svelte/reactivity'
import { text } from '../strings/strings.ts'
import { answerTo, client } from './client.ts'
import { getCondition, type Persona } from './shapes.ts'
import { subscribe } from './system-line.ts'

const failingIds = new SvelteSet<string>()
/** Number of received facts by persona id: responses to older requests are dropped. */
const factCounts = new Map<string, number>()

const setAway = (id: string, isAway: boolean) => {
  factCounts.set(id, (factCounts.get(id) ?? 0) + 1)
  if (isAway) failingIds.add(id)
  else failingIds.delete(id)
}

const originLabels: Readonly<Record<string, boolean>> = {
  OrganFailed: true,
  OrganRecovered: false,
  OrganReplaced: false,
}

subscribe(({ fact, of, details }) => {
  const isAway = originLabels[fact]
  if (isAway !== undefined && details.slot === 'thinking') setAway(of, isAway)
})

export const awayPersonas = {
  has: (id: string): boolean => failingIds.has(id),
  /** Loads the current state, which may have changed before the page was opened. */
  check: async (id: string): Promise<void> => {
    const previousCount = factCounts.get(id)
    const answer = await answerTo(
      client.GET('/api/persona/{persona_id}/organs', { params: { path: { persona_id: id } } }),
    )
    if (answer.ok && previousCount === factCounts.get(id))
      setAway(id, answer.value.organs.thinking?.state === 'failing')
  },
}

/** Returns the condition of a persona as a label. */
export const conditionName = (persona: Persona): string =>
  persona.running && awayPersonas.has(persona.id) ? text.talk.away : text.condition[getCondition(persona)]
