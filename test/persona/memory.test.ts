/** Rules for statements: created by the user and by consolidation. Forgotten ones stay forgotten. */

import { test } from 'uvu'
import { equal } from 'uvu/assert'
import type { EventOf, PersonaEvent } from '../../facts/facts.ts'
import { emptyKeyed, listValues } from '../../projections/persistent-map.ts'
import type {
  AmendMemory,
  FeedHistory,
  ForgetMemory,
  KeepMemory,
  Lesson,
  ReviseMemory,
} from '../../src/persona/rules/memory.ts'
import type { Consolidate } from '../../src/persona/rules/sleep.ts'
import type { Effect } from '../../src/persona/rules/tools.ts'
import { answer, awake, createMessageHeard, createTurnBegan, fold, given } from './given.ts'

const write = (text: string, overrides: Partial<KeepMemory> = {}): KeepMemory => ({
  type: 'KeepMemory',
  id: 'new',
  document: 'person',
  text,
  sources: [],
  origin: 'person',
  ...overrides,
})
const amend = (fields: Partial<AmendMemory>): AmendMemory => ({
  type: 'AmendMemory',
  id: 'm1',
  text: null,
  forgotten: null,
  ...fields,
})
const keptFact = (overrides: Partial<EventOf<'MemoryKept'>> = {}): PersonaEvent => ({
  type: 'MemoryKept',
  id: 'm1',
  document: 'person',
  text: 'They live in Lisbon.',
  sources: [5],
  origin: 'persona',
  ...overrides,
})
const forgottenFact = (id = 'm1'): PersonaEvent => ({ type: 'MemoryForgotten', id, why: null })
const revisedFact = (overrides: Partial<EventOf<'MemoryRevised'>> = {}): PersonaEvent => ({
  type: 'MemoryRevised',
  id: 'm1',
  text: 'They live in Porto.',
  sources: [5],
  origin: 'person',
  ...overrides,
})

const pinnedFact = (
  pinned = true,
  origin: EventOf<'MemoryPinned'>['origin'] = 'consolidation',
  id = 'm1',
): PersonaEvent => ({ type: 'MemoryPinned', id, pinned, origin })
const pin = (id: string, pinned = true): Lesson => ({
  type: 'PinMemory',
  id,
  pinned,
  origin: 'consolidation',
})
const merge = (ids: readonly string[], text: string, sources: readonly number[] = []): Lesson => ({
  type: 'MergeMemories',
  ids,
  text,
  sources,
})

/** A life with one message at position 5. */
const withMessage = [...awake, createMessageHeard('I live in Lisbon and have a cat called Miso')]

