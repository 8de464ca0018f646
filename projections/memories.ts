/** What it knows as single statements, each with what it came from, and what it was to forget. */
import { Document, type Seq, type Via } from '../journal/facts/fact-values.ts'
import { type Forgotten, type Knowledge, type Statement, viaOf } from './knowledge.ts'
import { valuesOf } from './persistent-map.ts'

export interface Memory {
  readonly id: string
  readonly document: Document
  readonly text: string
  readonly origin: Statement['origin']
  readonly sources: readonly Seq[]
  /** Where words of others in it came from; null if all of it is the user's. */
  readonly via: Via | null
  /** ISO 8601 with offset: since when it reads so. */
  readonly time: string
  readonly forgotten: boolean
}

/** Writes down epoch milliseconds. */
export type Time = (at: number) => string

/** What it knows by documents and as it was kept; then what is forgotten, the newest first. */
export const memoriesOf = (
  { statements, forgotten }: Knowledge,
  source: Seq | null,
  time: Time,
): readonly Memory[] => {
  const known = valuesOf(statements)
  const listed: readonly (Statement | Forgotten)[] = [
    ...Document.options.flatMap((document) => known.filter((statement) => statement.document === document)),
    ...[...valuesOf(forgotten)].sort((a, b) => b.forgotten - a.forgotten),
  ]
  return listed
    .filter(({ sources }) => source === null || sources.includes(source))
    .map((statement) => memoryOf(statement, time))
}

export const memoryOf = (statement: Statement | Forgotten, time: Time): Memory => {
  const { id, document, text, origin, sources, at } = statement
  const via = viaOf(statement)
  return { id, document, text, origin, sources, via, time: time(at), forgotten: 'forgotten' in statement }
}
