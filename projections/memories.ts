/** Lists statements and forgotten statements, with their sources. */
import { Document, type Seq, type Via } from '../facts/fact-values.ts'
import { type Forgotten, getVia, type Knowledge, type Statement } from './knowledge.ts'
import { listValues } from './persistent-map.ts'

export interface Memory {
  readonly id: string
  readonly document: Document
  readonly text: string
  readonly origin: Statement['origin']
  readonly sources: readonly Seq[]
  /** Source of third-party text in it; null if all of it comes from the user. */
  readonly via: Via | null
  /** Time of the current text: ISO 8601 with offset. */
  readonly time: string
  /** When it begins or ends to be true: `2027`, `2027-03` or `2027-03-31`; null if unknown. */
  readonly from: string | null
  readonly until: string | null
  /** Always part of the system prompt. */
  readonly pinned: boolean
  readonly forgotten: boolean
  /** Id of the statement that a forgotten one was merged into; else null. */
  readonly merged_into: string | null
}

/** Formats epoch ms. */
export type Time = (timeMs: number) => string

/** Returns statements by document in insertion order, then forgotten ones from newest to oldest. */
export const listMemories = (
  { statements, forgotten }: Knowledge,
  source: Seq | null,
  time: Time,
): readonly Memory[] => {
  const memories = listValues(statements)
  const listedStatements: readonly (Statement | Forgotten)[] = [
    ...Document.options.flatMap((document) =>
      memories.filter((statement) => statement.document === document),
    ),
    ...[...listValues(forgotten)].sort((a, b) => b.forgotten - a.forgotten),
  ]
  return listedStatements
    .filter(({ sources }) => source === null || sources.includes(source))
    .map((statement) => toMemory(statement, time))
}

export const toMemory = (statement: Statement | Forgotten, time: Time): Memory => {
  const { id, document, text, origin, sources, at, from = null, until = null, pinned = false } = statement
  const isForgotten = 'forgotten' in statement
  return {
    id,
    document,
    text,
    origin,
    sources,
    via: getVia(statement),
    time: time(at),
    from,
    until,
    pinned,
    forgotten: isForgotten,
    merged_into: isForgotten ? (statement.into ?? null) : null,
  }
}
