/** A process that reads one document and ends. */
import { Worker } from 'node:worker_threads'
import { extract } from './extract.ts'
import type { DocumentFormat } from './formats.ts'
import type { Extracted, Limits } from './limits.ts'

export interface Task {
  readonly path: string
  readonly format: DocumentFormat
  readonly limits: Limits
}

export interface Answer {
  readonly extracted: Extracted
  /** Bytes of memory, at the most. */
  readonly peak: number
}

/**
 * A thread of its own, since the first one may never come back from a document. Bytes lie outside of the heap, so what counts is what the
 * whole process takes. Should nobody be left to end it, it ends itself.
 */
const watch = ({ memory, ms }: Limits): void => {
  const source = `
    const end = () => process.kill(process.pid, 'SIGKILL')
    setInterval(() => process.memoryUsage.rss() > ${memory} && end(), 20)
    setTimeout(end, ${2 * ms})`
  new Worker(source, { eval: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } })
}

const read = async ({ path, format, limits }: Task): Promise<void> => {
  watch(limits)
  const extracted = await extract(path, format, limits)
  process.send?.({ extracted, peak: process.resourceUsage().maxRSS * 1024 } satisfies Answer)
}

// A promise that a library forgot must not cost the words of a document that can be read.
process.on('unhandledRejection', () => {})
// A Ctrl-C reaches every process of the terminal; this one ends with the one that started it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit())
process.once('message', (task) => void read(task as Task))
