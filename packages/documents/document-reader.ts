/** Entry of the child process that reads one document and exits. */

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
      /** Encoding of plain text, as named by the user. */
      readonly encoding?: string
    }
  | { readonly kind: 'list'; readonly path: string; readonly limits: Limits }

export interface Answer {
  /** Result of `read`. */
  readonly extracted?: Extracted
  /** Result of `list`. */
  readonly packed?: Packed
  /** Peak memory in bytes. */
  readonly peak: number
}

const work = async (task: Task): Promise<void> => {
  const { path, limits } = task
  watch({ memory: limits.memory, ms: 2 * limits.ms })
  const result =
    task.kind === 'read'
      ? { extracted: await extract(path, task.format, limits, task.encoding) }
      : { packed: await packedIn(path, limits) }
  process.send?.({ ...result, peak: process.resourceUsage().maxRSS * 1024 } satisfies Answer)
}

outlive()
process.once('message', (task) => void work(task as Task))
