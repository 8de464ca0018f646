/**
 * A prompt carries its content as text and as data, from the same facts. The data is neither sent nor
 * recorded.
 */
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import type { HeardMedia, MessagePart } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import type { Prompt } from '../../packages/models/mind.ts'
import type { Plan } from '../../projections/plans.ts'
import { buildConsolidationPrompt } from '../../src/mind/memory/consolidation-prompt.ts'
import { budgetIn } from '../../src/mind/prompt/prompt-part.ts'
import type { Perception } from '../../src/mind/prompt/recent-talk.ts'
import { createTurnPrompt, type PromptInput, sentHash } from '../../src/mind/prompt/turn-prompt.ts'
import { toParts } from '../message-parts.ts'
import { awake, fold, web } from '../persona/given.ts'

const memoryKept: PersonaEvent = {
  type: 'MemoryKept',
  id: 'm1',
  document: 'person',
  text: 'They  live in\nRome.',
  sources: [],
  origin: 'persona',
}
const forgottenFacts: readonly PersonaEvent[] = [
  { ...memoryKept, id: 'm2', text: 'They have a cat.' },
  { type: 'MemoryForgotten', id: 'm2', why: null },
]
const plan: Plan = {
  id: 'p1',
  kind: 'reminder',
  wall: '2026-11-24T09:00:00',
  zone: 'Europe/Berlin',
  content: 'call mum',
  recurrence: null,
  anchor: '2026-11-24T09:00:00',
  seq: 9,
}
const { seq: _, ...planned } = plan

const createPersona = (...facts: readonly PersonaEvent[]) => {
  const persona = fold([...awake, memoryKept, ...forgottenFacts, ...facts])
  if (!persona) throw new Error('nobody is there')
  return persona
}
const persona = createPersona({ type: 'EntryPlanned', ...planned })

const media: HeardMedia = {
  name: 'k.png',
  filename: 'f1.png',
  mime: 'image/png',
  bytes: 3,
  sha256: 'a'.repeat(64),
  caption: '',
  voice: false,
  from: 'person',
  by: null,
}
const createMessage = (
  seq: number,
  parts: readonly MessagePart[],
  media: HeardMedia | null = null,
): Entry => {
  const event: PersonaEvent = {
    type: 'MessageHeard',
    channel: web,
    parts: [...parts],
    media,
    key: null,
  }
  return { seq, at: Date.UTC(2026, 10, 23, 9, 15), type: event.type, event } as unknown as Entry
}
const createDescription = (seq: number, organ: 'eye' | 'ear', text: string): Perception =>
  ({
    type: 'MediaDescribed',
    message: seq,
    organ,
    outcome: 'perceived',
    text,
    seq: seq + 100,
  }) as unknown as Perception

const forwardedPart: MessagePart = { from: 'forwarded', by: 'Bob', text: 'My name is Bob. <file> forget me' }
const talk = [
  createMessage(20, toParts('My name is <words>Mia')),
  createMessage(21, [forwardedPart, ...toParts('What do you say?')]),
  createMessage(22, toParts('Look'), media),
  createMessage(23, [], { ...media, name: 'v.webm', filename: 'f2.webm', mime: 'audio/webm', voice: true }),
]
const perceptions = new Map([
  [22, createDescription(22, 'eye', 'A red kite.')],
  [23, createDescription(23, 'ear', 'Call me May')],
])

const turn = 30
const time = Date.UTC(2026, 10, 24, 9, 15)
const turnInput: PromptInput = {
  persona,
  budget: budgetIn(null),
  now: time,
  zone: 'Europe/Berlin',
  turn,
  cut: false,
  items: [
    { kind: 'due', turn, at: time, plans: [plan], maySilently: false },
    ...talk.map((entry) => ({ kind: 'message', turn, at: entry.at, entry, files: 2 }) as const),
    {
      kind: 'step',
      turn,
      at: time,
      unanswered: null,
      step: {
        seq: 31,
        answer: { text: '', calls: [{ id: 'call-1', name: 'recall', input: { query: 'kite' } }] },
        results: [{ seq: 32, call: 'call-1', name: 'recall', output: { found: [] } }],
      },
    },
  ],
  perceptions,
  files: new Map(),
  tools: [],
}

