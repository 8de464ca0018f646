/**
 * German expressions: `\b` is a boundary of letters with umlauts and ß, and case is ignored. Use as a tag:
 * `` german`\bübermorgen\b` ``.
 */
const boundary =
  '(?:(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}]))'

export const toExpression = (source: string, flags = 'iu'): RegExp =>
  // Linear: the same as the source, and the texts are clauses of at most 1000 units.
  new RegExp(source.replaceAll('\\b', boundary), flags)

export const re = ({ raw }: TemplateStringsArray, ...parts: readonly string[]): RegExp =>
  toExpression(raw.map((text, n) => text + (parts[n] ?? '')).join(''))
