/** Lets long work yield to the event loop. */

/** Yields to the event loop. Rejects with the signal's reason if it has aborted meanwhile. */
export const yieldNow = async (signal?: AbortSignal): Promise<void> => {
  await new Promise<void>((resolve) => setImmediate(resolve))
  signal?.throwIfAborted()
}

/** Call it often: it yields to the event loop every few milliseconds, and else returns undefined. */
export type MaybeYield = () => Promise<void> | undefined

/** Max ms without yielding. */
const atOnce = 6

/** The returned function throws or rejects with the signal's reason after it aborts. */
export const createYielding = (signal?: AbortSignal): MaybeYield => {
  let sliceStart = performance.now()
  return () => {
    signal?.throwIfAborted()
    if (performance.now() - sliceStart < atOnce) return undefined
    return yieldNow(signal).then(() => {
      sliceStart = performance.now()
    })
  }
}

/**
 * Yields items and yields to the event loop in between. Measured: reading and checking a hundred thousand
 * model calls takes five seconds.
 */
export async function* yielding<T>(
  items: AsyncIterable<T> | Iterable<T>,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const maybeYield = createYielding(signal)
  for await (const item of items) {
    yield item
    await maybeYield()
  }
}
