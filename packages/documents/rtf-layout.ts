/** Writes the text of an RTF document: paragraphs, tables, notes, headers and footers. */
import type { Paper } from './paper.ts'

export interface RtfLayout {
  add(words: string): void
  endParagraph(): void
  /** Resets the paragraph properties: the paragraph is outside of tables. */
  resetParagraph(): void
  startTable(): void
  endCell(): void
  endRow(): void
  /** These return a function that ends the header or the note. */
  openMargin(mark: string): () => void
  openNote(mark: string): () => void
  finish(): void
}

export const createRtfLayout = (paper: Paper): RtfLayout => {
  let text = ''
  let label = ''
  let cells: string[] = []
  let isTable = false

  const takeLine = (): string => {
    const line = text.replace(/^\n+/, '')
    text = ''
    return line
  }
  const endRow = () => {
    paper.row(cells)
    cells = []
    takeLine()
  }
  return {
    add: (words) => {
      text += words
    },
    endParagraph: () => {
      if (isTable || cells.length > 0) text += '\n'
      else paper.line(label + takeLine())
    },
    resetParagraph: () => {
      isTable = false
      // The table has no end of its last row.
      if (cells.length > 0 && !text.trim()) endRow()
    },
    startTable: () => {
      isTable = true
    },
    endCell: () => void cells.push(takeLine()),
    endRow,
    openMargin: (mark) => {
      const outer = { text, isTable, cells }
      text = ''
      isTable = false
      cells = []
      label = mark
      return () => {
        const line = takeLine()
        if (line.trim()) paper.line(label + line)
        ;({ text, isTable, cells } = outer)
        label = ''
      }
    },
    openNote: (mark) => {
      text += mark
      return () => {
        text = `${text.trimEnd()}]`
      }
    },
    finish: () => {
      if (cells.length > 0) endRow()
      paper.line(takeLine())
    },
  }
}
