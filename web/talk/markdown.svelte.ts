/** Renders a persona's Markdown. The parser is loaded with the first text that needs it. */

type Parser = typeof import('./markdown-parser.ts')

let parser = $state.raw<Parser | null>(null)

/** Loads the parser, unless it is loaded. If it cannot be loaded, the next text tries again. */
export const loadParser = async (): Promise<void> => {
  if (!parser) parser = await import('./markdown-parser.ts').catch(() => null)
}

/**
 * Returns null if the text cannot be rendered as Markdown, or not before the parser is loaded, which updates
 * the effect that called this. Never throws.
 */
export const rendered = (text: string): DocumentFragment | null => {
  if (isWild(text)) return null
  if (!needsParser(text)) return toParagraphs(text)
  if (!parser) void loadParser()
  try {
    return parser?.parseMarkdown(text) ?? null
  } catch {
    return null
  }
}

/** Splits a growing text into blocks. All but the last are complete. */
export const splitBlocks = (text: string): readonly string[] => {
  if (!parser || isWild(text)) return [text]
  try {
    return parser.parseBlocks(text)
  } catch {
    return [text]
  }
}

/** Most messages consist of paragraphs without any of these. */
const markup = /[\r\t\\*_~`[\]<>&|#@$]|:\/\/|www|^(?:[^\S\n]|[-+=:\d])/im

export const needsParser = (text: string): boolean => markup.test(text)

const toParagraphs = (text: string): DocumentFragment => {
  const fragment = document.createDocumentFragment()
  if (text.trim() === '') return fragment
  for (const lines of text.trim().split(/\n{2,}/)) {
    const paragraph = document.createElement('p')
    paragraph.dir = 'auto'
    for (const [n, line] of lines.split('\n').entries())
      paragraph.append(...(n > 0 ? [document.createElement('br')] : []), line)
    fragment.append(paragraph)
  }
  return fragment
}

/** Max number of marks in a paragraph and before a line. The parser's time grows with their number. */
const maxMarks = 1_000
const maxDepth = 40

/** Returns true if parsing might take very long. */
const isWild = (text: string): boolean => {
  let isFenced = false
  let marks = 0
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced
    if (isFenced) continue
    if (line.trim() === '') marks = 0
    marks += count(line, inline)
    if (marks > maxMarks || getDepth(line.slice(0, 400)) > maxDepth) return true
  }
  return false
}

const inline = new Set('*_~`[]!<&')

/** Returns the number of quotes and lists that are nested at the start of a line. */
const getDepth = (line: string): number =>
  /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]))+/.exec(line)?.[0].match(/[>+*.)-]/g)?.length ?? 0

const count = (line: string, signs: ReadonlySet<string>): number => {
  let depth = 0
  for (const sign of line) if (signs.has(sign)) depth += 1
  return depth
}
