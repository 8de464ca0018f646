/** What came with a message, as the practice mind finds it in a prompt: between <file> and </file>, <voice> and </voice>; or <note> and </note>, which nobody said. */

export interface FileNote {
  readonly name: string
  /** What it lies under. */
  readonly file: string
  /** Who perceived it; undefined where nobody could. */
  readonly by: string | undefined
  readonly text: string
}

/** What stands between a beginning and the nearest end of the same kind. One that never ends is none. */
interface Note {
  readonly tag: string
  readonly marks: string
  readonly text: string
  readonly from: number
  readonly to: number
}

const edge = /<(?:(file|voice|note)\b([^<>]*)>|\/(file|voice|note)>)/g

const notesIn = (content: string): readonly Note[] => {
  const edges = [...content.matchAll(edge)]
  const lastEnds = new Map(edges.map(({ 3: ended, index }) => [ended, index]))
  const notes: Note[] = []
  let begun: RegExpExecArray | undefined
  for (const found of edges) {
    const { 0: whole, 1: begins, 3: ends, index } = found
    if (!begun && begins && index < (lastEnds.get(begins) ?? -1)) begun = found
    else if (begun && ends === begun[1]) {
      const text = content.slice(begun.index + begun[0].length, index)
      notes.push({ tag: ends ?? '', marks: begun[2] ?? '', text, from: begun.index, to: index + whole.length })
      begun = undefined
    }
  }
  return notes
}

// Linear: the letters of a name.
const mark = (marks: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(marks)?.[1]

/** Without what stands between <words> and </words>: somebody else said that. */
export const withoutOthers = (content: string): string => {
  const [first = '', ...others] = content.split(/<words\b/)
  return others.length === 0 ? content : [first, ...others.map(behindOthers)].join('').trim()
}

/** What follows the end of others' words; all of it where they do not end. */
const behindOthers = (text: string): string => {
  const end = text.indexOf('</words>')
  return end < 0 ? `<words${text}` : text.slice(end + '</words>'.length).replace(/^\n/, '')
}

/** What was said aloud is said like any words. */
export const wordsIn = (content: string): string => {
  const notes = notesIn(content)
  const words = notes.flatMap(({ tag, text, from }, n) => [
    content.slice(notes[n - 1]?.to ?? 0, from),
    tag === 'voice' ? text.replace(/^\n/, '').replace(/\n$/, '') : '',
  ])
  return [...words, content.slice(notes.at(-1)?.to ?? 0)].join('').trim()
}

export const filesIn = (content: string): readonly FileNote[] =>
  notesIn(content).flatMap(({ tag, marks, text }) => {
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
