/** Lines and tables of a document as they come, tables within tables among them: a row becomes one line. */
import type { Paper } from './paper.ts'

export type Lines = Pick<Paper, 'line' | 'row' | 'gap'>

export type TablePart = 'table' | 'row' | 'cell'

export interface Tables {
  open(part: TablePart): void
  close(part: TablePart): void
  /** Within a cell, it is part of that cell. */
  line(text: string): void
  /** From 1. */
  heading(level: number, text: string): void
}

export const createTables = (lines: Lines): Tables => {
  /** The row that is being read, of each table that is open. */
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
