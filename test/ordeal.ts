/**
 * Size of a test: full in `npm run ordeal`, a small share in `npm test`. Also prints its figures for the
 * table at the end of the run.
 */

export const isWhole = process.env.ORDEAL === 'whole'

/** Returns `full` in the ordeal, and otherwise a part of it: by default a tenth. */
export const scaleSize = (full: number, divisor = 10): number => (isWhole ? full : Math.ceil(full / divisor))

/** Prints a row of the final table: the subject, and its sizes, figures and seed. Starts on a new line. */
export const printFigures = (subject: string, ...figures: readonly string[]): void =>
  console.log(`\n· ${[subject, ...figures].join(' | ')}`)
