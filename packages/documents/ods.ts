/** The words and figures of an OpenDocument spreadsheet (ISO 26300), sheet by sheet and row by row. */
import type { Archive } from './archive.ts'
import type { Limits } from './limits.ts'
import { type Attributes, getAttribute, listen } from './markup.ts'
import { refuseLocked } from './odf.ts'
import { createComments } from './odf-story.ts'
import type { Paper } from './paper.ts'

/** A cell and a row may stand for a thousand million like them: so many are written, the rest are counted. */
const mostAlike = { cells: 64, rows: 1000 }
/** Cells that are kept apart by more empty ones than this are kept apart by one sign instead. */
const widestGap = 16

export const readOds = async (archive: Archive, limits: Limits, paper: Paper): Promise<void> => {
  await refuseLocked(archive, limits)
  let row: string[] = []
  let rows = 1
  let empty = 0
  let cell: Cell | undefined
  const comments = createComments()

  const endCell = ({ value, lines, fallback, comment, repeated }: Cell) => {
    const text = [value ?? (lines.join(' ').trim() || fallback), comment].filter(Boolean).join(' ')
    if (!text) {
      empty += repeated
      return
    }
    row.push(...(empty > widestGap ? ['…'] : Array<string>(empty).fill('')))
    empty = 0
    row.push(...Array<string>(Math.min(repeated, mostAlike.cells)).fill(text))
    if (repeated > mostAlike.cells) row.push(`(${repeated - mostAlike.cells} more like it)`)
  }
  const endRow = () => {
    if (row.length === 0) return
    for (let written = 0; written < Math.min(rows, mostAlike.rows); written++) paper.row(row)
    if (rows > mostAlike.rows) paper.line(`(${rows - mostAlike.rows} more rows like it)`)
  }
  await listen(archive.read('content.xml'), limits, {
    open: (name, attributes) => {
      if (comments.open(name)) return
      if (name === 'table') {
        paper.gap()
        paper.line(`# ${getAttribute(attributes, 'name') ?? ''}`)
      }
      if (name === 'table-row')
        [row, empty, rows] = [[], 0, times(getAttribute(attributes, 'number-rows-repeated'))]
      if (name === 'table-cell' || name === 'covered-table-cell') {
        const repeated = times(getAttribute(attributes, 'number-columns-repeated'))
        cell = {
          ...{ value: exactly(attributes), lines: [], fallback: fallbackOf(attributes) },
          ...{ comment: '', repeated },
        }
      }
      if (name === 'p') cell?.lines.push('')
      if (name === 's') add(cell, ' ')
      if (name === 'tab' || name === 'line-break') add(cell, ' ')
    },
    words: (text, path) => {
      const plain = text.replace(/[ \t\r\n]+/g, ' ')
      if (comments.isOpen()) comments.words(plain)
      else if (path.includes('p')) add(cell, plain)
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
  /** Where it says more than the words that are shown. */
  readonly value: string | undefined
  readonly lines: string[]
  /** Shown if there are no words. */
  readonly fallback: string
  comment: string
  readonly repeated: number
}

const add = (cell: Cell | undefined, text: string): void => {
  if (!cell) return
  cell.lines.push((cell.lines.pop() ?? '') + text)
}

/** A day is written as each country likes it, and sometimes without its year. */
const exactly = (attributes: Attributes): string | undefined => {
  const type = getAttribute(attributes, 'value-type')
  if (type === 'date')
    return getAttribute(attributes, 'date-value')
      ?.replace('T', ' ')
      .replace(/ 00:00:00$/, '')
  return type === 'boolean' ? getAttribute(attributes, 'boolean-value')?.toUpperCase() : undefined
}

/** The value, or the formula of a cell whose value no program has computed yet. */
const fallbackOf = (attributes: Attributes): string => {
  const value = getAttribute(attributes, 'value') ?? getAttribute(attributes, 'string-value')
  if (value !== undefined || getAttribute(attributes, 'value-type') !== undefined) return value ?? ''
  // `of:=SUM([.A1:.A3])` names the language of the formula, and the sheet before each dot.
  return (getAttribute(attributes, 'formula') ?? '')
    .replace(/^\w+:(?==)/, '')
    .replace(/\[([^\][]*)\]/g, (_, reference: string) => reference.replace(/^\.|(?<=:)\./g, ''))
}

const times = (repeated: string | undefined): number => {
  const count = Number(repeated ?? 1)
  return Number.isSafeInteger(count) && count > 0 ? count : 1
}
