/** Limits how much of a long text is shown at first. */

/** Limits in UTF-16 units and in lines. */
const maxUnits = 20_000
const maxLines = 400

/**
 * Returns the start of a long text, cut at a line break if there is one near, or the whole of a short one.
 */
export const getStart = (text: string): string => {
  const lines = lineEnd(text, maxLines)
  const end = Math.min(maxUnits, lines)
  if (text.length <= end) return text
  const lineBreak = text.lastIndexOf('\n', end)
  return trimHalfPairs(text.slice(0, lineBreak > end - 2_000 ? lineBreak : end))
}

/** Returns the end of a text that is being streamed. */
export const getEnd = (text: string): string => {
  if (text.length <= maxUnits) return text
  const start = text.length - maxUnits
  const lineBreak = text.indexOf('\n\n', start)
  return trimHalfPairs(text.slice(lineBreak > 0 && lineBreak < start + 2_000 ? lineBreak : start))
}

const lineEnd = (text: string, count: number): number => {
  let index = -1
  for (let n = 0; n < count; n += 1) {
    index = text.indexOf('\n', index + 1)
    if (index < 0) return Number.POSITIVE_INFINITY
  }
  return index
}

/** Removes half surrogate pairs at both ends. */
const trimHalfPairs = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
