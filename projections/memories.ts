/** Lists statements and forgotten statements, with their sources. */
import { Document, type Seq, type Via } from '../journal/facts/fact-values.ts'
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
  readonly forgotten: boolean
}

/** Formats epoch ms. */
export type Time = (at: number) => string

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
  const { id, document, text, origin, sources, at } = statement
  const via = getVia(statement)
  return { id, document, text, origin, sources, via, time: time(at), forgotten: 'forgotten' in statement }
}
