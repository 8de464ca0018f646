/** Splits the text of the help into lines with links to its telephone numbers and pages. */

export interface HelpPiece {
  readonly text: string
  /** Null for plain text. */
  readonly href: string | null
}

/** Phone numbers follow a colon or a word; hours such as 09:00–24:00 and 24/7 are none. */
const link = /(https:\/\/[^\s,]+)|(?<![\d:–/-])(\d[\d ]{1,16}\d)(?![\d:–/-])/g

export const splitHelp = (text: string): readonly (readonly HelpPiece[])[] => text.split('\n').map(splitLine)

const splitLine = (line: string): readonly HelpPiece[] => {
  const pieces: HelpPiece[] = []
  // A name such as “988 Suicide & Crisis Lifeline” can contain digits, which are no link.
  const name = /^[^:]*: (?!\/\/)/.exec(line)?.[0] ?? ''
  let end = name.length
  if (name) pieces.push({ text: name, href: null })
  for (const match of line.slice(name.length).matchAll(link)) {
    const start = name.length + match.index
    if (start > end) pieces.push({ text: line.slice(end, start), href: null })
    const [found, page] = match
    pieces.push({
      text: found,
      href: page ?? `${isText(line, start) ? 'sms' : 'tel'}:${found.replaceAll(' ', '')}`,
    })
    end = start + found.length
  }
  if (end < line.length) pieces.push({ text: line.slice(end), href: null })
  return pieces
}

const isText = (line: string, start: number) => /(?:text|SMS an) $/.test(line.slice(0, start))
