/**
 * Loaded into a daemon by `NODE_OPTIONS=--import`: on SIGUSR2 it moves the clock by the number of ms in the
 * file `JUMPING_CLOCK`. Timers and `performance.now` are not affected, as when a system's clock is set.
 */
import { readFileSync } from 'node:fs'

const Real = Date
let ahead = 0

class Jumping extends Real {
  constructor(...args) {
    if (args.length === 0) super(Real.now() + ahead)
    else super(...args)
  }
  static now() {
    return Real.now() + ahead
  }
}
globalThis.Date = Jumping

process.on('SIGUSR2', () => {
  ahead = Number(readFileSync(process.env.JUMPING_CLOCK ?? '', 'utf8'))
})
