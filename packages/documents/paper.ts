/** What a document's words are written on, line by line, until there is no more room. */

export interface Paper {
  /** Throws `Full` when there is no more room. */
  line(text: string): void
  /** The cells of a row, side by side; a row without words is none. */
  row(cells: readonly string[]): void
  /** An empty line before what comes next, never two. */
  gap(): void
  /** As it stands, its empty lines too. */
  verbatim(text: string): void
  /** A sentence about the reading, which is no part of the document. */
  note(sentence: string): void
  text(): string
  /** Empty if there are none. */
  notes(): string
}

export class Full extends Error {
  override readonly name = 'Full'
}

// Line ends and tabs stay; what else has no shape would only disturb those who read it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const shapeless = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g

export const createPaper = (room: number): Paper => {
  const lines: string[] = []
  const notes: string[] = []
  let left = room
  let gap = false

  const write = (text: string) => {
    left -= text.length + 1
    if (left >= 0) return lines.push(text)
    lines.push(text.slice(0, Math.max(0, text.length + left)))
    throw new Full()
  }
  const tidy = (text: string) => text.replace(shapeless, '').replace(/\r\n?/g, '\n').trimEnd()
  const line = (text: string) => {
    const clean = tidy(text)
    if (!clean.trim()) return
    if (gap && lines.length > 0) write('')
    gap = false
    write(clean)
  }
  return {
    line,
    row: (cells) => {
      const clean = cells.map((cell) => cell.replace(/(?<!\s)\s*\n\s*/g, ' ').trim())
      while (clean.at(-1) === '') clean.pop()
      if (clean.length > 0) line(clean.join(' | '))
    },
    gap: () => {
      gap = true
    },
    verbatim: (text) => {
      write(tidy(text))
    },
    note: (sentence) => void notes.push(sentence),
    notes: () => notes.join(' '),
    // The way through bytes mends halves of characters; the half that a cut has left at the end goes.
    text: () => Buffer.from(lines.join('\n').replace(/[\ud800-\udbff]$/, '')).toString(),
  }
}
