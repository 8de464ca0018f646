/** A process that looks into one document and ends. */

import { outlive, watch } from '../kit/memory-watch.ts'
import { extract } from './extract.ts'
import type { DocumentFormat } from './formats.ts'
import type { Extracted, Limits } from './limits.ts'
import { type Packed, packedIn } from './packed.ts'

export type Task =
  | {
      readonly kind: 'read'
      readonly path: string
      readonly format: DocumentFormat
      readonly limits: Limits
      /** Of plain text, as the user names it. */
      readonly encoding?: string
    }
  | { readonly kind: 'list'; readonly path: string; readonly limits: Limits }

export interface Answer {
  /** Of `read`. */
  readonly extracted?: Extracted
  /** Of `list`. */
  readonly packed?: Packed
  /** Bytes of memory, at the most. */
  readonly peak: number
}

const work = async (task: Task): Promise<void> => {
  const { path, limits } = task
  watch({ memory: limits.memory, ms: 2 * limits.ms })
  const found =
    task.kind === 'read'
      ? { extracted: await extract(path, task.format, limits, task.encoding) }
      : { packed: await packedIn(path, limits) }
  process.send?.({ ...found, peak: process.resourceUsage().maxRSS * 1024 } satisfies Answer)
}

outlive()
process.once('message', (task) => void work(task as Task))
