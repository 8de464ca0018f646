/**
 * Runs work with a signal that aborts when one of `signals` does, and removes its listeners at the end.
 * `AbortSignal.any` would leak a few bytes per call while the source signals live.
 */
export const eitherAborts = async <T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  const leaves = signals.map((signal) => {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    return () => signal.removeEventListener('abort', abort)
  })
  try {
    return await work(controller.signal)
  } finally {
    for (const leave of leaves) leave()
  }
}
