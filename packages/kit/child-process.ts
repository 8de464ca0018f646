/**
 * Child processes that open untrusted files. Measured: in a worker thread, a full heap while an array or a
 * map had to grow ended the whole daemon (exit code 134), despite the thread's limits. A process takes 60
 * ms to start.
 */
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createMark } from './processes/process-mark.ts'

/** Why the process gave no further answer: out of memory, timeout, or it ended. */
export type Lost = 'too_large' | 'too_long' | 'lost'

/** A running child process. `Told` is the type of its messages. */
export interface Apart<Told> {
  say(message: object): void
  /**
   * Returns the next message of the process. Kills it after `ms` without one. Rejects with the signal's
   * reason, or if no process can be started.
   */
  next(ms: number): Promise<Told | Lost>
  /** Kills the process and resolves when it has ended. Never rejects. */
  end(): Promise<void>
}

interface Start {
  /** Module to run. */
  readonly file: URL
  /** Max heap in bytes. The process limits its other memory itself (memory-watch.ts). */
  readonly memory: number
  readonly signal: AbortSignal
}

/** Variables that Node needs to start. No others are passed on, because the environment may hold keys. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TZ']

interface Fork {
  readonly file: URL
  readonly execArgv?: readonly string[]
  /** Passed on besides the variables that Node needs. */
  readonly env?: NodeJS.ProcessEnv
  readonly signal?: AbortSignal
}

/**
 * Starts a Node module as a process that does not outlive the daemon. Rejects with the signal's reason if it
 * is already aborted.
 */
export const forkProcess = async ({ file, execArgv = [], env, signal }: Fork): Promise<ChildProcess> => {
  // Loaded on first use, because most daemons receive no files for days.
  const { fork } = await import('node:child_process')
  const { watchChild, watchMark } = await import('./processes/process-watcher.ts')
  const mark = await createMark(null)
  signal?.throwIfAborted()
  const unwatch = watchMark(mark)
  const child = fork(fileURLToPath(file), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    execArgv: [...process.execArgv, ...execArgv],
    env: {
      ...Object.fromEntries(
        passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
      ),
      ...env,
      ...mark?.env,
    },
  })
  watchChild(child, mark)
  child.once('exit', unwatch)
  child.once('error', unwatch)
  return child
}

/** Starts a process. Rejects with the signal's reason if it is already aborted. */
export const startChildProcess = async <Told>({ file, memory, signal }: Start): Promise<Apart<Told>> => {
  const child = await forkProcess({
    file,
    signal,
    // Strings in a file must never be evaluated as code, even if a library tries to.
    execArgv: [
      `--max-old-space-size=${Math.ceil(memory / 1024 / 1024)}`,
      '--disallow-code-generation-from-strings',
    ],
  })
  const messages: Told[] = []
  let ending: { readonly lost: Lost } | { readonly error: unknown } | undefined
  let timedOut = false
  let wake = () => {}
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  if (signal.aborted) kill()
  const exit = new Promise<void>((resolve) => {
    const finish = (reason: NonNullable<typeof ending>) => {
      ending ??= signal.aborted ? { error: signal.reason } : reason
      signal.removeEventListener('abort', kill)
      wake()
      resolve()
    }
    child.on('error', (cause) => finish({ error: new Error('no process can be started', { cause }) }))
    child.on('exit', (code, killer) =>
      finish({ lost: timedOut ? 'too_long' : killer || code === abortCode ? 'too_large' : 'lost' }),
    )
  })
  child.on('message', (message) => {
    messages.push(message as Told)
    wake()
  })

  const next = async (ms: number): Promise<Told | Lost> => {
    const timer = setTimeout(() => {
      timedOut = true
      kill()
    }, ms)
    try {
      while (messages.length === 0 && !ending)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    } finally {
      clearTimeout(timer)
    }
    const first = messages.shift()
    if (first !== undefined) return first
    if (ending && 'error' in ending) throw ending.error
    return ending?.lost ?? 'lost'
  }
  return {
    // An error is ignored: the exit event reports that the process has ended.
    say: (message) => void child.send(message, () => {}),
    next,
    end: () => {
      kill()
      return exit
    },
  }
}

/**
 * Exit code of a process with a full heap on systems without signals. Elsewhere a signal ends it, as the
 * kernel does when memory runs out.
 */
const abortCode = 134
