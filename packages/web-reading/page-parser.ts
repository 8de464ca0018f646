/** A child process that extracts the text of one page and exits. */

import { decodePage } from '../documents/text-encoding.ts'
import { outlive, watch } from '../kit/memory-watch.ts'
import { type ReadPage, readArticle } from './read-article.ts'

export interface PageTask {
  readonly bytes: Uint8Array
  /** The media type from the server's response. */
  readonly type: string
  readonly kind: 'html' | 'text'
  readonly url: string
  /** Max memory in bytes. `ms`: max time in milliseconds. */
  readonly memory: number
  readonly ms: number
}

export interface ParsedPage extends ReadPage {
  /** Note about a guessed encoding, or null. */
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
