/**
 * Rejects with the signal's reason once that aborts: whatever the work hangs on, whoever waits for it is not
 * held by it.
 */
export const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = () => reject(asError(signal.reason))
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    // Also of what was aborted before it began: nobody else hears that it failed.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
