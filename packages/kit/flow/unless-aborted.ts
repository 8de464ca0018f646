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
