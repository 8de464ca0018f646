/** A process that looks for the words of one page and ends. */
import { outlive, watch } from '../documents/watch.ts'
import { type ReadPage, readArticle } from './read-article.ts'

export interface PageTask {
  readonly html: string
  readonly url: string
  /** Bytes and milliseconds that it may take. */
  readonly memory: number
  readonly ms: number
}

const work = ({ html, url, memory, ms }: PageTask): void => {
  watch({ memory, ms: 2 * ms })
  process.send?.(readArticle(html, url) satisfies ReadPage)
}

outlive()
process.once('message', (task) => work(task as PageTask))
