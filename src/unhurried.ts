/** Reading a long life without keeping everybody waiting. */
import { setImmediate } from 'node:timers/promises'
import type { Journal } from '../journal/journal.ts'

/** Milliseconds that others may have to wait for one who reads. */
const atOnce = 10

/** ⏱ A hundred thousand calls take five seconds of reading and checking. */
export async function* unhurried<T>(things: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  let since = performance.now()
  for await (const thing of things) {
    yield thing
    if (performance.now() - since < atOnce) continue
    await setImmediate()
    since = performance.now()
  }
}

/** A journal that is read so. */
export const unhurriedly = (journal: Journal): Pick<Journal, 'head' | 'read'> => ({
  head: journal.head,
  read: (range) => unhurried(journal.read(range)),
})
