/** Work that takes long lets others have their turn. */

/** Others have their turn now. Rejects with the signal's reason where that aborted meanwhile. */
export const yieldNow = async (signal?: AbortSignal): Promise<void> => {
  await new Promise<void>((resolve) => setImmediate(resolve))
  signal?.throwIfAborted()
}

/** Called often; waits for whoever else wants to do something, every few milliseconds. */
export type MaybeYield = () => Promise<void> | undefined

/** Milliseconds that others may have to wait. */
const atOnce = 6

/** What it makes throws or rejects with the signal's reason once that aborts. */
export const createYielding = (signal?: AbortSignal): MaybeYield => {
  let since = performance.now()
  return () => {
    signal?.throwIfAborted()
    if (performance.now() - since < atOnce) return undefined
    return yieldNow(signal).then(() => {
      since = performance.now()
    })
  }
}

/** ⏱ A hundred thousand calls take five seconds of reading and checking. */
export async function* yielding<T>(
  things: AsyncIterable<T> | Iterable<T>,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const maybeYield = createYielding(signal)
  for await (const thing of things) {
    yield thing
    await maybeYield()
  }
}
