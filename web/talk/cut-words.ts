/** Limits how much of a long text is shown at first. */

/** Limits in UTF-16 units and in lines. */
const most = 20_000
const mostLines = 400

/**
 * Returns the start of a long text, cut at a line break if there is one near, or the whole of a short one.
 */
export const beginningOf = (words: string): string => {
  const lines = lineEnd(words, mostLines)
  const end = Math.min(most, lines)
  if (words.length <= end) return words
  const near = words.lastIndexOf('\n', end)
  return whole(words.slice(0, near > end - 2_000 ? near : end))
}

/** Returns the end of a text that is being streamed. */
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

/** Removes half surrogate pairs at both ends. */
const whole = (words: string): string => words.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
