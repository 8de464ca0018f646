/** Limits how much of a long text is shown at first. */

/** Limits in UTF-16 units and in lines. */
const maxUnits = 20_000
const maxLines = 400

/**
 * Returns the start of a long text, cut at a line break if there is one near, or the whole of a short one.
 */
export const getStart = (words: string): string => {
  const lines = lineEnd(words, maxLines)
  const end = Math.min(maxUnits, lines)
  if (words.length <= end) return words
  const lineBreak = words.lastIndexOf('\n', end)
  return trimHalfPairs(words.slice(0, lineBreak > end - 2_000 ? lineBreak : end))
}

/** Returns the end of a text that is being streamed. */
export const getEnd = (words: string): string => {
  if (words.length <= maxUnits) return words
  const start = words.length - maxUnits
  const lineBreak = words.indexOf('\n\n', start)
  return trimHalfPairs(words.slice(lineBreak > 0 && lineBreak < start + 2_000 ? lineBreak : start))
}

const lineEnd = (words: string, count: number): number => {
  let at = -1
  for (let n = 0; n < count; n += 1) {
    at = words.indexOf('\n', at + 1)
    if (at < 0) return Number.POSITIVE_INFINITY
  }
  return at
}

/** Removes half surrogate pairs at both ends. */
const trimHalfPairs = (words: string): string => words.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
