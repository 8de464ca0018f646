/** Reads CSV with a header, a row at a time. */
import { Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import type { MaybeYield } from '../kit/flow/yielding.ts'
import { Unreadable } from './unreadable.ts'

/** Values by the names of their columns, in lower case. */
export type Row = Readonly<Record<string, string>>

/** Characters of one row. */
const maxRowLength = 16 * 1024 * 1024
const delimiters = [',', ';', '\t']

/** Returns the names of the columns, from the beginning of a file. */
export const columnsIn = (text: string): readonly string[] => {
  const line = firstLine(text)
  return line.split(delimiterIn(line)).map(toColumn)
}

const firstLine = (text: string): string => /^\ufeff?[^\r\n]{0,1000}/.exec(text)?.[0] ?? ''

/** Spreadsheets save with the delimiter of their language. */
const delimiterIn = (line: string): string => delimiters.find((sign) => line.includes(sign)) ?? ','

const toColumn = (name: string): string =>
  name
    .replace(/[\ufeff"]/g, '')
    .trim()
    .toLowerCase()

/**
 * `head`: the beginning of the file. Throws `Unreadable` if quotes do not fit or a row is too long. A short
 * row lacks its last columns.
 */
export const rowsIn = async function* (
  head: string,
  chunks: AsyncIterable<Buffer>,
  maybeYield: MaybeYield,
): AsyncGenerator<Row> {
  const parser = parse({
    bom: true,
    columns: (names: readonly string[]) => names.map(toColumn),
    delimiter: delimiterIn(firstLine(head)),
    max_record_size: maxRowLength,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  const input = Readable.from(chunks)
  input.on('error', (error) => parser.destroy(error))
  try {
    for await (const row of input.pipe(parser)) {
      await maybeYield()
      yield row as Row
    }
  } catch (error) {
    throw isCsvError(error) ? new Unreadable('damaged') : error
  } finally {
    input.destroy()
  }
}

const isCsvError = (error: unknown): error is CsvError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_')

const sample = 64 * 1024

/** Returns the beginning of a file as text, and all of the file. */
export const withHead = async (
  chunks: AsyncIterable<Buffer>,
): Promise<{ readonly head: string; readonly all: AsyncIterable<Buffer> }> => {
  const iterator = chunks[Symbol.asyncIterator]()
  const first: Buffer[] = []
  let size = 0
  while (size < sample) {
    const { value, done } = await iterator.next()
    if (done) break
    first.push(value)
    size += value.length
  }
  const all = async function* () {
    try {
      yield* first
      yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      await iterator.return?.()
    }
  }
  return { head: Buffer.concat(first).subarray(0, sample).toString(), all: all() }
}
