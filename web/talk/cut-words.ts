/** What of long words is shown at first. */

/** UTF-16 units, and lines. */
const most = 20_000
const mostLines = 400

/** The beginning of it, cut between lines where one is near; whole where it is not long. */
export const beginningOf = (words: string): string => {
  const lines = lineEnd(words, mostLines)
  const end = Math.min(most, lines)
  if (words.length <= end) return words
  const near = words.lastIndexOf('\n', end)
  return whole(words.slice(0, near > end - 2_000 ? near : end))
}

/** The end of words that still grow. */
export const endingOf = (words: string): string => {
  if (words.length <= most) return words
  const start = words.length - most
  const near = words.indexOf('\n\n', start)
  return whole(words.slice(near > 0 && near < start + 2_000 ? near : start))
}

const lineEnd = (words: string, count: number): number => {
  let at = -1
  for (let n = 0; n < count; n += 1) {
    at = words.indexOf('\n', at + 1)
    if (at < 0) return Number.POSITIVE_INFINITY
  }
  return at
}

/** Without half a letter at its ends. */
const whole = (words: string): string => words.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