test('a statement by the user has no sources and is a single line', () => {
  given(...awake)
    .when(write('  They live\r\n\tin\u0000 Lisbon.\u2028 '))
    .writes(keptFact({ id: 'new', sources: [], origin: 'person' }))
})
test('the same text is stored once for each document, and again after it was forgotten', () => {
  given(...withMessage, keptFact())
    .when(write(' They live  in Lisbon. '))
    .writes()
  given(...withMessage, keptFact())
    .when(write('They live in Lisbon.', { document: 'traits' }))
    .writes(keptFact({ id: 'new', document: 'traits', sources: [], origin: 'person' }))
  given(...withMessage, keptFact(), forgottenFact())
    .when(write('They live in Lisbon.'))
    .writes(keptFact({ id: 'new', sources: [], origin: 'person' }))
})
test('a statement is not empty and has a maximum length', () => {
  for (const text of ['', ' \n ', '\u200B', '…', ' - '])
    given(...awake)
      .when(write(text))
      .refuses('statement_empty')
  for (const text of ['7', '❤', '猫', 'x'.repeat(300), ` ${'x'.repeat(300)} `])
    given(...awake)
      .when(write(text))
      .writes(keptFact({ id: 'new', text: text.trim(), sources: [], origin: 'person' }))
  given(...awake)
    .when(write('x'.repeat(301)))
    .refuses('too_long')
  given(...withMessage, keptFact())
    .when(amend({ text: ' ' }))
    .refuses('statement_empty')
  given(...withMessage, keptFact())
    .when(amend({ text: 'x'.repeat(301) }))
    .refuses('too_long')
})
test('a statement corrected by the user becomes theirs and keeps its sources; the same text changes nothing', () => {
  given(...withMessage, keptFact())
    .when(amend({ text: 'They live\nin Porto.' }))
    .writes(revisedFact())
  given(...withMessage, keptFact())
    .when(amend({ text: ' They live in Lisbon. ' }))
    .writes()
  given(...withMessage, keptFact())
    .when(amend({}))
    .writes()
})
test('forgetting twice is forgetting once, and restoring brings the statement back unchanged', () => {
  given(...withMessage, keptFact())
    .when(amend({ forgotten: true }))
    .writes(forgottenFact())
  given(...withMessage, keptFact(), forgottenFact())
    .when(amend({ forgotten: true }))
    .writes()
  given(...withMessage, keptFact(), forgottenFact())
    .when(amend({ forgotten: false }))
    .writes({ ...keptFact(), type: 'MemoryRestored' } as PersonaEvent)
  given(...withMessage, keptFact())
    .when(amend({ forgotten: false }))
    .writes()
})
test("a forgotten statement can be corrected only when it is restored, and becomes the user's", () => {
  given(...withMessage, keptFact(), forgottenFact())
    .when(amend({ text: 'They live in Porto.' }))
    .refuses('statement_forgotten')
  given(...withMessage, keptFact(), forgottenFact())
    .when(amend({ text: 'They live in Porto.', forgotten: false }))
    .writes({
      ...keptFact({ text: 'They live in Porto.', origin: 'person' }),
      type: 'MemoryRestored',
    } as PersonaEvent)
})
test('correcting and forgetting in one request does both in that order', () => {
  given(...withMessage, keptFact())
    .when(amend({ text: 'They live in Porto.', forgotten: true }))
    .writes(revisedFact(), forgottenFact())
})
// Fails if ids are looked up as properties: `constructor` was accepted as a statement, and a fact was
// written.
test('a property name of every object is no id of a statement or a plan', () => {
  for (const id of ['constructor', '__proto__', 'toString', 'm404']) {
    given(...withMessage, keptFact())
      .when(amend({ id, forgotten: true }))
      .refuses('statement_unknown')
    given(...awake)
      .when({ type: 'CancelEntry', id })
      .refuses('plan_unknown')
    given(...withMessage, keptFact())
      .when(consolidate([forget(id, '')]))
      .writes(carriedFact())
  }
})

const consolidate = (lessons: readonly Lesson[], overrides: Partial<Consolidate> = {}): Consolidate => ({
  type: 'Consolidate',
  life: 1,
  after: 0,
  upTo: 5,
  lessons,
  carry: 'so far',
  summary: 'a talk',
  borrowed: [],
  calls: [],
  ...overrides,
})
const carriedFact = (overrides: Partial<EventOf<'ContextCarried'>> = {}): PersonaEvent => ({
  type: 'ContextCarried',
  after: 0,
  upTo: 5,
  carry: 'so far',
  summary: 'a talk',
  borrowed: [],
  ...overrides,
})
const keep = (text: string, sources = [5], id = 'm9'): KeepMemory => ({
  type: 'KeepMemory',
  id,
  document: 'person',
  text,
  sources,
  origin: 'consolidation',
})
const revise = (text: string, sources = [5], id = 'm1'): ReviseMemory => ({
  type: 'ReviseMemory',
  id,
  text,
  sources,
  origin: 'consolidation',
})
const forget = (id: string, reason: string): ForgetMemory => ({
  type: 'ForgetMemory',
  id,
  why: reason,
  origin: 'consolidation',
})
const learnedFact = (overrides: Partial<EventOf<'MemoryKept'>> = {}): PersonaEvent =>
  keptFact({ id: 'm9', text: 'They have a cat.', origin: 'consolidation', ...overrides })

