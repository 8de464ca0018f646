/** Reads the text and numbers of an OpenDocument spreadsheet (ISO 26300), row by row. */
import type { Archive } from './archive.ts'
import type { Limits } from './limits.ts'
import { type Attributes, getAttribute, listen } from './markup.ts'
import { refuseLocked } from './odf.ts'
import { createComments } from './odf-story.ts'
import type { Paper } from './paper.ts'

/**
 * A cell or a row may repeat 10^9 times. Up to these limits repeats are written, the rest are only counted.
 */
const maxRepeats = { cells: 64, rows: 1000 }
/** A wider gap of empty cells is written as one mark. */
const maxGap = 16

export const readOds = async (archive: Archive, limits: Limits, paper: Paper): Promise<void> => {
  await refuseLocked(archive, limits)
  let row: string[] = []
  let rows = 1
  let empty = 0
  let cell: Cell | undefined
  const comments = createComments()

  const endCell = ({ value, lines, fallback, comment, repeated: repeatCount }: Cell) => {
    const text = [value ?? (lines.join(' ').trim() || fallback), comment].filter(Boolean).join(' ')
    if (!text) {
      empty += repeatCount
      return
    }
    row.push(...(empty > maxGap ? ['…'] : Array<string>(empty).fill('')))
    empty = 0
    row.push(...Array<string>(Math.min(repeatCount, maxRepeats.cells)).fill(text))
    if (repeatCount > maxRepeats.cells) row.push(`(${repeatCount - maxRepeats.cells} more like it)`)
  }
  const endRow = () => {
    if (row.length === 0) return
    for (let writtenRows = 0; writtenRows < Math.min(rows, maxRepeats.rows); writtenRows++) paper.row(row)
    if (rows > maxRepeats.rows) paper.line(`(${rows - maxRepeats.rows} more rows like it)`)
  }
  await listen(archive.read('content.xml'), limits, {
    open: (name, attributes) => {
      if (comments.open(name)) return
      if (name === 'table') {
        paper.gap()
        paper.line(`# ${getAttribute(attributes, 'name') ?? ''}`)
      }
      if (name === 'table-row')
        [row, empty, rows] = [[], 0, toCount(getAttribute(attributes, 'number-rows-repeated'))]
      if (name === 'table-cell' || name === 'covered-table-cell') {
        const repeatCount = toCount(getAttribute(attributes, 'number-columns-repeated'))
        cell = {
          value: getExactValue(attributes),
          lines: [],
          fallback: getFallback(attributes),
          comment: '',
          repeated: repeatCount,
        }
      }
      if (name === 'p') cell?.lines.push('')
      if (name === 's') add(cell, ' ')
      if (name === 'tab' || name === 'line-break') add(cell, ' ')
    },
    words: (text, path) => {
      const plainText = text.replace(/[ \t\r\n]+/g, ' ')
      if (comments.isOpen()) comments.words(plainText)
      else if (path.includes('p')) add(cell, plainText)
    },
    close: (name) => {
      if (comments.isOpen()) {
        const comment = comments.close(name)
        if (comment && cell) cell.comment = comment
        return
      }
      if (name === 'table-row') endRow()
      if (!cell || (name !== 'table-cell' && name !== 'covered-table-cell')) return
      endCell(cell)
      cell = undefined
    },
  })
}

interface Cell {
  /** Set if it says more than the displayed text. */
  readonly value: string | undefined
  readonly lines: string[]
  /** Shown if the cell has no text. */
  readonly fallback: string
  comment: string
  readonly repeated: number
}

const add = (cell: Cell | undefined, text: string): void => {
  if (!cell) return
  cell.lines.push((cell.lines.pop() ?? '') + text)
}

/** Displayed dates depend on the locale and may omit the year. */
const getExactValue = (attributes: Attributes): string | undefined => {
  const type = getAttribute(attributes, 'value-type')
  if (type === 'date')
    return getAttribute(attributes, 'date-value')
      ?.replace('T', ' ')
      .replace(/ 00:00:00$/, '')
  return type === 'boolean' ? getAttribute(attributes, 'boolean-value')?.toUpperCase() : undefined
}

/** Returns the value, or the formula if no program has computed the value. */
const getFallback = (attributes: Attributes): string => {
  const value = getAttribute(attributes, 'value') ?? getAttribute(attributes, 'string-value')
  if (value !== undefined || getAttribute(attributes, 'value-type') !== undefined) return value ?? ''
  // `of:=SUM([.A1:.A3])` has a prefix for the formula language, and a sheet name before each dot.
  return (getAttribute(attributes, 'formula') ?? '')
    .replace(/^\w+:(?==)/, '')
    .replace(/\[([^\][]*)\]/g, (_, reference: string) => reference.replace(/^\.|(?<=:)\./g, ''))
}

const toCount = (repeatCount: string | undefined): number => {
  const count = Number(repeatCount ?? 1)
  return Number.isSafeInteger(count) && count > 0 ? count : 1
}
