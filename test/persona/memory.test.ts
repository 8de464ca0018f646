/** Rules for statements: created by the user and by consolidation. Forgotten ones stay forgotten. */

import { test } from 'uvu'
import { equal } from 'uvu/assert'
import type { EventOf, PersonaEvent } from '../../journal/facts/facts.ts'
import { nothing, valuesOf } from '../../projections/persistent-map.ts'
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
import { answer, awake, began, fold, given, heard } from './given.ts'

const write = (text: string, more: Partial<KeepMemory> = {}): KeepMemory => ({
  ...{ type: 'KeepMemory', id: 'new', document: 'person', text, sources: [], origin: 'person' },
  ...more,
})
const amend = (asked: Partial<AmendMemory>): AmendMemory => ({
  type: 'AmendMemory',
  id: 'm1',
  text: null,
  forgotten: null,
  ...asked,
})
const kept = (more: Partial<EventOf<'MemoryKept'>> = {}): PersonaEvent => ({
  ...{
    type: 'MemoryKept',
    id: 'm1',
    document: 'person',
    text: 'They live in Lisbon.',
    sources: [5],
    origin: 'persona',
  },
  ...more,
})
const forgotten = (id = 'm1'): PersonaEvent => ({ type: 'MemoryForgotten', id, why: null })
const revised = (more: Partial<EventOf<'MemoryRevised'>> = {}): PersonaEvent => ({
  ...{ type: 'MemoryRevised', id: 'm1', text: 'They live in Porto.', sources: [5], origin: 'person' },
  ...more,
})

/** A life with one message at position 5. */
const told = [...awake, heard('I live in Lisbon and have a cat called Miso')]

test('a statement by the user has no sources and is a single line', () => {
  given(...awake)
    .when(write('  They live\r\n\tin\u0000 Lisbon.\u2028 '))
    .writes(kept({ id: 'new', sources: [], origin: 'person' }))
})
test('the same text is stored once for each document, and again after it was forgotten', () => {
  given(...told, kept())
    .when(write(' They live  in Lisbon. '))
    .writes()
  given(...told, kept())
    .when(write('They live in Lisbon.', { document: 'traits' }))
    .writes(kept({ id: 'new', document: 'traits', sources: [], origin: 'person' }))
  given(...told, kept(), forgotten())
    .when(write('They live in Lisbon.'))
    .writes(kept({ id: 'new', sources: [], origin: 'person' }))
})
test('a statement is not empty and has a maximum length', () => {
  for (const text of ['', ' \n ', '\u200B', '…', ' - '])
    given(...awake)
      .when(write(text))
      .refuses('statement_empty')
  for (const text of ['7', '❤', '猫', 'x'.repeat(300), ` ${'x'.repeat(300)} `])
    given(...awake)
      .when(write(text))
      .writes(kept({ id: 'new', text: text.trim(), sources: [], origin: 'person' }))
  given(...awake)
    .when(write('x'.repeat(301)))
    .refuses('too_long')
  given(...told, kept())
    .when(amend({ text: ' ' }))
    .refuses('statement_empty')
  given(...told, kept())
    .when(amend({ text: 'x'.repeat(301) }))
    .refuses('too_long')
})
test('a statement corrected by the user becomes theirs and keeps its sources; the same text changes nothing', () => {
  given(...told, kept())
    .when(amend({ text: 'They live\nin Porto.' }))
    .writes(revised())
  given(...told, kept())
    .when(amend({ text: ' They live in Lisbon. ' }))
    .writes()
  given(...told, kept())
    .when(amend({}))
    .writes()
})
test('forgetting twice is forgetting once, and restoring brings the statement back unchanged', () => {
  given(...told, kept())
    .when(amend({ forgotten: true }))
    .writes(forgotten())
  given(...told, kept(), forgotten())
    .when(amend({ forgotten: true }))
    .writes()
  given(...told, kept(), forgotten())
    .when(amend({ forgotten: false }))
    .writes({ ...kept(), type: 'MemoryRestored' } as PersonaEvent)
  given(...told, kept())
    .when(amend({ forgotten: false }))
    .writes()
})
test("a forgotten statement can be corrected only when it is restored, and becomes the user's", () => {
  given(...told, kept(), forgotten())
    .when(amend({ text: 'They live in Porto.' }))
    .refuses('statement_forgotten')
  given(...told, kept(), forgotten())
    .when(amend({ text: 'They live in Porto.', forgotten: false }))
    .writes({
      ...kept({ text: 'They live in Porto.', origin: 'person' }),
      type: 'MemoryRestored',
    } as PersonaEvent)
})
test('correcting and forgetting in one request does both in that order', () => {
  given(...told, kept())
    .when(amend({ text: 'They live in Porto.', forgotten: true }))
    .writes(revised(), forgotten())
})
// Fails if ids are looked up as properties: `constructor` was accepted as a statement, and a fact was
// written.
test('a property name of every object is no id of a statement or a plan', () => {
  for (const id of ['constructor', '__proto__', 'toString', 'm404']) {
    given(...told, kept())
      .when(amend({ id, forgotten: true }))
      .refuses('statement_unknown')
    given(...awake)
      .when({ type: 'CancelEntry', id })
      .refuses('plan_unknown')
    given(...told, kept())
      .when(over([forget(id, '')]))
      .writes(carried())
  }
})