test('a consolidation writes all statements and the carried context in one commit', () => {
  given(...withMessage, keptFact(), keptFact({ id: 'm2', text: 'They are tired.' }))
    .when(consolidate([keep('They have a cat.'), revise('They live in Porto.'), forget('m2', 'it passed')]))
    .writes(
      learnedFact(),
      revisedFact({ origin: 'consolidation' }),
      { type: 'MemoryForgotten', id: 'm2', why: 'it passed' },
      carriedFact(),
    )
})
test('the same range is consolidated once', () => {
  given(...withMessage, carriedFact())
    .when(consolidate([keep('They have a cat.')]))
    .refuses('recorded_already')
  given(...withMessage, carriedFact())
    .when(consolidate([keep('They have a cat.')], { after: 5, upTo: 7 }))
    .writes(learnedFact(), carriedFact({ after: 5, upTo: 7 }))
})
test('a consolidation skips unknown ids, known statements and duplicates one by one', () => {
  given(...withMessage, keptFact())
    .when(
      consolidate([
        revise('They live in Faro.', [5], 'm404'),
        forget('m404', ''),
        keep('they live in LISBON'),
        revise('They live in Lisbon!'),
        keep('They have a cat.'),
        keep('They have a cat', [5], 'm10'),
        keep('They have a dog.', [5], 'm9'),
      ]),
    )
    .writes(learnedFact(), carriedFact())
})
test('a statement forgotten by one operation is not revised by the next', () => {
  given(...withMessage, keptFact())
    .when(consolidate([forget('m1', ''), revise('They live in Porto.')]))
    .writes(forgottenFact(), carriedFact())
})
test('a text without letters is compared by its characters', () => {
  given(...withMessage, keptFact({ text: '❤' }))
    .when(consolidate([keep('🐈'), keep(' ❤', [5], 'm10')]))
    .writes(learnedFact({ text: '🐈' }), carriedFact())
})
// Fails if the comparison drops combining marks: vowels are marks in Hindi.
test('words that differ in a vowel sign are different', () => {
  given(...withMessage, keptFact({ text: 'दिन' }))
    .when(consolidate([keep('दान')]))
    .writes(learnedFact({ text: 'दान' }), carriedFact())
})

/** Forgotten at position 7. */
const afterForgetting = [...withMessage, keptFact(), forgottenFact()]

// Fails if `isForgotten` returns false.
test('a statement that the user forgot is not learned again from the same source, in any wording', () => {
  given(...afterForgetting)
    .when(consolidate([keep('They live in Lisbon.'), keep('Lisbon is their home.', [5], 'm10')]))
    .writes(carriedFact())
})
test('it is not learned again with the same text from any earlier message', () => {
  given(
    ...awake,
    createMessageHeard('I live in Lisbon'),
    createMessageHeard('Lisbon, as I said'),
    keptFact(),
    forgottenFact(),
  )
    .when(consolidate([keep('they live in Lisbon', [6])], { upTo: 6 }))
    .writes(carriedFact({ upTo: 6 }))
})
test('it is learned again from a later message', () => {
  given(...afterForgetting, createMessageHeard('I live in Lisbon again'))
    .when(consolidate([keep('They live in Lisbon.', [8])], { upTo: 8 }))
    .writes(learnedFact({ text: 'They live in Lisbon.', sources: [8] }), carriedFact({ upTo: 8 }))
})
test('no other statement is revised into a forgotten one', () => {
  given(
    ...awake,
    createMessageHeard('I live in Lisbon'),
    createMessageHeard('Lisbon, as I said'),
    keptFact(),
    keptFact({ id: 'm2', text: 'They like fish.' }),
    forgottenFact(),
  )
    .when(consolidate([revise('They live in Lisbon', [6], 'm2')], { upTo: 6 }))
    .writes(carriedFact({ upTo: 6 }))
})
test('a restored statement is known and may be revised again', () => {
  given(...afterForgetting, { ...keptFact(), type: 'MemoryRestored' } as PersonaEvent)
    .when(consolidate([keep('They live in Lisbon.'), revise('They live in Porto.')]))
    .writes(revisedFact({ origin: 'consolidation' }), carriedFact())
})
test('a statement by the user is revised only from later messages, and never forgotten by consolidation', () => {
  const byHand = keptFact({ sources: [], origin: 'person' })
  given(...withMessage, byHand)
    .when(consolidate([revise('They live in Porto.'), forget('m1', 'old')]))
    .writes(carriedFact())
  given(...withMessage, byHand, createMessageHeard('We have moved to Porto'))
    .when(consolidate([revise('They live in Porto.', [5, 7])], { upTo: 7 }))
    .writes(revisedFact({ sources: [5, 7], origin: 'consolidation' }), carriedFact({ upTo: 7 }))
})
test('a night does not undo a correction: older messages do not override newer ones', () => {
  const afterCorrection = [
    ...withMessage,
    keptFact(),
    createMessageHeard('No, I have moved to Porto'),
    revisedFact({ sources: [7], origin: 'persona' }),
  ]
  given(...afterCorrection)
    .when(consolidate([revise('They live in Lisbon.', [5])], { upTo: 7 }))
    .writes(carriedFact({ upTo: 7 }))
  given(...afterCorrection)
    .when(consolidate([revise('They live in the old town of Porto.', [5, 7])], { upTo: 7 }))
    .writes(
      revisedFact({ text: 'They live in the old town of Porto.', sources: [7, 5], origin: 'consolidation' }),
      carriedFact({ upTo: 7 }),
    )
})

