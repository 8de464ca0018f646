/**
 * Runs work with a signal that aborts when one of `signals` does, and removes its listeners at the end.
 * `AbortSignal.any` would leak a few bytes per call while the source signals live.
 */
export const eitherAborts = async <T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  const removers = signals.map((signal) => {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    return () => signal.removeEventListener('abort', abort)
  })
  try {
    return await work(controller.signal)
  } finally {
    for (const leave of removers) leave()
  }
}

/** Waits for work, but rejects with the signal's reason as soon as it aborts. */
export const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = () => reject(asError(signal.reason))
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    // Also handles the rejection if the signal was already aborted, which would otherwise be unhandled.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
