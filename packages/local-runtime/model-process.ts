/**
 * The process that runs one model file: started on first use, ended after an idle time, restarted after a
 * crash. A file that ended its process twice is not loaded again until it changes.
 */
import type { ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { forkProcess } from '../kit/child-process.ts'
import { unlessAborted } from '../kit/flow/abort-signals.ts'
import { pauseAfter } from '../kit/flow/backoff.ts'
import type { Log } from '../kit/log.ts'
import type { Clock } from '../kit/time/clock.ts'
import { MindError } from '../models/mind.ts'
import type { LoadedModel } from './local-runtime.ts'
import { type ModelOrder, ModelReport, type Reply } from './model-protocol.ts'
import type { RuntimePlace } from './runtime-state.ts'

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never
export type Request = DistributiveOmit<Extract<ModelOrder, { readonly type: 'chat' | 'embed' }>, 'id'>

export interface ModelProcess {
  /**
   * Yields the replies to a request. The last one is `end` or `vectors`. Throws `MindError`, or the signal's
   * reason. When the consumer stops early, the request is aborted.
   */
  request(request: Request, signal: AbortSignal): AsyncGenerator<Reply, void, undefined>
  /** Loads the model if necessary. */
  load(signal: AbortSignal): Promise<LoadedModel>
  /** Null if no process runs and the model is not broken. */
  status(): LoadedModel | null
  /** Returns false while requests are pending or the model is loaded. */
  isIdle(): boolean
  /** Forgets former crashes. */
  forgive(): void
  /** Ends the process. Pending requests fail. */
  end(): Promise<void>
}

export interface ModelProcessDeps {
  readonly path: string
  readonly purpose: 'chat' | 'embedding'
  readonly getRuntime: () => Promise<RuntimePlace>
  /** Called before a start, to end other processes if memory is short. */
  readonly makeRoom: (bytes: number) => Promise<void>
  readonly contextTokens: number
  readonly idleMs: number
  readonly clock: Clock
  readonly log: Log
  /** Module of the process. Tests replace it. */
  readonly file: URL
}

/** Crashes without a complete answer between them. */
const maxCrashes = 2

/** A longer time means forever. Node's timers do not wait longer. */
const maxTimerMs = 2 ** 31 - 1

/** A large model on a slow disk. */
const openTimeoutMs = 10 * 60_000

interface Running {
  readonly child: ChildProcess
  readonly replies: Map<number, ReplyQueue>
  readonly exited: Promise<void>
  readonly since: number
  contextTokens: number | null
  gpu: LoadedModel['gpu']
  memoryBytes: number | null
  isEnding: boolean
}

export const createModelProcess = (deps: ModelProcessDeps): ModelProcess => {
  const { path, clock, log } = deps
  const name = basename(path)
  let runningModel: Running | undefined
  let opening: Promise<Running> | undefined
  let idleTimer: AbortController | undefined
  let idleUntil: number | null = null
  let nextId = 1
  let waitingCount = 0
  /** Number of calls of `end`, which also cancels a start in progress. */
  let endCount = 0
  let crashes = { count: 0, at: 0, reason: '', stamp: '' }

  const open = async (): Promise<Running> => {
    const endCountBefore = endCount
    const stamp = await readStamp(path)
    if (crashes.stamp !== stamp) crashes = { count: 0, at: 0, reason: '', stamp }
    if (crashes.count >= maxCrashes) throw new MindError('barred', crashes.reason)
    const pauseMs = pauseAfter(crashes.count) - (clock.now() - crashes.at)
    if (crashes.count > 0 && pauseMs > 0) await clock.wait(Math.min(pauseMs, pauseAfter(crashes.count)))
    const runtime = await deps.getRuntime()
    await deps.makeRoom(Number(stamp.split(' ')[0]))
    if (endCount !== endCountBefore) throw endedError(name)
    return start(runtime)
  }

  const start = async ({ folder: runtime, gpu }: RuntimePlace): Promise<Running> => {
    const child = await forkProcess({ file: deps.file })
    const reportQueue = createReplyQueue<ModelReport>()
    let markExited = () => {}
    const current: Running = {
      child,
      replies: new Map(),
      exited: new Promise((resolve) => {
        markExited = resolve
      }),
      since: clock.now(),
      contextTokens: null,
      gpu: null,
      memoryBytes: null,
      isEnding: false,
    }
    runningModel = current
    const finish = (ending: string) => {
      if (runningModel === current) runningModel = undefined
      const error = current.isEnding ? endedError(name) : fail(current, ending)
      reportQueue.fail(error)
      for (const queue of current.replies.values()) queue.fail(error)
      current.replies.clear()
      markExited()
    }
    child.once('error', () => finish('it could not be started'))
    child.once('exit', (code, signal) => finish(signal ?? `exit ${code}`))
    child.on('message', (message) => {
      const { data: report } = ModelReport.safeParse(message)
      if (!report) return void child.kill('SIGKILL')
      if ('memoryBytes' in report) current.memoryBytes = report.memoryBytes
      if (!('id' in report)) return reportQueue.push(report)
      if (report.type === 'end' || report.type === 'vectors') crashes = { ...crashes, count: 0 }
      current.replies.get(report.id)?.push(report)
    })
    const { purpose, contextTokens } = deps
    send(current, { type: 'open', runtime, gpu, model: path, purpose, contextTokens })
    const timeout = setTimeout(() => child.kill('SIGKILL'), openTimeoutMs)
    try {
      const report = await reportQueue.next()
      if (report.type === 'unopened') throw new MindError(report.kind, report.message)
      if (report.type !== 'opened') throw new MindError('unreachable', `"${name}" answered out of turn.`)
      current.contextTokens = report.contextTokens
      current.gpu = report.gpu
      log.info({ ms: clock.now() - current.since }, `The local model ${name} is loaded.`)
      return current
    } catch (error) {
      await endProcess(current)
      throw error
    } finally {
      clearTimeout(timeout)
    }
  }

  /** Records a crash. Returns the error of the pending requests. */
  const fail = (current: Running, ending: string): MindError => {
    const isLoaded = current.contextTokens !== null
    const event = isLoaded ? 'during an answer' : 'while the file was loaded'
    const cause = ending === 'SIGKILL' && isLoaded ? causes.memory : isLoaded ? '' : causes.damage
    const sentence = `The process of the local model "${name}" ended ${event} (${ending}).${cause}`
    // Nothing was asked: the next request starts it again.
    if (isLoaded && current.replies.size === 0) return new MindError('unreachable', sentence)
    crashes = { ...crashes, count: crashes.count + 1, at: clock.now(), reason: sentence }
    log.warn(
      { reason: ending, count: crashes.count },
      `The process of the local model ${name} ended ${event}.`,
    )
    if (crashes.count < maxCrashes) return new MindError('unreachable', sentence)
    crashes = { ...crashes, reason: `${sentence} ${causes.broken}` }
    return new MindError('barred', crashes.reason)
  }

  const ensureOpen = (): Promise<Running> => {
    if (runningModel?.contextTokens && !runningModel.isEnding) return Promise.resolve(runningModel)
    opening ??= (async () => {
      await runningModel?.exited
      return open()
    })().finally(() => {
      opening = undefined
      startIdleTimer()
    })
    return opening
  }

  /** Waits for the process. An abort ends only the waiting. */
  const waitUntilOpen = async (signal: AbortSignal): Promise<Running> => {
    signal.throwIfAborted()
    stopIdleTimer()
    waitingCount++
    try {
      return await unlessAborted(ensureOpen(), signal)
    } finally {
      waitingCount--
      startIdleTimer()
    }
  }

  const stopIdleTimer = () => {
    idleTimer?.abort()
    idleTimer = undefined
    idleUntil = null
  }

  const startIdleTimer = () => {
    const current = runningModel
    const isBusy = !current || waitingCount > 0 || current.replies.size > 0
    if (isBusy || deps.idleMs > maxTimerMs) return
    stopIdleTimer()
    const timer = new AbortController()
    idleTimer = timer
    idleUntil = clock.now() + deps.idleMs
    void clock.wait(deps.idleMs, timer.signal).then(() => {
      if (!timer.signal.aborted) void endProcess(current)
    })
  }

  async function* request(order: Request, signal: AbortSignal): AsyncGenerator<Reply, void, undefined> {
    const current = await waitUntilOpen(signal)
    const id = nextId++
    const queue = createReplyQueue<Reply>()
    const abort = () => queue.fail(signal.reason)
    let isComplete = false
    if (current.isEnding || current.child.exitCode !== null) throw endedError(name)
    stopIdleTimer()
    current.replies.set(id, queue)
    signal.addEventListener('abort', abort, { once: true })
    try {
      send(current, { ...order, id })
      while (!isComplete) {
        const reply = await queue.next()
        isComplete = reply.type === 'end' || reply.type === 'vectors' || reply.type === 'failed'
        if (reply.type === 'failed') throw new MindError(reply.kind, reply.message)
        yield reply
      }
    } finally {
      signal.removeEventListener('abort', abort)
      if (current.replies.delete(id) && !isComplete) send(current, { type: 'abort', id })
      startIdleTimer()
    }
  }

  const status = (): LoadedModel | null => {
    if (runningModel && !runningModel.isEnding) {
      const { child, contextTokens, gpu, memoryBytes, since } = runningModel
      const phase = contextTokens === null ? 'starting' : 'ready'
      const pid = child.pid ?? null
      return { path, phase, pid, memoryBytes, contextTokens, gpu, since, idleUntil, reason: null }
    }
    if (crashes.count < maxCrashes) return null
    const { at: crashedAt, reason } = crashes
    return { ...notRunning, path, since: crashedAt, reason }
  }

  return {
    request,
    load: async (signal) => {
      await waitUntilOpen(signal)
      const loadedModel = status()
      if (loadedModel) return loadedModel
      throw endedError(name)
    },
    status,
    isIdle: () => waitingCount === 0 && opening === undefined && (runningModel?.replies.size ?? 0) === 0,
    forgive: () => {
      crashes = { ...crashes, count: 0 }
    },
    end: async () => {
      endCount++
      stopIdleTimer()
      if (runningModel) await endProcess(runningModel)
    },
  }
}

const notRunning = {
  phase: 'broken',
  pid: null,
  memoryBytes: null,
  contextTokens: null,
  gpu: null,
  idleUntil: null,
} as const

const causes = {
  memory: ' The system does this when memory runs out: choose a smaller model, or close other programs.',
  damage: ' The file may be damaged: download it again.',
  broken: 'It is not used any more until its file changes or you test it again.',
}

const endedError = (name: string) =>
  new MindError('unreachable', `The process of the local model "${name}" was ended. Try again.`)

const endProcess = async (current: Running): Promise<void> => {
  current.isEnding = true
  // SIGKILL, because llama.cpp may be in the middle of a computation that ignores other signals.
  current.child.kill('SIGKILL')
  await current.exited
}

/** An error is ignored: the exit event reports that the process has ended. */
const send = ({ child }: Running, order: ModelOrder): void => {
  if (child.connected) child.send(order, () => {})
}

/** Returns size and time of the file. Throws `MindError` if it does not exist. */
const readStamp = async (path: string): Promise<string> => {
  try {
    const { size, mtimeMs } = await stat(path)
    return `${size} ${mtimeMs}`
  } catch {
    const message = `The model file "${basename(path)}" cannot be read. Download it again, or choose another model.`
    throw new MindError('barred', message, { calls: 0 })
  }
}

interface ReplyQueue<T = Reply> {
  push(reply: T): void
  /** The next call of `next` rejects, also if replies are left. */
  fail(error: unknown): void
  next(): Promise<T>
}

const createReplyQueue = <T>(): ReplyQueue<T> => {
  const replies: T[] = []
  let failure: { readonly error: unknown } | undefined
  let wake = () => {}
  return {
    push: (reply) => {
      replies.push(reply)
      wake()
    },
    fail: (error) => {
      failure ??= { error }
      wake()
    },
    next: async () => {
      for (;;) {
        if (failure) throw failure.error
        const reply = replies.shift()
        if (reply !== undefined) return reply
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
