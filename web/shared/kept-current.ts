/** Keeps what a room shows as it is now: what is told of a persona's facts is asked for anew. */
import { hear } from './system-line.ts'

/** Milliseconds in which facts that come together are one. */
const together = 60

/** Calls `ask` after such facts of the persona, and where some may have been missed, until it is stopped. */
export const keepCurrent = (id: string, facts: RegExp, ask: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = hear((frame) => {
    if (frame.type !== 'reset' && !(frame.of === id && facts.test(frame.fact))) return
    clearTimeout(timer)
    timer = setTimeout(ask, together)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}
