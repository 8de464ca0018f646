/** A process that looks for the words of one page and ends. */

import { decodePage } from '../documents/text-encoding.ts'
import { outlive, watch } from '../kit/memory-watch.ts'
import { type ReadPage, readArticle } from './read-article.ts'

export interface PageTask {
  readonly bytes: Uint8Array
  /** The media type as the server named it. */
  readonly type: string
  readonly kind: 'html' | 'text'
  readonly url: string
  /** Bytes and milliseconds that it may take. */
  readonly memory: number
  readonly ms: number
}

export interface ParsedPage extends ReadPage {
  /** Of an encoding that was guessed. */
  readonly note: string | null
}

const work = async ({ bytes, type, kind, url, memory, ms }: PageTask): Promise<void> => {
  watch({ memory, ms: 2 * ms })
  const { text, note } = await decodePage(Buffer.from(bytes), type)
  const page = kind === 'html' ? readArticle(text, url) : { title: '', text: text.trim(), links: [] }
  process.send?.({ ...page, note } satisfies ParsedPage)
}

outlive()
process.once('message', (task) => void work(task as PageTask))
