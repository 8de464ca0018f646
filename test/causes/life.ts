/** A life with every kind of link in its turns, and walks through a journal. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Channel } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { createYielding } from '../../packages/kit/flow/yielding.ts'
import { createLog } from '../../packages/kit/log.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { createBus } from '../../src/bus.ts'
import { createLinkIndexes } from '../../src/causes/link-index.ts'
import { type Graph, type Walk, walkFrom } from '../../src/causes/walk.ts'
import { createModelAnswered, type WrittenEvents } from '../create-journal.ts'
import { createMessageHeard, createMessageSpoken } from '../journal/facts.ts'
import { toParts } from '../message-parts.ts'

const web: Channel = { type: 'web', name: 'ada' }
const agent = { by: 'agent', life: 1 } as const

export const commit = (cause: WrittenEvents['cause'], ...events: readonly PersonaEvent[]): WrittenEvents => ({
  at: '2026-11-23T09:00:00+01:00',
  ...(cause && { cause }),
  events,
})
export const inTurn = (turn: number, ...events: readonly PersonaEvent[]) =>
  commit({ ...agent, turn }, ...events)
const person = (...events: readonly PersonaEvent[]) => commit({ by: 'person' }, ...events)

export const createStep = (turn: number, step: number): PersonaEvent =>
  createModelAnswered({ turn, step, answer: { text: 'ok', calls: [] } })
const createEnd = (turn: number, step: number): PersonaEvent[] => [
  createStep(turn, step),
  { ...createMessageSpoken('ok'), turn, step } as PersonaEvent,
  { type: 'TurnEnded', turn, outcome: 'answered', reason: null },
]
const createCall = (turn: number, call: string): PersonaEvent => ({
  type: 'ToolCalled',
  turn,
  step: 1,
  call,
  name: 'remember',
  input: {},
  of: null,
})
const createResult = (turn: number, call: string): PersonaEvent => ({
  type: 'ToolAnswered',
  turn,
  step: 1,
  call,
  name: 'remember',
  ok: true,
  output: null,
})
export const createTurnBegan = (
  after: number,
  upTo: number,
  fields: { due?: string[]; known?: number[] } = {},
): PersonaEvent => ({
  type: 'TurnBegan',
  life: 1,
  channel: web,
  stimuli: { after, upTo, due: fields.due ?? [] },
  ...(fields.known && { known: fields.known }),
})
export const createStatement = (
  id: string,
  sources: number[],
  text = 'They live in Lisbon.',
): PersonaEvent => ({
  type: 'MemoryKept',
  id,
  document: 'person',
  text,
  sources,
  origin: 'persona',
})
const plan = {
  type: 'EntryPlanned',
  id: 'p1',
  kind: 'reminder',
  wall: '2026-11-23T09:00:00',
  zone: 'Europe/Berlin',
  content: 'water',
  recurrence: null,
  anchor: '2026-11-23T09:00:00',
} as const

/** A journal begins with two facts. The comments name the position of the first fact of each commit. */
export const life: readonly WrittenEvents[] = [
  /* 3 */ commit(agent, { type: 'Woke', life: 1 }),
  /* 4 */ person(createMessageHeard('I live in Lisbon.')),
  /* 5 */ person({
    type: 'MessageHeard',
    channel: { type: 'telegram', name: '7' },
    parts: toParts('elsewhere'),
    media: null,
    key: null,
  }),
  /* 6 */ commit(agent, createTurnBegan(0, 5)),
  /* 7 */ inTurn(6, createStep(6, 1), {
    ...createMessageSpoken('One moment.'),
    turn: 6,
    step: 1,
  } as PersonaEvent),
  /* 9 */ inTurn(6, createCall(6, 'c1'), createStatement('m1', [4]), createResult(6, 'c1')),
  /* 12 */ inTurn(6, ...createEnd(6, 2)),
  /* 15 */ person(createMessageHeard('Where do I live?')),
  /* 16 */ commit(agent, createTurnBegan(5, 15, { known: [10] })),
  /* 17 */ inTurn(16, ...createEnd(16, 1)),
  /* 20 */ person({
    type: 'MemoryRevised',
    id: 'm1',
    text: 'They live in Porto.',
    sources: [4],
    origin: 'person',
  }),
  /* 21 */ person(plan),
  /* 22 */ commit({ by: 'clock' }, { type: 'EntryDue', id: 'p1' }),
  /* 23 */ commit(agent, createTurnBegan(15, 15, { due: ['p1'] })),
  /* 24 */ inTurn(23, ...createEnd(23, 1), { type: 'EntryDone', id: 'p1' }),
  /* 28 */ commit(agent, createModelAnswered({ cause: 'consolidation' }), createStatement('m2', [15]), {
    type: 'ContextCarried',
    after: 0,
    upTo: 15,
    carry: 'c',
    summary: 's',
    borrowed: [],
  }),
  /* 31 */ commit(agent, { type: 'SleepBegan', life: 1, by: 'clock' }),
  /* 32 */ commit(agent, {
    type: 'DayClosed',
    after: 4,
    upTo: 13,
    began: 1,
    ended: 2,
    summary: 's',
    by: 'mind',
  }),
  /* 33 */ commit(agent, { type: 'SleepEnded', life: 1, outcome: 'slept', reason: null }),
  /* 34 */ person(createMessageHeard('Read the file.')),
  /* 35 */ commit(agent, createTurnBegan(15, 34)),
  /* 36 */ inTurn(35, createStep(35, 1)),
  /* 37 */ inTurn(
    35,
    {
      type: 'ApprovalAsked',
      turn: 35,
      step: 1,
      call: 'c9',
      server: 'files',
      tool: 'read',
      input: {},
      definition: 'a'.repeat(64),
      changed: false,
    },
    { ...createMessageSpoken('May I?'), asks: { turn: 35, step: 1, call: 'c9' } } as PersonaEvent,
  ),
  /* 39 */ person({ type: 'ApprovalSettled', approval: 37, decision: 'once', channel: null }),
  /* 40 */ inTurn(35, { type: 'TurnResumed', turn: 35, life: 1 }),
  /* 41 */ inTurn(35, createCall(35, 'c9')),
  /* 42 */ inTurn(35, createStatement('m3', [34]), createResult(35, 'c9')),
  /* 44 */ inTurn(35, ...createEnd(35, 2)),
  /* 47 */ commit(
    { by: 'person', undoes: 20 },
    {
      type: 'MemoryRevised',
      id: 'm1',
      text: 'They live in Lisbon.',
      sources: [4],
      origin: 'person',
    },
  ),
]

/** Walks in a journal with an index in this home, which is closed after `act`. */
export const withWalks = async <T>(
  home: string,
  journal: Journal,
  act: (walk: (walk: Partial<Walk> & Pick<Walk, 'seq'>) => Promise<Graph>) => Promise<T>,
): Promise<T> => {
  await mkdir(join(home, 'personas', 'ada'), { recursive: true })
  const log = await createLog({ level: 'silent' })
  const links = createLinkIndexes({ home, bus: createBus(), clock: systemClock(), log, maxOpen: 2 })
  const signal = new AbortController().signal
  try {
    return await act((walk) =>
      walkFrom(
        { direction: 'causes', depth: 1, types: null, ...walk },
        {
          journal,
          withIndex: (work) => links.use('ada', journal, signal, work),
          maybeYield: createYielding(),
        },
      ),
    )
  } finally {
    await links.close()
  }
}

export const formatEdges = ({ edges }: Graph): readonly string[] =>
  edges.map(({ from, to, relation }) => `${from} ${relation} ${to}`)
