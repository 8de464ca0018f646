/** Builds one complete request to a model, for the page about what a model sees. */
import type { Prompt } from '../../packages/models/mind.ts'
import { calls, createWordParts, has, openStage, type Script } from '../agents/stage.ts'
import { createFakeClock } from '../clock.ts'

const hourMs = 3_600_000

/** Two messages before a night, one after it, and a step with a tool call. */
export const buildExampleRequest = async (): Promise<Prompt> => {
  const clock = createFakeClock('2026-11-23T10:15:00+01:00', 'Europe/Lisbon')
  const answers = [
    calls('remember', { text: 'Their name is Mia.' }),
    createWordParts('Nice to meet you, Mia.'),
    calls('plan', { content: 'water the plants', when: '2026-11-30T09:00', recurrence: 'weekly' }),
    createWordParts('I will remind you every Monday.'),
    calls('recall', { query: 'plants' }),
    createWordParts('You asked me on Monday to remind you of the plants.'),
  ]
  const script: Script = ({ form }) => {
    if (form)
      return createWordParts(
        JSON.stringify({ carry: 'Mia introduced herself. She has plants.', operations: [] }),
      )
    return answers.shift() ?? createWordParts('Well.')
  }
  const stage = await openStage({ script, clock })
  try {
    const say = async (text: string, turn: number) => {
      await stage.hear(text)
      await stage.until('an answer', has('TurnEnded', turn))
      await stage.quiet()
    }
    await say('I am Mia.', 1)
    clock.leap(hourMs / 12)
    await say('Remind me every Monday at 9 to water the plants.', 2)
    clock.leap(15 * hourMs)
    await stage.agents.sleep('ada')
    clock.leap(8 * hourMs)
    await say('What did I say about my plants?', 3)
    const request = stage.prompts.findLast(({ form }) => !form)
    if (!request) throw new Error('there was no request')
    return request
  } finally {
    await stage.close()
  }
}

/** Returns the lines of the page. */
export const formatExample = ({ tools, system, messages }: Prompt): readonly string[] => {
  const number = createIdNumbers()
  const list = (items: readonly object[]) =>
    number(`[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`)
  return [
    '**1. Tools**',
    '',
    '```json',
    list(tools),
    '```',
    '',
    '**2. System prompt**',
    '',
    '```text',
    number(system.trim()),
    '```',
    '',
    '**3. Messages**',
    '',
    '```json',
    list(messages),
    '```',
  ]
}

/** Replaces the random ids of statements and plans, so that the page changes only with the code. */
const createIdNumbers = () => {
  const ids: string[] = []
  return (text: string): string =>
    text.replace(/\b[mp][0-9a-f]{8}\b/g, (id) => {
      if (!ids.includes(id)) ids.push(id)
      return `${id.slice(0, 1)}${ids.indexOf(id) + 1}`
    })
}