const history = {
  source: 'chatgpt',
  conversation: 'c1',
  title: 'Trips',
  updated: null,
  hash: 'ab'.repeat(32),
  messages: 4,
  summary: 'Of trips.',
}
const feed = (...texts: readonly string[]): FeedHistory => ({
  type: 'FeedHistory',
  life: 1,
  calls: [],
  history,
  lessons: texts.map((text, n) => ({ ...keep(text, [], `h${n}`), origin: 'history' })),
})
const fedFact: PersonaEvent = { type: 'HistoryFed', ...history }
const fromHistory = (id: string, text: string): PersonaEvent =>
  keptFact({ id, text, sources: [], origin: 'history' })

test('statements from an imported conversation are one commit with it and its last call; they change no statement and restore none', () => {
  given(...withMessage, keptFact())
    .when(feed('They have a cat.', 'they live in LISBON', 'They have a cat!'))
    .writes(fedFact, fromHistory('h0', 'They have a cat.'))
  given(...afterForgetting)
    .when(feed('They live in Lisbon.', 'They have a cat.'))
    .writes(fedFact, fromHistory('h1', 'They have a cat.'))
  const { used } = answer('')
  given(...withMessage)
    .when({ ...feed('They have a cat.'), calls: [{ used }] })
    .writes(
      { type: 'ModelAnswered', turn: null, step: null, cause: 'history', ...used, answer: null },
      fedFact,
      fromHistory('h0', 'They have a cat.'),
    )
  given(...withMessage)
    .when({ ...feed(), life: 0 })
    .refuses('life_over')
})
test('a statement from an import has its own conversation as its source, and no other', () => {
  const facts = [
    ...[
      ...withMessage,
      fedFact,
      fromHistory('h0', 'They have a cat.'),
      fromHistory('h1', 'They have a dog.'),
    ],
    ...[fedFact, fromHistory('h2', 'They ski.'), keptFact()],
  ]
  const statements = listValues(fold(facts)?.knowledge.statements ?? emptyKeyed)
  equal(
    statements.map(({ id, sources }) => [id, sources]),
    [
      ['h0', [6]],
      ['h1', [6]],
      ['h2', [9]],
      ['m1', [5]],
    ],
  )
})

/** The answer of a tool in a turn that consumed the last message. */
const givenTurn = (facts: readonly PersonaEvent[], ...effect: readonly Effect[]) => {
  const toolAnswer = {
    turn: facts.length + 1,
    step: 1,
    call: { id: 'c', name: 'remember', input: {} },
    ok: true,
    output: {},
  }
  const { call, ...written } = toolAnswer
  const outcome = given(...facts, createTurnBegan(facts.length)).when({
    type: 'RecordToolAnswer',
    life: 1,
    ...toolAnswer,
    of: null,
    began: true,
    effect,
    calls: [],
  })
  return {
    ...outcome,
    keeps: (...events: readonly PersonaEvent[]) =>
      outcome.writes(...events, { type: 'ToolAnswered', ...written, call: call.id, name: call.name }),
  }
}
const inTurn = (text: string, sources: readonly number[], saidInTurn = sources): KeepMemory => ({
  type: 'KeepMemory',
  id: 'm9',
  document: 'person',
  text,
  sources,
  saidIn: saidInTurn,
  origin: 'persona',
})

