/**
 * Isolates inserted names and texts, so that their writing direction does not reorder the sentence around
 * them.
 */

/** Right-to-left letters. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Wraps text with right-to-left letters in a first-strong isolate of Unicode's bidirectional algorithm. */
export const isolated = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text)

/** For text that is used as the name of a persona or a file. */
export const withoutIsolates = (text: string): string => text.replace(/[\u2068\u2069]/g, '')

/** Returns the same strings. Sentences with arguments isolate them. */
export const isolating = <T>(strings: T): T => isolatingIn(strings) as T

const isolatingIn = (value: unknown): unknown => {
  if (typeof value === 'function')
    return (...args: readonly unknown[]) =>
      value(...args.map((arg) => (typeof arg === 'string' ? isolated(arg) : arg)))
  if (Array.isArray(value)) return value.map(isolatingIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, isolatingIn(one)]))
}
