/**
 * What documents say. Each is read in a process of its own: ⏱ in a thread of the daemon, a heap that was full while an array or a map
 * had to grow ended the whole daemon (exit 134), whatever limits the thread had; a process costs 60 ms and nobody else.
 */
import { fileURLToPath } from 'node:url'
import type { DocumentFormat } from './formats.ts'
import { type Extracted, type Limits, refused, usualLimits } from './limits.ts'
import type { Answer, Task } from './reader.ts'
import { type Sensed, senseOf } from './sense.ts'

export interface Documents {
  /** By its name and its bytes. Rejects when the disk does. */
  sense(path: string, name: string): Promise<Sensed>
  /** All its words, as far as the limits go. Rejects with the signal's reason, when closed, or when no process can be started: never for what is in the file. */
  read(path: string, format: DocumentFormat, signal?: AbortSignal): Promise<Extracted>
  /** Ends what is being read, and what would be. */
  close(): Promise<void>
}

export interface DocumentsOptions {
  readonly limits?: Partial<Limits>
  /** How many are read at once; the others wait. */
  readonly atOnce?: number
  /** Hears what each reading took: milliseconds, bytes of memory. */
  readonly onRead?: (took: { readonly format: DocumentFormat; readonly ms: number; readonly peak: number }) => void
}

export const createDocuments = ({ limits, atOnce = 2, onRead }: DocumentsOptions = {}): Documents => {
  const all = { ...usualLimits, ...limits }
  const closing = new AbortController()
  const turns = createTurns(atOnce)
  const underWay = new Set<Promise<void>>()

  const read = async (path: string, format: DocumentFormat, signal: AbortSignal): Promise<Extracted> => {
    const done = await turns.take(signal)
    try {
      signal.throwIfAborted()
      const began = performance.now()
      const { extracted, peak } = await ask({ path, format, limits: all }, signal)
      onRead?.({ format, ms: performance.now() - began, peak })
      return extracted
    } finally {
      done()
    }
  }
  return {
    sense: senseOf,
    read: (path, format, signal) => {
      const reading = read(path, format, signal ? AbortSignal.any([signal, closing.signal]) : closing.signal)
      const ended: Promise<void> = reading.then(
        () => void underWay.delete(ended),
        () => void underWay.delete(ended),
      )
      underWay.add(ended)
      return reading
    },
    close: async () => {
      closing.abort()
      await Promise.all(underWay)
    },
  }
}

interface Turns {
  /** Resolves to what ends the turn. Rejects with the signal's reason, and has no turn then. */
  take(signal: AbortSignal): Promise<() => void>
}

const createTurns = (atOnce: number): Turns => {
  const waiting: (() => void)[] = []
  let free = atOnce
  const done = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  const take = (signal: AbortSignal) =>
    new Promise<() => void>((resolve, reject) => {
      signal.throwIfAborted()
      if (free > 0) {
        free--
        return resolve(done)
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(signal.reason as Error)
      }
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve(done)
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(begin)
    })
  return { take }
}

/** Where a build has put `reader.ts`, seen from here; told by the build. */
declare const DOCUMENT_READER: string | undefined
const reader = new URL(typeof DOCUMENT_READER === 'string' ? DOCUMENT_READER : './reader.ts', import.meta.url)

/** What Node needs to start, nothing else of ours: no key that stands in the environment. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TZ']

/** Rejects with the signal's reason, or when no process can be started. */
const ask = async (task: Task, signal: AbortSignal): Promise<Answer> => {
  // Not loaded when the daemon starts, since most days nobody sends a document.
  const { fork } = await import('node:child_process')
  signal.throwIfAborted()
  const child = fork(fileURLToPath(reader), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    execArgv: [...process.execArgv, `--max-old-space-size=${Math.ceil(task.limits.memory / 1024 / 1024)}`],
    env: Object.fromEntries(passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  })
  return new Promise((resolve, reject) => {
    let answer: Answer | undefined

    const end = (extracted: Extracted, peak = 0) => {
      answer ??= { extracted, peak }
      child.kill('SIGKILL')
    }
    const abort = () => child.kill('SIGKILL')
    const leave = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    const timer = setTimeout(() => end(refused('too_long')), task.limits.ms)
    signal.addEventListener('abort', abort)
    child.on('message', (message) => {
      const { extracted, peak } = message as Answer
      end(extracted, peak)
    })
    child.on('error', (error) => {
      leave()
      reject(error)
    })
    child.on('exit', (code, killer) => {
      leave()
      if (signal.aborted) return reject(signal.reason as Error)
      resolve(answer ?? { extracted: refused(killer || code === abortCode ? 'too_large' : 'lost'), peak: 0 })
    })
    // One that is gone before it heard its task is known by its exit.
    child.send(task, () => {})
  })
}

/** How a heap that is full ends a process where there are no signals; elsewhere by one, as the kernel does when memory runs out. */
const abortCode = 134
