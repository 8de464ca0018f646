/** Opens the local runtime of a home. */
import { rm } from 'node:fs/promises'
import { freemem } from 'node:os'
import { join, resolve } from 'node:path'
import type { Log } from '../kit/log.ts'
import type { Clock } from '../kit/time/clock.ts'
import { type Mind, MindError } from '../models/mind.ts'
import { ModelError } from '../models/models.ts'
import { proveMind } from '../models/prove-mind.ts'
import { createLocalEmbedder, createLocalMind } from './local-mind.ts'
import type {
  InstallProgress,
  LoadedModel,
  LocalModelOptions,
  LocalRuntime,
  RuntimeState,
} from './local-runtime.ts'
import { createModelProcess, type ModelProcess } from './model-process.ts'
import {
  type InstallDeps,
  installRuntime,
  loadRuntimeLock,
  type RuntimeLock,
  readInstalled,
} from './runtime-install.ts'

export interface LocalRuntimeDeps {
  /** Created by the first install. */
  readonly folder: string
  readonly log: Log
  readonly clock: Clock
  /** Max context size in tokens, or null for the default. */
  readonly contextTokens: number | null
  /** Ms without a request after which the process of a model ends. */
  readonly idleMs?: number
  readonly env?: NodeJS.ProcessEnv
  /** The others are replaced by tests. */
  readonly lock?: RuntimeLock
  readonly runnerFile?: URL
}

const defaultContextTokens = 16_384
const defaultIdleMs = 10 * 60_000

/** The build defines the file in `dist/`. */
declare const MODEL_RUNNER: string | undefined
const defaultRunnerFile = new URL(
  typeof MODEL_RUNNER === 'string' ? MODEL_RUNNER : './model-runner.ts',
  import.meta.url,
)

/**
 * Reads which version is installed. If only an older one is, starts the installation of the pinned version: the
 * user has agreed to the first one.
 */
