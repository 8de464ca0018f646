/** Cleans texts that others wrote. */

/** Returns one line without control characters. */
export const toLine = (value: unknown, maxUnits: number): string =>
  cutText(clean(value, maxUnits, /[\s\p{C}]+/gu, ' '), maxUnits)

/** Keeps line breaks. */
export const toParagraphs = (value: unknown, maxUnits: number): string =>
  cutText(clean(value, maxUnits, /[^\P{C}\n]+/gu, ' ').replace(/\n{3,}/g, '\n\n'), maxUnits)

const clean = (value: unknown, maxUnits: number, unwanted: RegExp, replacement: string): string =>
  typeof value === 'string'
    ? value
        .slice(0, maxUnits * 4)
        .toWellFormed()
        .replace(/\r\n?/g, '\n')
        .replace(unwanted, replacement)
        .trim()
    : ''

const cutText = (text: string, maxUnits: number): string =>
  text.length > maxUnits ? `${text.slice(0, maxUnits - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text
