/**
 * What stands in for a model that makes vectors: words that mean about the same fall on the same number. It
 * says nothing of how well a real one tells meanings apart.
 */
const alike: readonly (readonly string[])[] = [
  ['holiday', 'holidays', 'vacation', 'trip', 'journey'],
  ['dog', 'dogs', 'hound', 'puppy'],
  ['car', 'automobile', 'vehicle'],
  ['doctor', 'physician', 'surgeon'],
  ['bought', 'purchased', 'acquired'],
]
const senses = new Map(alike.flatMap((words) => words.map((word) => [word, words[0] ?? word] as const)))

/** Says nothing by itself, and what is put before a text so that a model knows what it is for. */
const empty = /^(?:search_(?:document|query)|the|and|what|where|when|which|did|does|was|were|with|that)$/

export const meaningOf = (text: string, dimension = 256): number[] => {
  const numbers = new Array<number>(dimension).fill(0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? []) {
    if (empty.test(word)) continue
    const place = hashOf(senses.get(word) ?? word) % dimension
    numbers[place] = (numbers[place] ?? 0) + 1
  }
  return numbers
}

/** FNV-1a. */
const hashOf = (word: string): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}

/** As models count them, about. */
export const tokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0)