export const openLocalRuntime = async (deps: LocalRuntimeDeps): Promise<LocalRuntime> => {
  const { folder, log, clock, env = process.env, runnerFile = defaultRunnerFile } = deps
  const lock = deps.lock ?? (await loadRuntimeLock())
  const platform = `${process.platform}-${process.arch}`
  const installDeps: InstallDeps = { folder, lock, platform, execPath: process.execPath, env, clock }
  const { version } = lock
  const closing = new AbortController()
  const processes = new Map<string, ModelProcess>()
  const expectedBytes = lock.platforms[platform]?.bytes ?? null

  const [installed] = await readInstalled(installDeps)
  let state: RuntimeState = toFirstState(lock, platform)
  if (installed?.version === version)
    state = { phase: 'ready', version, bytes: installed.bytes, reason: null }

  // --- installation

  interface Installation {
    readonly done: Promise<void>
    readonly abort: AbortController
    readonly listeners: Set<(progress: InstallProgress) => void>
    callers: number
  }
  let installation: Installation | undefined

  const startInstallation = (): Installation => {
    const abort = new AbortController()
    const listeners: Installation['listeners'] = new Set()
    const before = state
    const run = async () => {
      state = { phase: 'installing', version, bytes: expectedBytes, reason: null }
      try {
        const { bytes } = await installRuntime(
          installDeps,
          (progress) => {
            for (const listener of listeners) listener(progress)
          },
          abort.signal,
        )
        state = { phase: 'ready', version, bytes, reason: null }
        log.info({}, `The local runtime ${version} is installed.`)
      } catch (error) {
        const reason = error instanceof ModelError ? error.message : null
        state = reason === null ? before : { phase: 'failed', version, bytes: expectedBytes, reason }
        throw error
      } finally {
        installation = undefined
      }
    }
    const started: Installation = { done: run(), abort, listeners, callers: 0 }
    installation = started
    // Each caller handles the error; none may be waiting.
    started.done.catch(() => undefined)
    return started
  }

  const install: LocalRuntime['install'] = async (onProgress, signal) => {
    signal.throwIfAborted()
    if (state.phase === 'ready') return
    if (state.phase === 'unsupported') throw new ModelError(state.reason ?? '', true)
    const current = installation ?? startInstallation()
    current.listeners.add(onProgress)
    current.callers++
    const leave = () => {
      // The last caller that leaves ends the installation.
      if (--current.callers === 0) current.abort.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      await current.done
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', leave)
      current.listeners.delete(onProgress)
    }
  }

  if (installed && state.phase === 'absent') {
    const upgrade = startInstallation()
    upgrade.callers++
    upgrade.done.catch((error: unknown) =>
      log.warn(
        { reason: error instanceof ModelError ? error.message : 'aborted' },
        'The local runtime was not upgraded.',
      ),
    )
  }

  /** Waits for an installation in progress. Throws `MindError` if the runtime is not installed. */
  const runtimeFolder = async (): Promise<string> => {
    await installation?.done.catch(() => undefined)
    if (state.phase === 'ready') return join(folder, version)
    const reason =
      state.reason ?? 'The local runtime is not installed. Install it under settings, or use Ollama.'
    throw new MindError('barred', reason, undefined, 0)
  }

  // --- processes

  const getProcess = (path: string, purpose: 'chat' | 'embedding'): ModelProcess => {
    const key = `${purpose} ${resolve(path)}`
    const known = processes.get(key)
    if (known) return known
    const created = createModelProcess({
      path: resolve(path),
      purpose,
      runtimeFolder,
      makeRoom: (bytes) => makeRoom(key, bytes),
      contextTokens: deps.contextTokens ?? defaultContextTokens,
      idleMs: deps.idleMs ?? defaultIdleMs,
      clock,
      log,
      file: runnerFile,
    })
    processes.set(key, created)
    return created
  }

  /** Ends models without requests, the oldest first, until the file fits into the free memory. */
  const makeRoom = async (key: string, bytes: number): Promise<void> => {
    if (closing.signal.aborted) throw new MindError('unreachable', 'The daemon is stopping.', undefined, 0)
    const idle = [...processes]
      .filter(([other, each]) => other !== key && each.isIdle() && each.status()?.phase === 'ready')
      .map(([, each]) => each)
      .sort((a, b) => (a.status()?.since ?? 0) - (b.status()?.since ?? 0))
    for (const each of idle) {
      if (freemem() > bytes * 1.2) return
      await each.end()
    }
  }

  const allOf = (path: string): readonly ModelProcess[] =>
    [...processes].flatMap(([key, each]) => (key.endsWith(` ${resolve(path)}`) ? [each] : []))

  const unload = async (path: string): Promise<void> => {
    await Promise.all(allOf(path).map((each) => each.end()))
    for (const key of [...processes.keys()]) if (key.endsWith(` ${resolve(path)}`)) processes.delete(key)
  }

  const endAll = () => Promise.all([...processes.values()].map((each) => each.end()))

  const createMind = (path: string, options: LocalModelOptions): Mind =>
    createLocalMind(() => getProcess(path, 'chat'), options)

  const prove: LocalRuntime['prove'] = async (path, options, signal) => {
    const current = getProcess(path, 'chat')
    current.forgive()
    // A key of its own, so that the cached prompts of personas stay.
    const proof = await proveMind(createMind(path, { ...options, cacheKey: 'proof' }), signal)
    return { ...proof, memoryBytes: current.status()?.memoryBytes ?? null }
  }

  const loaded = (): readonly LoadedModel[] => [...processes.values()].flatMap((each) => each.status() ?? [])

  return {
    state: () => state,
    install,
    remove: async () => {
      installation?.abort.abort(new ModelError('The local runtime was removed.'))
      await installation?.done.catch(() => undefined)
      await endAll()
      processes.clear()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
      state = toFirstState(lock, platform)
    },
    createMind,
    createEmbedder: (path, { model }) => createLocalEmbedder(() => getProcess(path, 'embedding'), model),
    load: (path, signal) => getProcess(path, 'chat').load(signal),
    prove,
    loaded,
    unload,
    close: async () => {
      closing.abort()
      installation?.abort.abort(new ModelError('The daemon is stopping.'))
      await installation?.done.catch(() => undefined)
      await endAll()
    },
  }
}

const toFirstState = ({ version, platforms }: RuntimeLock, platform: string): RuntimeState => {
  const bytes = platforms[platform]?.bytes ?? null
  if (bytes !== null) return { phase: 'absent', version, bytes, reason: null }
  const reason = `There is no build of the local runtime for this machine (${platform}). Use Ollama, or a provider.`
  return { phase: 'unsupported', version, bytes, reason }
}
