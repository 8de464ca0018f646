/** The words that go when a fact is erased, to be looked for wherever else they may stand. */
import { type PersonaEvent, traitsOf } from '../../journal/facts/facts.ts'

/** Whether it holds anybody's words. */
export const hasWords = (event: PersonaEvent): boolean => traitsOf(event.type).blank !== null

/** Every text that goes with its words. */
export const textsOf = (event: PersonaEvent): readonly string[] => {
  const { blank } = traitsOf(event.type)
  const fields = Object.keys(blank ?? {}).filter((field) => !derived.has(field))
  const texts = fields.flatMap((field) => stringsIn((event as unknown as Record<string, unknown>)[field]))
  // Its other names are the daemon's own, as those of tools are.
  const file = 'media' in event ? event.media : null
  return [...new Set([...texts, ...(file ? [file.name] : [])])].filter((text) => text.trim() !== '')
}

/** Their words stand in the other fields of the fact, or are single words that stand anywhere by chance. */
const derived = new Set(['recipe', 'borrowed', 'via', 'opaque'])

/** Ids, kinds and names in an answer are nobody's words. */
const unsaid = new Set(['id', 'name', 'filename', 'mime', 'sha256', 'from'])

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return Object.entries(value).flatMap(([key, inner]) => (unsaid.has(key) ? [] : stringsIn(inner)))
}

/** Shorter words stand anywhere by chance. */
const [tellingText, tellingSentence] = [12, 20]

/** What shows that a text was repeated: all of it, or a sentence. */
export const tellingPieces = (text: string): readonly string[] => {
  const whole = text.trim()
  const sentences = whole.split(/[\n.!?。！？]+/).map((piece) => piece.trim())
  return [
    ...(whole.length >= tellingText ? [whole] : []),
    ...sentences.filter((piece) => piece !== whole && piece.length >= tellingSentence),
  ]
}
