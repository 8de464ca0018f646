/** Reads documents and detects their formats. Each document is processed in its own child process. */

import { type Apart, startChildProcess } from '../kit/child-process.ts'
import { createSemaphore } from '../kit/flow/keyed-pool.ts'
import type { Answer, Task } from './document-reader.ts'
import { type Sensed, senseFile } from './file-kind.ts'
import type { DocumentFormat } from './formats.ts'
import { createUnreadable, type Extracted, type Limits, usualLimits } from './limits.ts'
import type { Packed } from './packed.ts'

export interface Documents {
  /**
   * Detects the format by name and bytes. Rejects with disk errors, with the signal's reason, after `close`,
   * or if no process can be started.
   */
  sense(path: string, name: string, signal?: AbortSignal): Promise<Sensed>
  /**
   * Reads the text up to the limits. Rejects with the signal's reason, after `close`, or if no process can be
   * started. Never rejects because of the file's content.
   */
  read(path: string, format: DocumentFormat, signal?: AbortSignal): Promise<Extracted>
  /** Like `read`, for plain text in an encoding that the user names. An unknown name is ignored. */
  readText(path: string, encoding: string, signal?: AbortSignal): Promise<Extracted>
  /** Cancels running and queued reads. */
  close(): Promise<void>
}

export interface DocumentsOptions {
  readonly limits?: Partial<Limits>
  /** Max concurrent reads. The others wait. */
  readonly atOnce?: number
  /** Called after each read with its duration in ms and its memory in bytes. */
  readonly onRead?: (result: {
    readonly format: DocumentFormat
    readonly ms: number
    readonly peak: number
  }) => void
}

export const createDocuments = ({ limits, atOnce = 2, onRead }: DocumentsOptions = {}): Documents => {
  const all = { ...usualLimits, ...limits }
  const closing = new AbortController()
  const semaphore = createSemaphore(atOnce)
  const pendingTasks = new Set<Promise<void>>()

  /** Limits concurrency and registers the task so that `close` can cancel it. */
  const runLimited = async <T>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const anySignal = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
    const result = semaphore.run(async () => {
      anySignal.throwIfAborted()
      return work(anySignal)
    }, anySignal)
    const completion: Promise<void> = result.then(
      () => void pendingTasks.delete(completion),
      () => void pendingTasks.delete(completion),
    )
    pendingTasks.add(completion)
    return result
  }

  const read = async (task: ReadTask, signal: AbortSignal): Promise<Extracted> => {
    const { format } = task
    const startMs = performance.now()
    const answer = await runTask({ kind: 'read', ...task, limits: all }, signal)
    const { extracted = createUnreadable('lost'), peak } =
      typeof answer === 'string' ? { extracted: createUnreadable(answer), peak: 0 } : answer
    onRead?.({ format, ms: performance.now() - startMs, peak })
    return extracted
  }
  const listZip = async (path: string, signal: AbortSignal): Promise<Packed> => {
    const answer = await runTask({ kind: 'list', path, limits: all }, signal)
    return (typeof answer !== 'string' && answer.packed) || 'unlisted'
  }
  return {
    sense: (path, name, signal) =>
      senseFile(path, name, (zip) => runLimited(signal, (taskSignal) => listZip(zip, taskSignal))),
    read: (path, format, signal) => runLimited(signal, (taskSignal) => read({ path, format }, taskSignal)),
    readText: (path, encoding, signal) =>
      runLimited(signal, (taskSignal) => read({ path, format: 'text', encoding }, taskSignal)),
    close: async () => {
      closing.abort()
      await Promise.all(pendingTasks)
    },
  }
}

type ReadTask = Omit<Extract<Task, { kind: 'read' }>, 'kind' | 'limits'>

/** Path of the built reader, relative to this file. Defined by the build. */
declare const DOCUMENT_READER: string | undefined
const file = new URL(
  typeof DOCUMENT_READER === 'string' ? DOCUMENT_READER : './document-reader.ts',
  import.meta.url,
)

/** Rejects with the signal's reason, or if no process can be started. */
const runTask = async (task: Task, signal: AbortSignal): ReturnType<Apart<Answer>['next']> => {
  const reader = await startChildProcess<Answer>({ file, memory: task.limits.memory, signal })
  try {
    reader.say(task)
    return await reader.next(task.limits.ms)
  } finally {
    await reader.end()
  }
}
