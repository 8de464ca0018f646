/** Ada, a persona with some history: messages, memory, learned instructions and plans. */
import type { EventOf, PersonaEvent } from '../../facts/facts.ts'
import { createHome } from '../create-journal.ts'
import { createMessageHeard, createMessageSpoken } from '../journal/facts.ts'

/** The sequence number after the facts that create Ada and her Mind. */
const first = 3
export const heardSeqs = { sister: first, boat: first + 2, imported: first + 4 } as const

const memoryKept = (
  id: string,
  document: EventOf<'MemoryKept'>['document'],
  text: string,
  options: Partial<Pick<EventOf<'MemoryKept'>, 'sources' | 'origin'>> = {},
): PersonaEvent => ({ type: 'MemoryKept', id, document, text, sources: [], origin: 'persona', ...options })

export const entryPlanned = (
  id: string,
  wall: string,
  content: string,
  options: Partial<EventOf<'EntryPlanned'>> = {},
): PersonaEvent => ({
  type: 'EntryPlanned',
  id,
  kind: 'reminder',
  wall: `${wall}:00`,
  zone: 'Europe/Berlin',
  content,
  recurrence: null,
  anchor: `${wall}:00`,
  ...options,
})

const day = (endedAt: string, summary: string): PersonaEvent => ({
  type: 'DayClosed',
  after: 0,
  upTo: 1,
  began: Date.parse(endedAt) - 3_600_000,
  ended: Date.parse(endedAt),
  summary,
  by: 'mind',
})

const messages: readonly PersonaEvent[] = [
  createMessageHeard('My sister is called Lena, she has a bakery in Porto.'),
  createMessageSpoken('A bakery in Porto! What does she bake best?'),
  createMessageHeard('I want to learn to sail before I am fifty.'),
  createMessageSpoken('Then we should plan a first lesson.'),
  {
    type: 'HistoryFed',
    source: 'chatgpt',
    conversation: 'c1',
    title: 'Knee pain',
    updated: null,
    hash: 'a'.repeat(64),
    messages: 12,
    summary: 'About a knee.',
  },
]

const instructions: readonly PersonaEvent[] = [
  memoryKept('sister', 'person', 'Their sister Lena has a bakery in Porto.', { sources: [heardSeqs.sister] }),
  memoryKept('sail', 'wishes', 'They want to learn to sail before they are fifty.', {
    sources: [heardSeqs.boat],
    origin: 'consolidation',
  }),
  memoryKept('knee', 'struggles', 'Their left knee hurts after running.', {
    sources: [heardSeqs.imported],
    origin: 'history',
  }),
  memoryKept('brief', 'persona-trait', 'Be brief in the morning.'),
  memoryKept('coffee', 'person', 'They drink tea.', { origin: 'person' }),
  memoryKept('cat', 'person', 'They have a cat named Momo.', { sources: [heardSeqs.sister] }),
  { type: 'MemoryForgotten', id: 'cat', why: null },
  { type: 'InstructionLearned', id: 'i1', intention: 'a recipe', body: 'Give weights in grams.' },
  { type: 'InstructionRevised', id: 'i1', body: 'Give weights in grams, and say for how many it is.' },
  { type: 'InstructionLearned', id: 'i2', intention: 'bad news', body: 'Say it first, then why.' },
  { type: 'InstructionLearned', id: 'i3', intention: 'jokes', body: 'Never about mothers.' },
  { type: 'InstructionRemoved', id: 'i3' },
]

/** 23 November 2026, in Berlin. */
export const nowIso = '2026-11-23T10:15:00+01:00'

const plans: readonly PersonaEvent[] = [
  entryPlanned('plants', '2026-11-24T09:00', 'Water the plants', { recurrence: 'daily' }),
  entryPlanned('dentist', '2026-11-26T14:30', 'Dentist, Dr. Rossi', { kind: 'schedule' }),
  entryPlanned('rent', '2026-12-01T08:00', 'Pay the rent', { recurrence: 'monthly' }),
  entryPlanned('call', '2026-11-20T18:00', 'Call Lena'),
]

const days: readonly PersonaEvent[] = [
  day('2026-11-19T22:00:00+01:00', 'They told me of Lena and her bakery, and of the boat they want to sail.'),
  day('2026-11-20T22:00:00+01:00', 'A quiet day. They called Lena in the evening.'),
]

/** `moreFacts`: written after the others. */
export const livedHome = (moreFacts: readonly PersonaEvent[] = []): Promise<string> =>
  createHome([
    ...messages.map((event, place) => ({
      at: `2026-11-19T09:0${place}:00+01:00`,
      events: [event],
    })),
    { at: '2026-11-19T09:10:00+01:00', events: instructions },
    { at: '2026-11-19T09:11:00+01:00', events: plans },
    { at: '2026-11-20T18:00:10+01:00', events: [{ type: 'EntryDue', id: 'call' }] },
    { at: '2026-11-20T18:00:20+01:00', events: [{ type: 'EntryDone', id: 'call' }] },
    { at: '2026-11-21T03:00:00+01:00', events: [...days, { type: 'PhraseConfirmed' }, ...moreFacts] },
  ])
