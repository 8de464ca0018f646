/**
 * Size of a test: full in `npm run ordeal`, a twentieth in `npm test`. Also prints its figures for the table
 * at the end of the run.
 */

export const whole = process.env.ORDEAL === 'whole'

/** Returns `full` in the ordeal, and a twentieth of it otherwise. */
export const sized = (full: number): number => (whole ? full : Math.ceil(full / 20))

/** Prints a row of the final table: the subject, and its sizes, figures and seed. Starts on a new line. */
export const tell = (what: string, ...figures: readonly string[]): void =>
  console.log(`\n· ${[what, ...figures].join(' | ')}`)