const over = (lessons: readonly Lesson[], more: Partial<Consolidate> = {}): Consolidate => ({
  ...{
    type: 'Consolidate',
    life: 1,
    after: 0,
    upTo: 5,
    lessons,
    carry: 'so far',
    summary: 'a talk',
    borrowed: [],
    calls: [],
  },
  ...more,
})
const carried = (more: Partial<EventOf<'ContextCarried'>> = {}): PersonaEvent => ({
  ...{ type: 'ContextCarried', after: 0, upTo: 5, carry: 'so far', summary: 'a talk', borrowed: [] },
  ...more,
})
const keep = (text: string, sources = [5], id = 'm9'): KeepMemory => ({
  ...{ type: 'KeepMemory', id, document: 'person', text, sources, origin: 'consolidation' },
})
const revise = (text: string, sources = [5], id = 'm1'): ReviseMemory => ({
  ...{ type: 'ReviseMemory', id, text, sources, origin: 'consolidation' },
})
const forget = (id: string, why: string): ForgetMemory => ({
  type: 'ForgetMemory',
  id,
  why,
  origin: 'consolidation',
})
const learned = (more: Partial<EventOf<'MemoryKept'>> = {}): PersonaEvent =>
  kept({ id: 'm9', text: 'They have a cat.', origin: 'consolidation', ...more })

test('a consolidation writes all statements and the carried context in one commit', () => {
  given(...told, kept(), kept({ id: 'm2', text: 'They are tired.' }))
    .when(over([keep('They have a cat.'), revise('They live in Porto.'), forget('m2', 'it passed')]))
    .writes(
      learned(),
      revised({ origin: 'consolidation' }),
      { type: 'MemoryForgotten', id: 'm2', why: 'it passed' },
      carried(),
    )
})
test('the same range is consolidated once', () => {
  given(...told, carried())
    .when(over([keep('They have a cat.')]))
    .refuses('recorded_already')
  given(...told, carried())
    .when(over([keep('They have a cat.')], { after: 5, upTo: 7 }))
    .writes(learned(), carried({ after: 5, upTo: 7 }))
})
test('a consolidation skips unknown ids, known statements and duplicates one by one', () => {
  given(...told, kept())
    .when(
      over([
        revise('They live in Faro.', [5], 'm404'),
        forget('m404', ''),
        keep('they live in LISBON'),
        revise('They live in Lisbon!'),
        keep('They have a cat.'),
        keep('They have a cat', [5], 'm10'),
        keep('They have a dog.', [5], 'm9'),
      ]),
    )
    .writes(learned(), carried())
})
test('a statement forgotten by one operation is not revised by the next', () => {
  given(...told, kept())
    .when(over([forget('m1', ''), revise('They live in Porto.')]))
    .writes(forgotten(), carried())
})
test('a text without letters is compared by its characters', () => {
  given(...told, kept({ text: '❤' }))
    .when(over([keep('🐈'), keep(' ❤', [5], 'm10')]))
    .writes(learned({ text: '🐈' }), carried())
})
// Fails if the comparison drops combining marks: vowels are marks in Hindi.
test('words that differ in a vowel sign are different', () => {
  given(...told, kept({ text: 'दिन' }))
    .when(over([keep('दान')]))
    .writes(learned({ text: 'दान' }), carried())
})

