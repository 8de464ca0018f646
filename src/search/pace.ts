/** Work that takes long lets others have their turn. */
import { setImmediate } from 'node:timers/promises'

/** Called often; waits for whoever else wants to do something, every few milliseconds. */
export type Pace = () => Promise<void> | undefined

/** Milliseconds that others may have to wait. */
const atOnce = 6

export const createPace = (): Pace => {
  let since = performance.now()
  return () => {
    if (performance.now() - since < atOnce) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}
