/** What came with a message, as the practice mind finds it in a prompt: between <file> and </file>, <voice> and </voice>; or <note> and </note>, which nobody said. */

export interface FileNote {
  readonly name: string
  /** What it lies under. */
  readonly file: string
  /** Who perceived it; undefined where nobody could. */
  readonly by: string | undefined
  readonly text: string
}

const note = /<(file|voice|note)\b([^>]*)>\n?([\s\S]*?)\n?<\/\1>/g
const mark = (marks: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(marks)?.[1]

const others = /<words\b[^>]*>\n?[\s\S]*?\n?<\/words>\n?/g

/** Without what stands between <words> and </words>: somebody else said that. */
export const withoutOthers = (content: string): string => (content.includes('<words') ? content.replaceAll(others, '').trim() : content)

/** What was said aloud is said like any words. */
export const wordsIn = (content: string): string =>
  content.replaceAll(note, (_, tag: string, __, text: string) => (tag === 'voice' ? text : '')).trim()

export const filesIn = (content: string): readonly FileNote[] =>
  [...content.matchAll(note)].flatMap(([, tag, marks = '', text = '']) => {
    const [name, file] = [mark(marks, 'name'), mark(marks, 'file')]
    return tag === 'file' && name && file ? [{ name, file, by: mark(marks, 'perceived-by'), text: text.trim() }] : []
  })

/** One that could not be perceived has been told already, in the service's own words. */
export const tellFile = ({ name, by, text }: FileNote): string =>
  by ? `Thank you for “${name}”. My ${organNames[by] ?? by} says: ${excerpt(text)}` : ''

const organNames: Readonly<Record<string, string>> = { eye: 'Eye', ear: 'Ear', researcher: 'Researcher', yourself: 'own reading of it' }

export const excerpt = (text: string, most = 300): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}