/** Forgotten at position 7. */
const gone = [...told, kept(), forgotten()]

// Fails if `isForgotten` returns false.
test('a statement that the user forgot is not learned again from the same source, in any wording', () => {
  given(...gone)
    .when(over([keep('They live in Lisbon.'), keep('Lisbon is their home.', [5], 'm10')]))
    .writes(carried())
})
test('it is not learned again with the same text from any earlier message', () => {
  given(...awake, heard('I live in Lisbon'), heard('Lisbon, as I said'), kept(), forgotten())
    .when(over([keep('they live in Lisbon', [6])], { upTo: 6 }))
    .writes(carried({ upTo: 6 }))
})
test('it is learned again from a later message', () => {
  given(...gone, heard('I live in Lisbon again'))
    .when(over([keep('They live in Lisbon.', [8])], { upTo: 8 }))
    .writes(learned({ text: 'They live in Lisbon.', sources: [8] }), carried({ upTo: 8 }))
})
test('no other statement is revised into a forgotten one', () => {
  given(
    ...awake,
    heard('I live in Lisbon'),
    heard('Lisbon, as I said'),
    kept(),
    kept({ id: 'm2', text: 'They like fish.' }),
    forgotten(),
  )
    .when(over([revise('They live in Lisbon', [6], 'm2')], { upTo: 6 }))
    .writes(carried({ upTo: 6 }))
})
test('a restored statement is known and may be revised again', () => {
  given(...gone, { ...kept(), type: 'MemoryRestored' } as PersonaEvent)
    .when(over([keep('They live in Lisbon.'), revise('They live in Porto.')]))
    .writes(revised({ origin: 'consolidation' }), carried())
})
test('a statement by the user is revised only from later messages, and never forgotten by consolidation', () => {
  const byHand = kept({ sources: [], origin: 'person' })
  given(...told, byHand)
    .when(over([revise('They live in Porto.'), forget('m1', 'old')]))
    .writes(carried())
  given(...told, byHand, heard('We have moved to Porto'))
    .when(over([revise('They live in Porto.', [5, 7])], { upTo: 7 }))
    .writes(revised({ sources: [5, 7], origin: 'consolidation' }), carried({ upTo: 7 }))
})
test('a night does not undo a correction: older messages do not override newer ones', () => {
  const corrected = [
    ...told,
    kept(),
    heard('No, I have moved to Porto'),
    revised({ sources: [7], origin: 'persona' }),
  ]
  given(...corrected)
    .when(over([revise('They live in Lisbon.', [5])], { upTo: 7 }))
    .writes(carried({ upTo: 7 }))
  given(...corrected)
    .when(over([revise('They live in the old town of Porto.', [5, 7])], { upTo: 7 }))
    .writes(
      revised({ text: 'They live in the old town of Porto.', sources: [7, 5], origin: 'consolidation' }),
      carried({ upTo: 7 }),
    )
})

const history = {
  ...{
    source: 'chatgpt',
    conversation: 'c1',
    title: 'Trips',
    updated: null,
    hash: 'ab'.repeat(32),
    messages: 4,
    summary: 'Of trips.',
  },
}
const feed = (...texts: readonly string[]): FeedHistory => ({
  ...{ type: 'FeedHistory', life: 1, calls: [], history },
  lessons: texts.map((text, n) => ({ ...keep(text, [], `h${n}`), origin: 'history' })),
})
const fed: PersonaEvent = { type: 'HistoryFed', ...history }
const fromHistory = (id: string, text: string): PersonaEvent =>
  kept({ id, text, sources: [], origin: 'history' })

