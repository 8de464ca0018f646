/** What the rules of memory share: limits of statements, and which texts are known or forgotten already. */
import type { Document, Origin, Seq, Via } from '../../../facts/fact-values.ts'
import {
  type Forgotten,
  isMerged,
  type Knowledge,
  oneLine,
  type Statement,
  toPlainText,
} from '../../../projections/knowledge.ts'
import { findBy, listValues } from '../../../projections/persistent-map.ts'
import { type Decision, refuse } from './decision.ts'

// In UTF-16 units.
export const maxStatementLength = 300
export const maxSelfLineLength = 200
/** Lines that the persona keeps about itself. All are in the prompt. */
export const maxSelfLines = 20
export const maxSources = 50

/** Partial dates; null or absent if unknown. */
export interface Period {
  readonly from?: string | null
  readonly until?: string | null
}

export const periodFields = ({
  from,
  until,
}: Period): { readonly from?: string; readonly until?: string } => ({
  ...(from && { from }),
  ...(until && { until }),
})

export const viaField = (via: Via | null | undefined): { readonly via?: Via } => (via ? { via } : {})

/** Returns the known statement with this text. For a person, spelling counts: a changed sign is a change. */
export const knownAs = (
  { statements }: Knowledge,
  { document, text, origin }: StatementText & { readonly origin: Origin },
): Statement | undefined => {
  const words = origin === 'person' ? oneLine(text) : text
  return findBy(
    statements,
    equalityKey,
    equalityKey({ document, text: words }),
    (statement) => origin !== 'person' || statement.text === words,
  )
}

/** Key that is equal for statements with the same text. */
const equalityKey = ({ document, text }: StatementText): string => `${document} ${toPlainText(text)}`

type StatementText = Pick<Statement, 'document' | 'text'>

/** Returns the refusal of an empty or too long statement, else null. */
export const refuseUnfit = (text: string, document: Document): Decision | null => {
  if (!/[\p{L}\p{N}\p{S}]/u.test(text)) return refuse({ code: 'statement_empty' })
  const most = getMaxLength(document)
  return text.length > most ? refuse({ code: 'too_long', what: 'memory', most }) : null
}

/** Returns the max UTF-16 units of a statement. */
export const getMaxLength = (document: Document): number =>
  document === 'self' ? maxSelfLineLength : maxStatementLength

/** Returns whether a statement with this text is still known as a part of another one. */
export const isKnownMerged = (knowledge: Knowledge, { document, text }: StatementText) =>
  listValues(knowledge.forgotten).some(
    (statement) =>
      statement.into !== undefined &&
      statement.document === document &&
      toPlainText(statement.text) === toPlainText(text) &&
      isMerged(knowledge, statement),
  )

interface Said {
  readonly text: string
  readonly sources: readonly Seq[]
  /** The sources in which the user said it, if not all. */
  readonly saidIn?: readonly Seq[]
}

/**
 * A forgotten statement does not return from the same sources in other words, nor in the same words from
 * earlier sources.
 */
export const isForgotten = (knowledge: Knowledge, { text, sources, saidIn = sources }: Said): boolean => {
  const all = listValues(knowledge.forgotten).filter((statement) => !isMerged(knowledge, statement))
  const hiddenSources = new Set(all.flatMap((statement) => statement.sources))
  if (sources.length > 0 && sources.every((seq) => hiddenSources.has(seq))) return true
  const words = toPlainText(text)
  return all.some(
    (statement) => toPlainText(statement.text) === words && !saidIn.some((seq) => isLater(seq, statement)),
  )
}

const isLater = (seq: Seq, { forgotten }: Forgotten): boolean => seq > forgotten
