/** The installed version, and the installation in progress. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../kit/log.ts'
import type { Clock } from '../kit/time/clock.ts'
import { MindError } from '../models/mind.ts'
import { ModelError } from '../models/models.ts'
import { currentPlatform, type Gpu, type RuntimePackages, readInstalled } from './installed-runtime.ts'
import type { InstallProgress, LocalRuntime, RuntimeState } from './local-runtime.ts'
import type { RuntimeLock } from './runtime-install.ts'

export interface RuntimeStateDeps {
  readonly folder: string
  readonly packages: RuntimePackages
  readonly lock: RuntimeLock | undefined
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly log: Log
}

export interface RuntimePlace {
  /** Folder with `node_modules`. */
  readonly folder: string
  readonly gpu: Gpu
}

export interface InstalledRuntime extends Pick<LocalRuntime, 'state' | 'install'> {
  /** Waits for an installation in progress. Throws `MindError` if the runtime is not installed. */
  getPlace(): Promise<RuntimePlace>
  /** Aborts an installation in progress, and resolves when its files are deleted. */
  cancel(reason: string): Promise<void>
  /** Deletes the runtime. No model may be running. */
  remove(): Promise<void>
}

interface Installation {
  readonly gpu: Gpu
  readonly done: Promise<void>
  readonly abort: AbortController
  readonly listeners: Set<(progress: InstallProgress) => void>
  callers: number
}

/**
 * Reads which version is installed. If only an older one is, starts the installation of the pinned version:
 * the user has agreed to the first one.
 */
export const openInstalledRuntime = async (deps: RuntimeStateDeps): Promise<InstalledRuntime> => {
  const { folder, packages, lock, env, clock, log } = deps
  const { version } = packages
  const installedRuntimes = await readInstalled(folder)
  const current = installedRuntimes.find((runtime) => runtime.version === version)
  let state: RuntimeState = current
    ? { ...toAbsent(packages), phase: 'ready', bytes: current.bytes, gpu: current.gpu }
    : toAbsent(packages)
  let installation: Installation | undefined

  const run = async (gpu: Gpu, listeners: Installation['listeners'], signal: AbortSignal): Promise<void> => {
    const stateBefore = state
    state = { ...toAbsent(packages), phase: 'installing' }
    try {
      const { installRuntime } = await import('./runtime-install.ts')
      const onProgress = (progress: InstallProgress) => {
        for (const listener of listeners) listener(progress)
      }
      const { execPath } = process
      const { bytes } = await installRuntime(
        { folder, packages, lock, execPath, env, clock, gpu },
        onProgress,
        signal,
      )
      state = { ...toAbsent(packages), phase: 'ready', bytes, gpu }
      log.info({}, `The local runtime ${version} is installed.`)
    } catch (error) {
      const reason = !signal.aborted && error instanceof ModelError ? error.message : null
      // The former installation is still there.
      state =
        reason === null || stateBefore.phase === 'ready'
          ? stateBefore
          : { ...toAbsent(packages), phase: 'failed', reason }
      throw error
    } finally {
      installation = undefined
    }
  }

  const start = (gpu: Gpu): Installation => {
    const abort = new AbortController()
    const listeners: Installation['listeners'] = new Set()
    const completion = run(gpu, listeners, abort.signal)
    const startedInstallation: Installation = { gpu, done: completion, abort, listeners, callers: 0 }
    // The callers handle the error, but all of them may have left.
    startedInstallation.done.catch(() => undefined)
    installation = startedInstallation
    return startedInstallation
  }

  const install: LocalRuntime['install'] = async (onProgress, signal, gpu) => {
    signal.throwIfAborted()
    if (installation && gpu !== undefined && installation.gpu !== gpu)
      await installation.done.catch(() => undefined)
    if (state.phase === 'ready' && (gpu === undefined || gpu === state.gpu)) return
    if (state.phase === 'unsupported') throw new ModelError(state.reason ?? '', true)
    const sharedInstallation = installation ?? start(gpu ?? 'none')
    sharedInstallation.listeners.add(onProgress)
    sharedInstallation.callers++
    const leave = () => {
      // The last caller that leaves ends the installation.
      if (--sharedInstallation.callers === 0) sharedInstallation.abort.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      await sharedInstallation.done
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', leave)
      sharedInstallation.listeners.delete(onProgress)
    }
  }

  if (installedRuntimes.length > 0 && state.phase === 'absent') {
    const upgrade = start(installedRuntimes[0]?.gpu ?? 'none')
    upgrade.callers++
    upgrade.done.catch((error: unknown) => {
      const reason = error instanceof ModelError ? error.message : 'unknown error'
      log.warn({ reason }, 'The local runtime was not upgraded.')
    })
  }

  return {
    state: () => state,
    install,
    getPlace: async () => {
      await installation?.done.catch(() => undefined)
      if (state.phase === 'ready') return { folder: join(folder, version), gpu: state.gpu }
      throw new MindError('barred', state.reason ?? absentSentence, { calls: 0 })
    },
    cancel: async (reason) => {
      installation?.abort.abort(new ModelError(reason))
      await installation?.done.catch(() => undefined)
    },
    remove: async () => {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
      state = toAbsent(packages)
    },
  }
}

const absentSentence = 'The local runtime is not installed. Install it under settings, or use Ollama.'

const toAbsent = ({ version, platforms }: RuntimePackages): RuntimeState => {
  const platform = platforms[currentPlatform]
  const state = {
    version,
    bytes: platform?.bytes ?? null,
    gpu: 'none',
    gpus: Object.entries(platform?.gpus ?? {}).map(([gpu, { bytes }]) => ({ gpu: gpu as Gpu, bytes })),
  } as const
  if (platform) return { ...state, phase: 'absent', reason: null }
  const reason = `There is no build of the local runtime for this machine (${currentPlatform}). Use Ollama, or a provider.`
  return { ...state, phase: 'unsupported', reason }
}
