/** Opens the local runtime of a home. */
import { freemem } from 'node:os'
import { resolve } from 'node:path'
import type { Log } from '../kit/log.ts'
import type { Clock } from '../kit/time/clock.ts'
import { MindError } from '../models/mind.ts'
import type { RuntimePackages } from './installed-runtime.ts'
import type { LocalRuntime } from './local-runtime.ts'
import type { ModelProcess, ModelProcessDeps } from './model-process.ts'
import type { RuntimeLock } from './runtime-install.ts'
import runtimePackages from './runtime-platforms.json' with { type: 'json' }
import { openInstalledRuntime } from './runtime-state.ts'

export interface LocalRuntimeDeps {
  /** Created by the first install. */
  readonly folder: string
  readonly log: Log
  readonly clock: Clock
  /** Max context size in tokens, or null for the default. */
  readonly contextTokens: number | null
  /** Ms without a request after which the process of a model ends. Default: 10 minutes. */
  readonly idleMs?: number
  readonly env?: NodeJS.ProcessEnv
  /** The others are replaced by tests. */
  readonly packages?: RuntimePackages
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

export const openLocalRuntime = async (deps: LocalRuntimeDeps): Promise<LocalRuntime> => {
  const { folder, log, clock, env = process.env, packages = runtimePackages, lock } = deps
  const installedRuntime = await openInstalledRuntime({ folder, packages, lock, env, clock, log })
  const { getProcess, ...processes } = createProcesses({
    getRuntime: installedRuntime.getPlace,
    contextTokens: deps.contextTokens ?? defaultContextTokens,
    idleMs: deps.idleMs ?? defaultIdleMs,
    clock,
    log,
    file: deps.runnerFile ?? defaultRunnerFile,
  })

  // Loaded on first use, because most daemons have no local runtime.
  const createMind: LocalRuntime['createMind'] = (path, options) => ({
    async *think(prompt, signal) {
      const { createLocalMind } = await import('./local-mind.ts')
      const process = await getProcess(path, 'chat')
      yield* createLocalMind(process, options).think(prompt, signal)
    },
  })

  const createEmbedder: LocalRuntime['createEmbedder'] = (path, { model }) => ({
    name: `local/${model}`,
    embed: async (texts, purpose, signal) => {
      const { embedLocally } = await import('./local-mind.ts')
      return embedLocally({ process: await getProcess(path, 'embedding'), model }, texts, purpose, signal)
    },
    close: async () => undefined,
  })

  return {
    state: installedRuntime.state,
    install: async (onProgress, signal, gpu) => {
      const { phase, gpu: previousGpu } = installedRuntime.state()
      // Started first, so that a model that is opened meanwhile waits.
      const installation = installedRuntime.install(onProgress, signal, gpu)
      if (phase === 'ready' && gpu !== undefined && gpu !== previousGpu) await processes.endAll()
      await installation
    },
    remove: async () => {
      await installedRuntime.cancel('The local runtime was removed.')
      await processes.endAll()
      await installedRuntime.remove()
    },
    createMind,
    createEmbedder,
    load: async (path, signal) => (await getProcess(path, 'chat')).load(signal),
    forgive: processes.forgive,
    loaded: processes.loaded,
    unload: processes.unload,
    close: async () => {
      processes.close()
      await installedRuntime.cancel('The daemon is stopping.')
      await processes.endAll()
    },
  }
}

/** One process per file and purpose. */
const createProcesses = (deps: Omit<ModelProcessDeps, 'path' | 'purpose' | 'makeRoom'>) => {
  const processes = new Map<string, ModelProcess>()
  let isClosed = false

  const getProcess = async (path: string, purpose: ModelProcessDeps['purpose']): Promise<ModelProcess> => {
    const { createModelProcess } = await import('./model-process.ts')
    const file = resolve(path)
    const key = `${purpose} ${file}`
    const knownProcess = processes.get(key)
    if (knownProcess) return knownProcess
    const makeRoom = (bytes: number) => makeRoomFor(key, bytes)
    const created = createModelProcess({ ...deps, path: file, purpose, makeRoom })
    processes.set(key, created)
    return created
  }

  /** Ends models without requests, the oldest first, until the file fits into the free memory. */
  const makeRoomFor = async (key: string, bytes: number): Promise<void> => {
    if (isClosed) throw new MindError('unreachable', 'The daemon is stopping.', { calls: 0 })
    const idle = [...processes]
      .filter(([other, process]) => other !== key && process.isIdle() && process.status()?.phase === 'ready')
      .map(([, process]) => process)
      .sort((a, b) => (a.status()?.since ?? 0) - (b.status()?.since ?? 0))
    for (const process of idle) {
      if (freemem() > bytes * memoryFactor) return
      await process.end()
    }
  }

  const ofFile = (path: string) => [...processes].filter(([key]) => key.endsWith(` ${resolve(path)}`))

  const endAll = async () => {
    await Promise.all([...processes.values()].map((modelProcess) => modelProcess.end()))
    processes.clear()
  }

  return {
    getProcess,
    loaded: () => [...processes.values()].flatMap((modelProcess) => modelProcess.status() ?? []),
    forgive: (path: string) => {
      for (const [, modelProcess] of ofFile(path)) modelProcess.forgive()
    },
    unload: async (path: string) => {
      const ownProcesses = ofFile(path)
      await Promise.all(ownProcesses.map(([, modelProcess]) => modelProcess.end()))
      for (const [key] of ownProcesses) processes.delete(key)
    },
    endAll,
    close: () => {
      isClosed = true
    },
  }
}

/** Memory of a loaded model, relative to the size of its file. */
const memoryFactor = 1.2
