/** Converts the answer of a consolidation to lessons. Nothing is learned without the user's own words. */
import type { Document, Seq } from '../../../journal/facts/fact-values.ts'
import type { Entry } from '../../../journal/log/journal.ts'
import { isPeriod } from '../../../packages/kit/time/partial-date.ts'
import { oneLine, type Statement } from '../../../projections/knowledge.ts'
import { isByDaemon } from '../../../projections/message-parts.ts'
import { isAt, valueAt } from '../../../projections/persistent-map.ts'
import type { Lesson } from '../../persona/rules/memory.ts'
import { getMaxLength } from '../../persona/rules/statements.ts'
import { grantAuthority, revises, withdraw } from './authority.ts'
import { Operation, readAnswer } from './consolidation-answer.ts'
import { listOthers, type Span } from './consolidation-prompt.ts'
import {
  borrowedIn,
  borrowedWords,
  knownNames,
  type OwnMessage,
  type Provenance,
  saidIn,
  wordsIn,
} from './provenance.ts'
import { createWordIndex, getSignificantWords, isSaidIn } from './word-match.ts'

export interface Consolidation {
  readonly lessons: readonly Lesson[]
  /** Null if the answer has none. */
  readonly carry: string | null
  readonly summary: string | null
  /** Words of others in `carry` and `summary` that the user did not use. */
  readonly borrowed: readonly string[]
}

/** Returns null if the answer has the wrong form. Invalid operations are skipped one by one. */
export const parseConsolidation = (text: string, span: Span, newId: () => string): Consolidation | null => {
  const answer = readAnswer(text)
  if (!answer) return null
  const { operations, carry, summary } = answer
  const lessons = operations.flatMap((operation) => toLessons(operation, span, newId))
  const borrowed = borrowedIn(`${carry ?? ''}\n${summary ?? ''}`, provenanceIn(span))
  return { lessons, carry, summary, borrowed }
}

const origin = 'consolidation'

const toLessons = (value: unknown, span: Span, newId: () => string): readonly Lesson[] => {
  const { data: operation } = Operation.safeParse(value)
  switch (operation?.op) {
    case 'keep':
    case 'revise':
      return toStatementLesson(operation, span, newId)
    case 'forget':
      return toForgetLesson(operation, span)
    case 'merge':
      return toMergeLesson(operation, span)
    case 'pin':
    case 'unpin': {
      const pinned = operation.op === 'pin'
      const known = operation.ids.filter((id) => isAt(span.persona.knowledge.statements, id))
      return known.map((id) => ({ type: 'PinMemory', id, pinned, origin }))
    }
    default:
      return []
  }
}

type OperationOf<Op extends Operation['op']> = Extract<Operation, { readonly op: Op }>

const toForgetLesson = ({ id, why }: OperationOf<'forget'>, span: Span): readonly Lesson[] => {
  const known = valueAt(span.persona.knowledge.statements, id)
  return known &&
    (known.document === 'self' || isSpokenIn(known.text, span)) &&
    withdraw(known.document, known.text, provenanceIn(span)) === null
    ? [{ type: 'ForgetMemory', id, why, origin }]
    : []
}

const toStatementLesson = (
  data: OperationOf<'keep' | 'revise'>,
  span: Span,
  newId: () => string,
): readonly Lesson[] => {
  const known = data.op === 'keep' ? null : valueAt(span.persona.knowledge.statements, data.id)
  const document = data.op === 'keep' ? data.document : known?.document
  const text = document ? toStatementText(data.text, document) : null
  if (text === null || !document) return []
  const provenance = provenanceIn(span, data.sources)
  const decision = known ? revises(known, text, provenance) : grantAuthority(document, text, provenance)
  if ('refused' in decision || decision.sources.length === 0) return []
  const fields = { text, sources: decision.sources, via: decision.via, origin, ...toPeriod(data) } as const
  return data.op === 'keep'
    ? [{ type: 'KeepMemory', id: `m${newId()}`, document, pin: data.pin, ...fields }]
    : [{ type: 'ReviseMemory', id: data.id, ...fields }]
}

/** Returns null for an empty or too long text. */
export const toStatementText = (words: string, document: Document): string | null => {
  const text = oneLine(words)
  return text === '' || text.length > getMaxLength(document) ? null : text
}

/** Leaves out dates that contradict each other. */
export const toPeriod = ({ from, until }: { readonly from: string | null; readonly until: string | null }) =>
  from && until && !isPeriod(from, until) ? {} : { from, until }

/**
 * A merge repeats known statements, so its words come from them or from the user. It grants nothing new: for
 * permissions and traits of the persona, the user must have said it, as for a revision.
 */
const toMergeLesson = (data: OperationOf<'merge'>, span: Span): readonly Lesson[] => {
  const statements = data.ids.flatMap((id) => valueAt(span.persona.knowledge.statements, id) ?? [])
  const [first] = statements
  const text = first ? toStatementText(data.text, first.document) : null
  if (text === null || !first || statements.length < data.ids.length) return []
  const provenance = provenanceIn(span, data.sources)
  const isAuthority = first.document === 'permissions' || first.document === 'persona-trait'
  const isAllowed = isAuthority
    ? statements.every((statement) => !('refused' in revises(statement, text, provenance)))
    : isRepeated(text, statements, provenance)
  const sources = provenance.said.map(({ seq }) => seq)
  return isAllowed ? [{ type: 'MergeMemories', ids: data.ids, text, sources, ...toPeriod(data) }] : []
}

/** At least half of the words are known, and no others are borrowed from third-party text. */
const isRepeated = (text: string, statements: readonly Statement[], provenance: Provenance): boolean => {
  const known = statements.map((statement) => ({ seq: statement.seq, words: statement.text, file: false }))
  const combined = { ...provenance, said: [...known, ...provenance.said] }
  const words = [...new Set(getSignificantWords(text))]
  const index = createWordIndex(combined.said.map((message) => message.words))
  const knownCount = words.filter((word) => index.has(word)).length
  return knownCount * 2 >= words.length && borrowedWords(words, combined).length === 0
}

const spokenIn = (entries: readonly Entry[]): readonly OwnMessage[] =>
  entries.flatMap(({ seq, event }) =>
    event.type === 'MessageSpoken' && !isByDaemon(event) && event.content !== ''
      ? [{ seq, words: event.content, file: false }]
      : [],
  )

/** Only statements that the user mentioned may be forgotten. */
const isSpokenIn = (text: string, { entries, perceptions }: Span): boolean =>
  isSaidIn(text, wordsIn(saidIn(entries, perceptions)))

/** Only the user's own words are a source. `named` limits them to these lines. */
const provenanceIn = (span: Span, lineNumbers?: readonly Seq[]): Provenance => {
  const { entries, perceptions, persona } = span
  const lines = lineNumbers ? entries.filter(({ seq }) => lineNumbers.includes(seq)) : entries
  return {
    said: saidIn(lines, perceptions),
    spoken: spokenIn(lines),
    before: saidIn(entries, perceptions),
    others: listOthers(span),
    names: knownNames(persona),
    afterwards: true,
  }
}