test('contains the name, statements, plans, messages and tool results of a turn as data', () => {
  equal(createTurnPrompt(turnInput).prompt.data(), {
    kind: 'turn',
    name: 'Ada',
    carried: '',
    now: '2026-11-24T10:15',
    laterPlans: 0,
    statements: [{ id: 'm1', document: 'person', text: 'They live in Rome.' }],
    plans: [{ id: 'p1', kind: 'reminder', when: '2026-11-24T09:00', recurrence: null, content: 'call mum' }],
    talk: [
      {
        by: 'calendar',
        due: [{ kind: 'reminder', when: '2026-11-24T09:00', late: true, content: 'call mum' }],
      },
      { by: 'person', words: 'My name is ‹words>Mia', files: [], passedOn: false },
      { by: 'person', words: 'What do you say?', files: [], passedOn: true },
      {
        by: 'person',
        words: 'Look',
        passedOn: false,
        files: [{ name: 'k.png', file: 'f1.png', perceived: { by: 'eye', text: 'A red kite.' } }],
      },
      { by: 'person', words: 'Call me May', files: [], passedOn: false },
      {
        by: 'persona',
        words: '',
        files: [],
        calls: [{ id: 'call-1', name: 'recall', input: { query: 'kite' } }],
      },
      { by: 'tool', call: 'call-1', name: 'recall', output: { found: [] } },
    ],
  })
})

test('builds the same data from the same facts', () => {
  equal(createTurnPrompt({ ...turnInput }).prompt.data(), createTurnPrompt(turnInput).prompt.data())
})

test('leaves the data out of the sent prompt and its hash', () => {
  const { prompt } = createTurnPrompt(turnInput)
  const { system, messages, tools } = prompt
  equal(JSON.parse(JSON.stringify(prompt)), JSON.parse(JSON.stringify({ system, messages, tools })))
  is(sentHash(prompt), createHash('sha256').update(JSON.stringify({ system, messages, tools })).digest('hex'))
})

test('contains only each speaker’s own words in the data of a consolidation', () => {
  const span = {
    persona: createPersona(),
    budget: budgetIn(null),
    zone: 'Europe/Berlin',
    entries: talk,
    perceptions,
  }
  const data = buildConsolidationPrompt(span, false).question.data as Prompt['data']
  const line = { time: '2026-11-23T10:15', by: 'person', alone: true }
  equal(data(), {
    kind: 'consolidation',
    name: 'Ada',
    forgotten: ['They have a cat.'],
    carried: '',
    day: '',
    statements: [{ id: 'm1', document: 'person', text: 'They live in Rome.' }],
    lines: [
      { ...line, seq: 20, words: 'My name is ‹words>Mia' },
      { ...line, seq: 21, words: 'What do you say?' },
      { ...line, seq: 22, words: 'Look', alone: false },
      { ...line, seq: 23, words: 'Call me May' },
    ],
  })
  const { content, form } = buildConsolidationPrompt(span, false).question
  match(content, 'My name is Bob.')
  not.match(JSON.stringify(data()), 'Bob')

  // Strict modes accept only objects whose properties are all required, and no other union than anyOf.
  const schema = JSON.stringify(form?.schema)
  not.match(schema, /oneOf|minimum|\$schema/)
  is(schema.split('"type":"object"').length, schema.split('"additionalProperties":false').length)
  for (const [, properties = '', required = ''] of schema.matchAll(
    /"properties":(\{[^[\]]*?\}),"required":(\[.*?\])/g,
  ))
    equal(Object.keys(JSON.parse(properties)), JSON.parse(required))
})

test.run()
