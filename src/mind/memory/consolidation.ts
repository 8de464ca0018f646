/** Converts the answer of a consolidation to lessons. Nothing is learned without the user's own words. */
import type { Document, Seq } from '../../../facts/fact-values.ts'
import type { Entry } from '../../../facts/persona-journal.ts'
import { isLocalTime, toInstant } from '../../../packages/kit/time/local-time.ts'
import { isPeriod } from '../../../packages/kit/time/partial-date.ts'
import { oneLine, type Statement } from '../../../projections/knowledge.ts'
import { isByDaemon } from '../../../projections/message-parts.ts'
import { isAt, listValues, valueAt } from '../../../projections/persistent-map.ts'
import { type InitiativeChange, maxReasonLength } from '../../persona/rules/initiative.ts'
import type { Lesson } from '../../persona/rules/memory.ts'
import { getMaxLength } from '../../persona/rules/statements.ts'
import type { OthersWords } from '../prompt/origin.ts'
import { grantAuthority, revises, wantsForgetting, withdraw } from './authority.ts'
import { type Operation, readAnswer, readOperation } from './consolidation-answer.ts'
import { examples, initiativeExample, listOthers, type Span } from './consolidation-prompt.ts'
import {
  borrowedIn,
  borrowedWords,
  knownNames,
  type OwnMessage,
  type Provenance,
  saidIn,
  wordsIn,
} from './provenance.ts'
import { forgetRequest } from './requests.ts'
import {
  createWordIndex,
  getSignificantWords,
  isSaidIn,
  isWhollySaidIn,
  type WordIndex,
} from './word-match.ts'

export interface Consolidation {
  readonly lessons: readonly Lesson[]
  /** Null if the answer has none. */
  readonly carry: string | null
  readonly summary: string | null
  /** Words of others in `carry` and `summary` that the user did not use. */
  readonly borrowed: readonly string[]
  /** Reasons to write by itself. */
  readonly initiatives: readonly InitiativeChange[]
}

/** Returns null if the answer has the wrong form. Invalid operations are skipped one by one. */
export const parseConsolidation = (text: string, span: Span, newId: () => string): Consolidation | null => {
  const answer = readAnswer(text)
  if (!answer) return null
  const requests = findForgetRequests(span)
  const readSpan = { ...span, others: listOthers(span), askingLines: requests.map(({ seq }) => seq) }
  const toText = (name: 'carry' | 'summary') => {
    const words = answer[name]
    return words === examples[name] ? null : words && withoutForgotten(words, requests)
  }
  const carry = toText('carry')
  const summary = toText('summary')
  const lessons = answer.operations.flatMap((operation) => toLessons(operation, readSpan, newId))
  const borrowedTexts = borrowedIn(`${carry ?? ''}\n${summary ?? ''}`, provenanceIn(readSpan))
  const initiatives = readInitiatives(answer.operations, readSpan, newId)
  return { lessons, carry, summary, borrowed: borrowedTexts, initiatives }
}

interface ForgetRequest {
  readonly seq: Seq
  readonly words: WordIndex
  readonly forgotten: string
}

/**
 * Returns the messages of this span in which the user asked to forget a statement that was then forgotten.
 * They repeat it, so they are no source, and the notes of the night leave it out.
 */
const findForgetRequests = ({ entries, perceptions, persona }: Span): readonly ForgetRequest[] => {
  const requests = saidIn(entries, perceptions).filter(({ words }) => forgetRequest.test(words))
  return listValues(persona.knowledge.forgotten).flatMap(({ text, forgotten, into }) => {
    const request = into === undefined && requests.findLast(({ seq }) => seq < forgotten)
    return request ? [{ seq: request.seq, words: createWordIndex([request.words]), forgotten: text }] : []
  })
}

/** Drops the sentences that repeat the forgotten statement, or half of the request to forget it. */
const withoutForgotten = (text: string, requests: readonly ForgetRequest[]): string => {
  if (requests.length === 0) return text
  const repeats = (sentence: string) => {
    const sentenceWords = getSignificantWords(sentence)
    return requests.some(({ words, forgotten }) => {
      const repeatedCount = sentenceWords.filter((word) => words.has(word)).length
      return (
        isWhollySaidIn(forgotten, sentence) ||
        (repeatedCount > 0 && repeatedCount * 2 >= sentenceWords.length)
      )
    })
  }
  const sentences = text.split(/(?<=[.!?。！？])\s+|\n+/u)
  return sentences.filter((sentence) => !repeats(sentence)).join(' ')
}

const origin = 'consolidation'

interface ReadSpan extends Span {
  /** Words of others in the prompt. */
  readonly others: readonly OthersWords[]
  /** The lines that may not be a source. */
  readonly askingLines: readonly Seq[]
}

const toLessons = (value: unknown, span: ReadSpan, newId: () => string): readonly Lesson[] => {
  const operation = readOperation(value)
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
      const isPinned = operation.op === 'pin'
      const knownIds = operation.ids.filter((id) => isAt(span.persona.knowledge.statements, id))
      return knownIds.map((id) => ({ type: 'PinMemory', id, pinned: isPinned, origin }))
    }
    default:
      return []
  }
}

type OperationOf<Op extends Operation['op']> = Extract<Operation, { readonly op: Op }>

