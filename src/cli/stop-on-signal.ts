/** Closes the process in order on SIGTERM and SIGINT. A second Ctrl-C ends it at once. */

/** In ms. npm forwards each Ctrl-C twice within 1 ms, so only a later second one counts. */
const repeatedSignalMs = 500
/** In ms. The process exits after this time, even if something hangs. */
const maxStopMs = 30_000

export const stopOnSignal = (close: () => Promise<void>, onError: (error: unknown) => void) => {
  let first = 0
  const stop = () => {
    const now = performance.now()
    if (first > 0) {
      if (now - first >= repeatedSignalMs) process.exit(1)
      return
    }
    first = now
    setTimeout(() => process.exit(1), maxStopMs).unref()
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        onError(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
