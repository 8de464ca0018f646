/** Work that takes long lets others have their turn. */
import type { Journal } from '../../journal/log/journal.ts'

/** Called often; waits for whoever else wants to do something, every few milliseconds. */
export type Pace = () => Promise<void> | undefined

/** Milliseconds that others may have to wait. */
const atOnce = 6

export const createPace = (): Pace => {
  let since = performance.now()
  return () => {
    if (performance.now() - since < atOnce) return undefined
    return new Promise(setImmediate).then(() => {
      since = performance.now()
    })
  }
}

/** ⏱ A hundred thousand calls take five seconds of reading and checking. */
export async function* unhurried<T>(things: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  const pace = createPace()
  for await (const thing of things) {
    yield thing
    await pace()
  }
}

/** A journal that is read so. */
export const unhurriedly = (journal: Journal): Pick<Journal, 'head' | 'read'> => ({
  head: journal.head,
  read: (range) => unhurried(journal.read(range)),
})
