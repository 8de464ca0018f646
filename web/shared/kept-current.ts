/** Keeps what a room shows as it is now: what is told of a persona's facts is asked for anew. */
import { hear } from './system-line.ts'

/** Milliseconds in which facts that come together are one. */
const together = 60

/** By id of who is being deleted, which is not asked after: whoever would have asked meanwhile. */
const putOff = new Map<string, Set<() => void>>()

/**
 * Until what it returns is called nobody asks after the persona; then those do who would have, if they shall.
 */
export const askNobody = (id: string): ((thenAsk: boolean) => void) => {
  const waiting = new Set<() => void>()
  putOff.set(id, waiting)
  return (thenAsk) => {
    putOff.delete(id)
    if (thenAsk) for (const ask of waiting) ask()
  }
}

/** Calls `ask` after such facts of the persona, and where some may have been missed, until it is stopped. */
export const keepCurrent = (id: string, facts: RegExp, ask: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const askNow = () => {
    const waiting = putOff.get(id)
    if (waiting) waiting.add(ask)
    else ask()
  }
  const stop = hear((frame) => {
    if (frame.type !== 'reset' && !(frame.of === id && facts.test(frame.fact))) return
    clearTimeout(timer)
    timer = setTimeout(askNow, together)
  })
  return () => {
    clearTimeout(timer)
    putOff.get(id)?.delete(ask)
    stop()
  }
}
