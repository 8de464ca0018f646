/**
 * Processes that open what came from outside. ⏱ In a thread of the daemon, a heap that was full while an
 * array or a map had to grow ended the whole daemon (exit 134), whatever limits the thread had; a process
 * costs 60 ms and nobody else.
 */
import { fileURLToPath } from 'node:url'
import { createMark } from './processes/process-mark.ts'

/** Why nothing more is told: it took too much memory, too much time, or is gone. */
export type Lost = 'too_large' | 'too_long' | 'lost'

/** A process that is spoken to; `Told` is what it tells. */
export interface Apart<Told> {
  say(message: object): void
  /**
   * What it tells next, within so many milliseconds; one that does not is ended. Rejects with the signal's
   * reason, or when no process can be started.
   */
  next(ms: number): Promise<Told | Lost>
  /** Ends it, whatever it does; resolves when it is gone. Never rejects. */
  end(): Promise<void>
}

interface Start {
  /** Its module. */
  readonly file: URL
  /** Bytes of heap; what else it takes it watches itself. */
  readonly memory: number
  readonly signal: AbortSignal
}

/** What Node needs to start, nothing else of ours: no key that stands in the environment. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TZ']

/** Rejects with the signal's reason, where it is aborted already. */
export const startApart = async <Told>({ file, memory, signal }: Start): Promise<Apart<Told>> => {
  // Not loaded when the daemon starts, since most days nobody sends a file.
  const { fork } = await import('node:child_process')
  const { watchChild, watchMark } = await import('./processes/process-watcher.ts')
  const mark = await createMark(null)
  signal.throwIfAborted()
  const unwatch = watchMark(mark)
  const child = fork(fileURLToPath(file), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    // No string in a file becomes code there, whatever a library makes of it.
    execArgv: [
      ...process.execArgv,
      `--max-old-space-size=${Math.ceil(memory / 1024 / 1024)}`,
      '--disallow-code-generation-from-strings',
    ],
    env: {
      ...Object.fromEntries(
        passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
      ),
      ...mark?.env,
    },
  })
  watchChild(child, mark)
  const told: Told[] = []
  let over: { readonly lost: Lost } | { readonly error: unknown } | undefined
  let late = false
  let wake = () => {}
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  const gone = new Promise<void>((resolve) => {
    const finish = (why: NonNullable<typeof over>) => {
      over ??= signal.aborted ? { error: signal.reason } : why
      signal.removeEventListener('abort', kill)
      unwatch()
      wake()
      resolve()
    }
    child.on('error', (cause) => finish({ error: new Error('no process can be started', { cause }) }))
    child.on('exit', (code, killer) =>
      finish({ lost: late ? 'too_long' : killer || code === abortCode ? 'too_large' : 'lost' }),
    )
  })
  child.on('message', (message) => {
    told.push(message as Told)
    wake()
  })

  const next = async (ms: number): Promise<Told | Lost> => {
    const timer = setTimeout(() => {
      late = true
      kill()
    }, ms)
    try {
      while (told.length === 0 && !over)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    } finally {
      clearTimeout(timer)
    }
    const first = told.shift()
    if (first !== undefined) return first
    if (over && 'error' in over) throw over.error
    return over?.lost ?? 'lost'
  }
  return {
    // One that is gone before it heard is known by its exit.
    say: (message) => void child.send(message, () => {}),
    next,
    end: () => {
      kill()
      return gone
    },
  }
}

/**
 * How a heap that is full ends a process where there are no signals; elsewhere by one, as the kernel does
 * when memory runs out.
 */
const abortCode = 134
