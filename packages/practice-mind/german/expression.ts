/**
 * German expressions: `\b` is a boundary of letters with umlauts and ß, case is ignored, and a group repeats
 * six times at most. An unlimited repetition of words that the next group can match as well takes polynomial
 * or exponential time.
 */

const boundary = '(?:(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}]))'

export const toExpression = (source: string, flags = 'iu'): RegExp =>
  // Linear: repetitions are limited, and the texts are clauses of at most 1000 units.
  new RegExp(source.replaceAll('\\b', boundary).replaceAll(')*', '){0,6}').replaceAll(')+', '){1,6}'), flags)

export const re = ({ raw }: TemplateStringsArray, ...parts: readonly string[]): RegExp =>
  toExpression(raw.map((text, n) => text + (parts[n] ?? '')).join(''))

/** The same expression for all matches, for `replace` and `matchAll`. */
export const everywhere = ({ source }: RegExp): RegExp =>
  // Linear: the same as the expression.
  new RegExp(source, 'giu')