// Fails if a tool stores every statement.
test('a known statement is not stored twice, from any origin', () => {
  const facts = [...withMessage, keptFact()]
  given(...facts)
    .when(write('They live in Lisbon.'))
    .writes()
  given(...facts)
    .when(consolidate([keep('they live in lisbon')]))
    .writes(carriedFact())
  given(...facts)
    .when(feed('they live in lisbon'))
    .writes(fedFact)
  givenTurn(facts, inTurn('they live in lisbon', [5])).keeps()
  givenTurn(facts, inTurn('They have a cat.', [5])).keeps(keptFact({ id: 'm9', text: 'They have a cat.' }))
})
test('no tool stores a forgotten statement, unless the user says it again', () => {
  givenTurn(afterForgetting, inTurn('They live in Lisbon.', [5])).refuses('statement_forgotten')
  const afterHello = [...afterForgetting, createMessageHeard('hello')]
  givenTurn(afterHello, inTurn('they live in LISBON', [8], [])).refuses('statement_forgotten')
  givenTurn(afterHello, {
    ...revise('They live in Lisbon!', [8], 'm2'),
    saidIn: [],
    origin: 'persona',
  }).refuses('statement_unknown')
  givenTurn(
    [...afterForgetting, keptFact({ id: 'm2', text: 'They like fish.' }), createMessageHeard('hello')],
    {
      ...revise('They live in Lisbon!', [9], 'm2'),
      saidIn: [],
      origin: 'persona',
    },
  ).refuses('statement_forgotten')
  givenTurn(
    [...afterForgetting, createMessageHeard('I live in Lisbon again')],
    inTurn('They live in Lisbon.', [8]),
  ).keeps(keptFact({ id: 'm9', sources: [8] }))
})

test('the night pins and unpins statements, but changes no pin of the user', () => {
  given(...withMessage, keptFact())
    .when(consolidate([pin('m1'), pin('m1'), pin('m8')]))
    .writes(pinnedFact(), carriedFact())
  given(...withMessage, keptFact(), pinnedFact())
    .when(consolidate([pin('m1', false)]))
    .writes(pinnedFact(false), carriedFact())
  given(...withMessage, keptFact(), pinnedFact(true, 'person'))
    .when(consolidate([pin('m1', false)]))
    .writes(carriedFact())
  given(...withMessage, keptFact(), pinnedFact(), pinnedFact(false, 'person'))
    .when(consolidate([pin('m1')]))
    .writes(carriedFact())
})

test('the night pins a new statement, and nothing with words of others', () => {
  const text = 'They have a cat called Miso.'
  given(...withMessage)
    .when(consolidate([{ ...keep(text), pin: true }]))
    .writes(
      keptFact({ id: 'm9', text, origin: 'consolidation' }),
      pinnedFact(true, 'consolidation', 'm9'),
      carriedFact(),
    )
  const origin = { from: 'forwarded', by: 'Bo' } as const
  given(...withMessage)
    .when(consolidate([{ ...keep(text), via: origin, pin: true }, pin('m9')]))
    .writes(keptFact({ id: 'm9', text, origin: 'consolidation', via: origin }), carriedFact())
})

test('at most 30 statements are pinned, and forgetting one makes room', () => {
  const manyStatements = Array.from({ length: 31 }, (_, n) => [
    keptFact({ id: `k${n}`, text: `Fact ${n}.` }),
    ...(n < 30 ? [pinnedFact(true, 'person', `k${n}`)] : []),
  ]).flat()
  given(...withMessage, ...manyStatements)
    .when(amend({ id: 'k30', pinned: true }))
    .refuses('pins_full')
  given(...withMessage, ...manyStatements)
    .when(consolidate([pin('k30')]))
    .writes(carriedFact())
  given(...withMessage, ...manyStatements, forgottenFact('k3'))
    .when(amend({ id: 'k30', pinned: true }))
    .writes(pinnedFact(true, 'person', 'k30'))
})

