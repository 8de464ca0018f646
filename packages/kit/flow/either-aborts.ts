/**
 * Work with a signal that aborts as soon as one of these does. Nothing stays at them once it has ended, where
 * `AbortSignal.any` would leave a few bytes at each for as long as that lives.
 */
export const eitherAborts = async <T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const either = new AbortController()
  const leaves = signals.map((signal) => {
    const abort = () => either.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    return () => signal.removeEventListener('abort', abort)
  })
  try {
    return await work(either.signal)
  } finally {
    for (const leave of leaves) leave()
  }
}