/** A statement that the persona drops by itself does not have to stay forgotten. */
const toForgetLesson = ({ id, why }: OperationOf<'forget'>, span: ReadSpan): readonly Lesson[] => {
  const knownStatement = valueAt(span.persona.knowledge.statements, id)
  const provenance = provenanceIn(span)
  return knownStatement &&
    (knownStatement.document === 'self' || isSpokenIn(knownStatement.text, span)) &&
    withdraw(knownStatement.document, knownStatement.text, provenance) === null
    ? [{ type: 'ForgetMemory', id, why, unasked: !wantsForgetting(provenance), origin }]
    : []
}

const toStatementLesson = (
  data: OperationOf<'keep' | 'revise'>,
  span: ReadSpan,
  newId: () => string,
): readonly Lesson[] => {
  const knownStatement = data.op === 'keep' ? null : valueAt(span.persona.knowledge.statements, data.id)
  const document = data.op === 'keep' ? data.document : knownStatement?.document
  const text = document ? toStatementText(data.text, document) : null
  if (text === null || !document || text === examples.self) return []
  const sources = data.sources.filter((seq) => !span.askingLines.includes(seq))
  const provenance = provenanceIn(span, sources)
  const decision = knownStatement
    ? revises(knownStatement, text, provenance)
    : grantAuthority(document, text, provenance)
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
const toMergeLesson = (data: OperationOf<'merge'>, span: ReadSpan): readonly Lesson[] => {
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
  const knownMessages = statements.map((statement) => ({
    seq: statement.seq,
    words: statement.text,
    file: false,
  }))
  const combinedProvenance = { ...provenance, said: [...knownMessages, ...provenance.said] }
  const words = [...new Set(getSignificantWords(text))]
  const index = createWordIndex(combinedProvenance.said.map((message) => message.words))
  const knownCount = words.filter((word) => index.has(word)).length
  return knownCount * 2 >= words.length && borrowedWords(words, combinedProvenance).length === 0
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

/** Max reasons to write by itself that one consolidation notes. */
const maxInitiatives = 5
/** Max time in ms between the talk and a message about it. */
const maxAheadMs = 400 * 24 * 60 * 60_000
const defaultHour = 'T10:00'

/** Drops each one that is malformed, past, unwanted, or does not come from own words of the two sides. */
const readInitiatives = (
  operations: readonly unknown[],
  span: ReadSpan,
  newId: () => string,
): readonly InitiativeChange[] => {
  const { open, level } = span.persona.initiative
  if (level === 'off') return []
  const changes = operations.flatMap((value): readonly InitiativeChange[] => {
    const operation = readOperation(value)
    if (operation?.op === 'forget')
      return open.some(({ id }) => id === operation.id) ? [{ type: 'EndInitiative', id: operation.id }] : []
    return operation?.op === 'initiative' ? toInitiative(operation, span, newId) : []
  })
  return changes.slice(0, maxInitiatives)
}

const toInitiative = (
  { id, kind, at: time, text, sources: lines, yearly }: OperationOf<'initiative'>,
  span: ReadSpan,
  newId: () => string,
): readonly InitiativeChange[] => {
  const { persona, entries, askingLines } = span
  const { open, zone, disliked } = persona.initiative
  const reason = oneLine(text)
  const at = readLocalTime(time, zone ?? span.zone)
  const talkedAt = entries.at(-1)?.at ?? 0
  if (at === null || at <= talkedAt || at > talkedAt + maxAheadMs) return []
  if (reason === '' || reason === initiativeExample || reason.length > maxReasonLength) return []
  if (disliked.some((entry) => entry.reason !== '' && isSaidIn(entry.reason, reason))) return []
  const openReason = open.find((candidate) => candidate.id === id)
  // A new time needs no new source. Without one the words stay.
  if (openReason && lines.every((seq) => openReason.sources.includes(seq)))
    return [
      {
        type: 'PlanInitiative',
        id: openReason.id,
        kind: openReason.kind,
        at,
        reason: openReason.reason,
        sources: openReason.sources,
        yearly: openReason.yearly === true || (openReason.kind === 'date' && yearly),
      },
    ]
  const provenance = provenanceIn(
    span,
    lines.filter((seq) => !askingLines.includes(seq)),
  )
  const decision = grantAuthority('self', reason, provenance)
  if ('refused' in decision) return []
  // A wish is the user's own.
  if (kind === 'wish' && provenance.said.every(({ words }) => words === '')) return []
  const usedKind = openReason?.kind ?? kind
  return [
    {
      type: 'PlanInitiative',
      id: openReason?.id ?? `i${newId()}`,
      kind: usedKind,
      at,
      reason,
      sources: decision.sources,
      yearly: usedKind === 'date' && (yearly || openReason?.yearly === true),
    },
  ]
}

/** Reads a local date, with or without a time. Returns null for anything else. */
const readLocalTime = (text: string, zone: string): number | null => {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/.exec(text.trim()) ?? []
  const wall = date && `${date}${time ? `T${time}` : defaultHour}`
  return wall && isLocalTime(wall) ? toInstant(wall, zone) : null
}

/** Only the user's own words are a source. `lineNumbers` limits them to these lines. */
const provenanceIn = (span: ReadSpan, lineNumbers?: readonly Seq[]): Provenance => {
  const { entries, perceptions, persona } = span
  const lines = lineNumbers ? entries.filter(({ seq }) => lineNumbers.includes(seq)) : entries
  return {
    said: saidIn(lines, perceptions),
    spoken: spokenIn(lines),
    before: saidIn(entries, perceptions),
    others: span.others,
    names: knownNames(persona),
    afterwards: true,
  }
}
