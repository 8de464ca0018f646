/** Journals and homes with given facts, each with its own time. */
import type { EventOf, PersonaEvent } from '../facts/facts.ts'
import { type Draft, type Journal, openPersonaJournals } from '../facts/persona-journal.ts'
import { openHomeStores } from '../home/home-stores.ts'
import { memoryStores } from '../journal/log/memory-store.ts'
import type { Stores } from '../journal/log/store.ts'
import { offsetAt } from '../packages/kit/time/zone-offset.ts'
import { temporary } from './journal/engines.ts'
import { born } from './journal/facts.ts'

/** One commit: its place and time, its author and its turn. */
export interface WrittenEvents {
  /** ISO 8601 with an offset. */
  readonly at: string
  /** The persona's time zone at that time. */
  readonly zone?: string
  readonly cause?: Draft['cause']
  readonly events: readonly PersonaEvent[]
}

type ModelAnswered = EventOf<'ModelAnswered'>

/** Returns an answer of a model as stored in the ledger: 10 tokens in, 2 out, no price. */
export const createModelAnswered = (fields: Partial<ModelAnswered> = {}): ModelAnswered => ({
  type: 'ModelAnswered',
  turn: null,
  step: null,
  organ: 'thinking',
  provider: null,
  model: 'llama',
  cause: 'turn',
  usage: { input: 10, output: 2, cached: null, made: null },
  ms: 100,
  calls: 1,
  price: null,
  recipe: null,
  answer: null,
  ...fields,
})

/** Returns the same with `input` tokens in and none out. */
export const createUsage = (input: number, fields: Partial<ModelAnswered> = {}): ModelAnswered =>
  createModelAnswered({ usage: { input, output: 0, cached: null, made: null }, ...fields })

export const createModelFailed = (fields: Partial<EventOf<'ModelFailed'>> = {}): EventOf<'ModelFailed'> => ({
  type: 'ModelFailed',
  turn: null,
  step: null,
  organ: 'thinking',
  provider: null,
  model: 'llama',
  cause: 'turn',
  ms: 30,
  calls: 3,
  kind: 'unreachable',
  reason: 'nobody answers',
  ...fields,
})

export const createJournal = async (
  events: readonly WrittenEvents[],
  stores: Stores = memoryStores(),
): Promise<Journal> => {
  const journals = openPersonaJournals({ stores, witness: async () => undefined })
  return write(await journals.create('ada', birth), events)
}

/** Returns a home that contains `ada`, who was never started. */
export const createHome = async (events: readonly WrittenEvents[]): Promise<string> => {
  const home = await temporary()
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const journal = await write(await journals.create('ada', birth), events)
  await journal.close()
  return home
}

const longAgo = Date.parse('2026-01-31T09:00:00Z')
const birth: Draft = {
  events: [
    born,
    {
      type: 'OrganReplaced',
      slot: 'thinking',
      organ: { model: 'embedded/practice', provider: null, url: null, key: null },
    },
  ],
  cause: { by: 'person' },
  at: longAgo,
  offset: 0,
}

const write = async (journal: Journal, commits: readonly WrittenEvents[]): Promise<Journal> => {
  const drafts = commits.map(
    ({ at, zone = 'Europe/Berlin', cause = { by: 'agent', life: 1 }, events }): Draft => {
      const epoch = Date.parse(at)
      return { events, cause, at: epoch, offset: offsetAt(epoch, zone) }
    },
  )
  for (let first = 0; first < drafts.length; first += 500)
    await journal.append(drafts.slice(first, first + 500), journal.head)
  return journal
}
