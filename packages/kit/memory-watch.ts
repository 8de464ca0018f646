/**
 * What a process that opens a file from outside sees to by itself, whatever becomes of its first thread and
 * of whoever started it.
 */
import { Worker } from 'node:worker_threads'

interface Bounds {
  /** Bytes of memory. */
  readonly memory: number
  /** Milliseconds, should nobody be left to end it; as long as it takes where none are given. */
  readonly ms?: number
}

/**
 * A thread of its own, since the first one may never come back from a file. Bytes lie outside of the heap, so
 * what counts is what the whole process takes.
 */
export const watch = ({ memory, ms }: Bounds): void => {
  const source = `
    const end = () => process.kill(process.pid, 'SIGKILL')
    setInterval(() => (process.memoryUsage.rss() > ${memory} || process.ppid !== ${process.ppid}) && end(), 20)
    ${ms === undefined ? '' : `setTimeout(end, ${ms})`}`
  new Worker(source, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
}

/** Ends with whoever started it, and not before. */
export const outlive = (): void => {
  // A promise that a library forgot must not cost what can be read.
  process.on('unhandledRejection', () => {})
  // A Ctrl-C reaches every process of the terminal; this one ends with the one that started it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.once('disconnect', () => process.exit())
}
