/** Collects the text of a document line by line, up to the limit. */

export interface Paper {
  /** Throws `Full` when the limit is reached. */
  line(text: string): void
  /** Writes the cells of a row as one line. A row without text is skipped. */
  row(cells: readonly string[]): void
  /** Writes an empty line before the next text, at most one. */
  gap(): void
  /** Writes text unchanged, including empty lines. */
  verbatim(text: string): void
  /** Adds a sentence about the reading. It is not part of the document's text. */
  note(sentence: string): void
  text(): string
  /** Empty if there are none. */
  notes(): string
}

export class Full extends Error {
  override readonly name = 'Full'
}

// Keeps line ends and tabs. Other control characters are removed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g

export const createPaper = (room: number): Paper => {
  const lines: string[] = []
  const notes: string[] = []
  let remainingUnits = room
  let gap = false

  const write = (text: string) => {
    remainingUnits -= text.length + 1
    if (remainingUnits >= 0) return lines.push(text)
    lines.push(text.slice(0, Math.max(0, text.length + remainingUnits)))
    throw new Full()
  }
  const normalize = (text: string) => text.replace(controlCharacters, '').replace(/\r\n?/g, '\n').trimEnd()
  const line = (text: string) => {
    const cleanText = normalize(text)
    if (!cleanText.trim()) return
    if (gap && lines.length > 0) write('')
    gap = false
    write(cleanText)
  }
  return {
    line,
    row: (cells) => {
      const cleanCells = cells.map((cell) => cell.replace(/(?<!\s)\s*\n\s*/g, ' ').trim())
      while (cleanCells.at(-1) === '') cleanCells.pop()
      if (cleanCells.length > 0) line(cleanCells.join(' | '))
    },
    gap: () => {
      gap = true
    },
    verbatim: (text) => {
      write(normalize(text))
    },
    note: (sentence) => void notes.push(sentence),
    notes: () => notes.join(' '),
    // The conversion to bytes replaces unpaired surrogates. The one that truncation leaves at the end is
    // removed.
    text: () => Buffer.from(lines.join('\n').replace(/[\ud800-\udbff]$/, '')).toString(),
  }
}
