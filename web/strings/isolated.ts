/** Names and words of others in a sentence of the page, whichever way they are written. */

/** Letters that run from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * As one of the isolates of Unicode's bidirectional algorithm: the words run their own way, and turn nothing
 * around that stands beside them.
 */
export const isolated = (words: string): string => (rightToLeft.test(words) ? `\u2068${words}\u2069` : words)

/** For what goes on as the name of somebody or of a file. */
export const withoutIsolates = (words: string): string => words.replace(/[\u2068\u2069]/g, '')

/** The same strings, each of whose sentences isolates what it is given. */
export const isolating = <T>(strings: T): T => isolatingIn(strings) as T

const isolatingIn = (value: unknown): unknown => {
  if (typeof value === 'function')
    return (...given: readonly unknown[]) =>
      value(...given.map((one) => (typeof one === 'string' ? isolated(one) : one)))
  if (Array.isArray(value)) return value.map(isolatingIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, isolatingIn(one)]))
}