test('statements from an imported conversation are one commit with it and its last call; they change no statement and restore none', () => {
  given(...told, kept())
    .when(feed('They have a cat.', 'they live in LISBON', 'They have a cat!'))
    .writes(fed, fromHistory('h0', 'They have a cat.'))
  given(...gone)
    .when(feed('They live in Lisbon.', 'They have a cat.'))
    .writes(fed, fromHistory('h1', 'They have a cat.'))
  const { used } = answer('')
  given(...told)
    .when({ ...feed('They have a cat.'), calls: [{ used }] })
    .writes(
      { type: 'ModelAnswered', turn: null, step: null, cause: 'history', ...used, answer: null },
      fed,
      fromHistory('h0', 'They have a cat.'),
    )
  given(...told)
    .when({ ...feed(), life: 0 })
    .refuses('life_over')
})
test('a statement from an import has its own conversation as its source, and no other', () => {
  const facts = [
    ...[...told, fed, fromHistory('h0', 'They have a cat.'), fromHistory('h1', 'They have a dog.')],
    ...[fed, fromHistory('h2', 'They ski.'), kept()],
  ]
  const statements = valuesOf(fold(facts)?.knowledge.statements ?? nothing)
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
const during = (facts: readonly PersonaEvent[], ...effect: readonly Effect[]) => {
  const answered = {
    turn: facts.length + 1,
    step: 1,
    call: { id: 'c', name: 'remember', input: {} },
    ok: true,
    output: {},
  }
  const { call, ...written } = answered
  const asked = given(...facts, began(facts.length)).when({
    type: 'RecordToolAnswer',
    life: 1,
    ...answered,
    of: null,
    began: true,
    effect,
    calls: [],
  })
  return {
    ...asked,
    keeps: (...events: readonly PersonaEvent[]) =>
      asked.writes(...events, { type: 'ToolAnswered', ...written, call: call.id, name: call.name }),
  }
}
const inTurn = (text: string, sources: readonly number[], saidIn = sources): KeepMemory => ({
  ...{ type: 'KeepMemory', id: 'm9', document: 'person', text, sources, saidIn, origin: 'persona' },
})

// Fails if a tool stores every statement.
test('a known statement is not stored twice, from any origin', () => {
  const known = [...told, kept()]
  given(...known)
    .when(write('They live in Lisbon.'))
    .writes()
  given(...known)
    .when(over([keep('they live in lisbon')]))
    .writes(carried())
  given(...known)
    .when(feed('they live in lisbon'))
    .writes(fed)
  during(known, inTurn('they live in lisbon', [5])).keeps()
  during(known, inTurn('They have a cat.', [5])).keeps(kept({ id: 'm9', text: 'They have a cat.' }))
})
test('no tool stores a forgotten statement, unless the user says it again', () => {
  during(gone, inTurn('They live in Lisbon.', [5])).refuses('statement_forgotten')
  const greeted = [...gone, heard('hello')]
  during(greeted, inTurn('they live in LISBON', [8], [])).refuses('statement_forgotten')
  during(greeted, { ...revise('They live in Lisbon!', [8], 'm2'), saidIn: [], origin: 'persona' }).refuses(
    'statement_unknown',
  )
  during([...gone, kept({ id: 'm2', text: 'They like fish.' }), heard('hello')], {
    ...revise('They live in Lisbon!', [9], 'm2'),
    ...{ saidIn: [], origin: 'persona' },
  }).refuses('statement_forgotten')
  during([...gone, heard('I live in Lisbon again')], inTurn('They live in Lisbon.', [8])).keeps(
    kept({ id: 'm9', sources: [8] }),
  )
})

test.run()
