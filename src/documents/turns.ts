/** So many at once, the others in their order. */

export interface Turns {
  /** Resolves to what ends the turn. Rejects with the signal's reason, and has no turn then. */
  take(signal: AbortSignal): Promise<() => void>
}

export const createTurns = (atOnce: number): Turns => {
  const waiting: (() => void)[] = []
  let free = atOnce
  const done = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  const take = (signal: AbortSignal) =>
    new Promise<() => void>((resolve, reject) => {
      signal.throwIfAborted()
      if (free > 0) {
        free--
        return resolve(done)
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(signal.reason as Error)
      }
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve(done)
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(begin)
    })
  return { take }
}