test('a pin outlives a correction and ends with forgetting', () => {
  const pinned = [...withMessage, keptFact(), pinnedFact()]
  equal(
    listValues(fold([...pinned, revisedFact()])?.knowledge.statements ?? emptyKeyed).map(
      (statement) => statement.pinned,
    ),
    [true],
  )
  given(...pinned, forgottenFact())
    .when(amend({ forgotten: false }))
    .writes(keptFact({ type: 'MemoryRestored' } as never))
})

test('statements that say the same are merged into the first, which keeps all sources', () => {
  const bothFacts = [
    ...withMessage,
    keptFact(),
    keptFact({ id: 'm2', text: 'They live by the sea.', sources: [3] }),
  ]
  given(...bothFacts)
    .when(consolidate([merge(['m1', 'm2'], 'They live in Lisbon by the sea.')]))
    .writes(
      { type: 'MemoryForgotten', id: 'm2', why: null, into: 'm1' },
      revisedFact({ text: 'They live in Lisbon by the sea.', sources: [5, 3], origin: 'consolidation' }),
      carriedFact(),
    )
})

test('merges nothing unknown, of other documents, written by the user, or of another origin', () => {
  const otherFacts: readonly PersonaEvent[] = [
    keptFact({ id: 'm2', text: 'They are calm.', document: 'traits' }),
    keptFact({ id: 'm3', text: 'They live well.', origin: 'person' }),
    keptFact({ id: 'm4', text: 'They live in a flat.', via: { from: 'file', by: 'a.txt' } }),
    keptFact({ id: 'm5', text: 'They live with Bo.', origin: 'history' }),
    keptFact({ id: 'm6', text: 'They live high up.', sources: Array.from({ length: 50 }, (_, n) => n + 6) }),
  ]
  for (const ids of [['m1'], ['m1', 'm1'], ['m1', 'm8'], ...otherFacts.map((_, n) => ['m1', `m${n + 2}`])])
    given(...withMessage, keptFact(), ...otherFacts)
      .when(consolidate([merge(ids, 'They live in Lisbon now.')]))
      .writes(carriedFact())
  given(...withMessage, keptFact(), ...otherFacts)
    .when(consolidate([merge(['m3', 'm1'], 'They live well.')]))
    .writes({ type: 'MemoryForgotten', id: 'm1', why: null, into: 'm3' }, carriedFact())
})

test('a merged statement is not learned again, and the user can restore it', () => {
  const mergedFacts: readonly PersonaEvent[] = [
    ...withMessage,
    keptFact(),
    keptFact({ id: 'm2', text: 'They live by the sea.' }),
    { type: 'MemoryForgotten', id: 'm2', why: null, into: 'm1' },
    revisedFact({ text: 'They live in Lisbon by the sea.', origin: 'consolidation' }),
  ]
  given(...mergedFacts)
    .when(consolidate([keep('They live by the sea!')]))
    .writes(carriedFact())
  given(...mergedFacts)
    .when(consolidate([keep('They have a cat called Miso.')]))
    .writes(
      keptFact({ id: 'm9', text: 'They have a cat called Miso.', origin: 'consolidation' }),
      carriedFact(),
    )
  given(...mergedFacts)
    .when(amend({ id: 'm2', forgotten: false }))
    .writes({
      type: 'MemoryRestored',
      id: 'm2',
      document: 'person',
      text: 'They live by the sea.',
      sources: [5],
      origin: 'persona',
    })
  // Once the user wants all of it forgotten, its parts stay forgotten too.
  given(...mergedFacts, forgottenFact())
    .when(consolidate([keep('They live by the sea.')]))
    .writes(carriedFact())
})

test('a date is added to a statement, and removed by hand', () => {
  given(...withMessage, keptFact())
    .when(consolidate([{ ...revise('They live in Lisbon.'), until: '2027-03' }]))
    .writes(
      revisedFact({ text: 'They live in Lisbon.', origin: 'consolidation', until: '2027-03' }),
      carriedFact(),
    )
  given(...withMessage, keptFact({ from: '2024', until: '2027-03' }))
    .when(amend({ until: '' }))
    .writes(revisedFact({ text: 'They live in Lisbon.', origin: 'persona', from: '2024' }))
  given(...withMessage, keptFact({ from: '2024' }))
    .when(amend({ until: '2023-12-31' }))
    .refuses('period_reversed')
})

test.run()
