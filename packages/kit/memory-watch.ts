/**
 * Limits that a child process for untrusted files enforces on itself, even if its main thread hangs or its
 * parent has ended.
 */
import { Worker } from 'node:worker_threads'

interface Bounds {
  /** Max resident memory in bytes. */
  readonly memory: number
  /** Max run time in ms; unlimited by default. */
  readonly ms?: number
}

/**
 * Kills the process when it exceeds a limit or its parent has ended. Uses a thread, because the main thread
 * may hang in a file. Checks the whole process, because buffers are outside the heap.
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

/** Keeps the process running until its parent disconnects. */
export const outlive = (): void => {
  // A library's unhandled rejection must not end the process while it can still read the file.
  process.on('unhandledRejection', () => {})
  // Ctrl-C reaches every process of the terminal. This one must end only when its parent disconnects.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.once('disconnect', () => process.exit())
}
