/** The minutes of a day as a grid, and as a list of failures. */
import type { Shape } from '../shared/shapes.ts'

export type Uptime = Shape<'Diagnosis'>['uptime']
export type Minute = Uptime['rows'][number]['cells'][number]
export type Signal = Minute['signals'][number]
export type Look = 'served' | 'failed' | 'quiet'

export const getLook = ({ fault, tick }: Minute): Look => {
  if (fault) return 'failed'
  return tick ? 'served' : 'quiet'
}

/** Returns the SVG path of all squares of one look, in a drawing of 60 by 24. */
export const getLookPath = ({ rows }: Uptime, look: Look): string =>
  rows
    .flatMap(({ cells }, row) =>
      cells.flatMap((cell, n) => (getLook(cell) === look ? [`M${n + 0.08} ${row + 0.1}h.84v.8h-.84z`] : [])),
    )
    .join('')

export const countLook = ({ rows }: Uptime, look: Look): number =>
  rows.reduce((sum, { cells }) => sum + cells.filter((cell) => getLook(cell) === look).length, 0)

/** Consecutive minutes with a failure. */
export interface FailedRun {
  readonly from: string
  readonly to: string
  readonly providers: readonly string[]
  readonly signals: readonly Signal[]
}

export const failedRuns = ({ rows }: Uptime): readonly FailedRun[] => {
  const runs: FailedRun[] = []
  let open: FailedRun | undefined
  for (const cell of rows.flatMap(({ cells }) => cells)) {
    if (!cell.fault) {
      open = undefined
      continue
    }
    const next: FailedRun = {
      from: cell.at,
      to: open?.to ?? cell.at,
      providers: [...new Set([...(open?.providers ?? []), ...cell.providers])],
      signals: [...new Set([...(open?.signals ?? []), ...cell.signals])],
    }
    if (open) runs.pop()
    runs.push(next)
    open = next
  }
  return runs
}
