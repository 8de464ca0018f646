/**
 * How hard a test tries: whole in `npm run ordeal`, a tenth of it in `npm test`; and what it tells of itself
 * at the end of the run.
 */

export const whole = process.env.ORDEAL === 'whole'

/** So many in the ordeal, a tenth of them otherwise. */
export const sized = (full: number): number => (whole ? full : Math.ceil(full / 10))

/**
 * A row of the table that the run ends with: what it was, and its sizes, figures and seed. On a line of its
 * own, whatever stands before it.
 */
export const tell = (what: string, ...figures: readonly string[]): void =>
  console.log(`\n· ${[what, ...figures].join(' | ')}`)
