/** The words that go when a fact is erased, and the pieces by which copies of them are found. */
import { type PersonaEvent, traitsOf } from '../../journal/facts/facts.ts'

/** Whether the fact has a payload that can be erased. */
export const hasWords = (event: PersonaEvent): boolean => traitsOf(event.type).blank !== null

/** Returns all texts of the payload. */
export const textsOf = (event: PersonaEvent): readonly string[] => {
  const { blank } = traitsOf(event.type)
  const fields = Object.keys(blank ?? {}).filter((field) => !derived.has(field))
  const texts = fields.flatMap((field) => stringsIn((event as unknown as Record<string, unknown>)[field]))
  // The other file names are the daemon's own.
  const file = 'media' in event ? event.media : null
  return [...new Set([...texts, ...(file ? [file.name] : [])])].filter((text) => text.trim() !== '')
}

/** Repeated in other fields of the fact, or single words that match by accident. */
const derived = new Set(['recipe', 'borrowed', 'via', 'opaque'])

/** Keys of an answer that hold ids and kinds, not words. */
const nonWordKeys = new Set(['id', 'name', 'filename', 'mime', 'sha256', 'from'])

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return Object.entries(value).flatMap(([key, inner]) => (nonWordKeys.has(key) ? [] : stringsIn(inner)))
}

// Shorter pieces match by accident.
const minTextLength = 12
const minSentenceLength = 20

/** Returns the pieces that prove a copy: the whole text and its long sentences. */
export const tellingPieces = (text: string): readonly string[] => {
  const whole = text.trim()
  const sentences = whole.split(/[\n.!?。！？]+/).map((piece) => piece.trim())
  return [
    ...(whole.length >= minTextLength ? [whole] : []),
    ...sentences.filter((piece) => piece !== whole && piece.length >= minSentenceLength),
  ]
}
