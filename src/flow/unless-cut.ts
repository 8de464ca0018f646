/** Rejects when the signal does: whatever the work hangs on, whoever waits for it is not held by it. */
export const unlessCut = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const cut = () => reject(asError(signal.reason))
    if (signal.aborted) cut()
    else signal.addEventListener('abort', cut, { once: true })
    // Also of what was cut before it began: nobody else hears that it failed.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cut))
  })

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
