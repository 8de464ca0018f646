/** Writes the lines and tables of a document, including nested tables. A row becomes one line. */
import type { Paper } from './paper.ts'

export type Lines = Pick<Paper, 'line' | 'row' | 'gap'>

export type TablePart = 'table' | 'row' | 'cell'

export interface Tables {
  open(part: TablePart): void
  close(part: TablePart): void
  /** A line within a cell becomes part of the cell. */
  line(text: string): void
  /** Levels start at 1. */
  heading(level: number, text: string): void
}

export const createTables = (lines: Lines): Tables => {
  /** The current row of each open table. */
  const rows: string[][] = []

  const line = (text: string) => {
    const row = rows.at(-1)
    if (!row || row.length === 0) return lines.line(text)
    const cell = row.pop() ?? ''
    row.push(cell ? `${cell} ${text.trim()}` : text.trim())
  }
  const endRow = () => {
    const row = rows.at(-1)
    if (!row) return
    const cells = row.splice(0)
    if (rows.length === 1) return lines.row(cells)
    const outer = rows.pop() ?? []
    line(cells.filter(Boolean).join(', '))
    rows.push(outer)
  }
  return {
    open: (part) => {
      if (part === 'table') {
        if (rows.length === 0) lines.gap()
        rows.push([])
      }
      if (part === 'cell') rows.at(-1)?.push('')
    },
    close: (part) => {
      if (part === 'row') endRow()
      if (part !== 'table') return
      rows.pop()
      if (rows.length === 0) lines.gap()
    },
    line,
    heading: (level, text) => {
      if (rows.length > 0) return line(text)
      lines.gap()
      lines.line(`${'#'.repeat(Math.min(level, 6))} ${text}`)
    },
  }
}

/**
 * Writes the tables of mails. Most of them are only used for layout. A row becomes one line if each of its
 * cells has at most one line. Otherwise its cells follow each other, line by line.
 */
export const createLayoutTables = (lines: Lines): Tables => {
  /** The cells of the current row, as lines, for each open table. */
  const rows: string[][][] = []

  const line = (text: string) => {
    const cell = rows.findLast((row) => row.length > 0)?.at(-1)
    if (cell) cell.push(text.trim())
    else lines.line(text)
  }
  const endRow = () => {
    const row = rows.pop()
    if (!row) return
    if (row.some((cell) => cell.length > 1)) for (const text of row.flat()) line(text)
    else if (rows.length === 0) lines.row(row.flatMap((cell) => cell[0] ?? ''))
    else line(row.flat().join(' | '))
    rows.push([])
  }
  return {
    open: (part) => {
      if (part === 'table') {
        if (rows.length === 0) lines.gap()
        rows.push([])
      }
      if (part === 'cell') rows.at(-1)?.push([])
    },
    close: (part) => {
      if (part === 'row') endRow()
      if (part !== 'table') return
      endRow()
      rows.pop()
      if (rows.length === 0) lines.gap()
    },
    line,
    heading: (level, text) => {
      if (rows.length === 0) lines.gap()
      line(`${'#'.repeat(Math.min(level, 6))} ${text}`)
    },
  }
}
