/**
 * Replaces an embedding model: words of similar meaning map to the same number. It says nothing about the
 * quality of a real model.
 */
const synonyms: readonly (readonly string[])[] = [
  ['holiday', 'holidays', 'vacation', 'trip', 'journey'],
  ['dog', 'dogs', 'hound', 'puppy'],
  ['car', 'automobile', 'vehicle'],
  ['doctor', 'physician', 'surgeon'],
  ['bought', 'purchased', 'acquired'],
]
const senses = new Map(synonyms.flatMap((words) => words.map((word) => [word, words[0] ?? word] as const)))

/** Words without a meaning, and prefixes that tell a model the purpose of a text. */
const empty = /^(?:search_(?:document|query)|the|and|what|where|when|which|did|does|was|were|with|that)$/

export const toVector = (text: string, dimension = 256): number[] => {
  const numbers = new Array<number>(dimension).fill(0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? []) {
    if (empty.test(word)) continue
    const place = toHash(senses.get(word) ?? word) % dimension
    numbers[place] = (numbers[place] ?? 0) + 1
  }
  return numbers
}

/** FNV-1a. */
const toHash = (word: string): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}

/** Approximates how models count tokens. */
export const countTokens = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0)
