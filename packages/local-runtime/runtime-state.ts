/** The installed version, and the installation in progress. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../kit/log.ts'
import type { Clock } from '../kit/time/clock.ts'
import { MindError } from '../models/mind.ts'
import { ModelError } from '../models/models.ts'
import { currentPlatform, type RuntimePackages, readInstalled } from './installed-runtime.ts'
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

export interface InstalledRuntime extends Pick<LocalRuntime, 'state' | 'install'> {
  /** Waits for an installation in progress. Throws `MindError` if the runtime is not installed. */
  getFolder(): Promise<string>
  /** Aborts an installation in progress, and resolves when its files are deleted. */
  cancel(reason: string): Promise<void>
  /** Deletes the runtime. No model may be running. */
  remove(): Promise<void>
}

interface Installation {
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
    ? { phase: 'ready', version, bytes: current.bytes, reason: null }
    : toAbsent(packages)
  let installation: Installation | undefined

  const run = async (listeners: Installation['listeners'], signal: AbortSignal): Promise<void> => {
    const stateBefore = state
    state = { ...toAbsent(packages), phase: 'installing' }
    try {
      const { installRuntime } = await import('./runtime-install.ts')
      const onProgress = (progress: InstallProgress) => {
        for (const listener of listeners) listener(progress)
      }
      const { execPath } = process
      const { bytes } = await installRuntime(
        { folder, packages, lock, execPath, env, clock },
        onProgress,
        signal,
      )
      state = { phase: 'ready', version, bytes, reason: null }
      log.info({}, `The local runtime ${version} is installed.`)
    } catch (error) {
      const reason = !signal.aborted && error instanceof ModelError ? error.message : null
      state = reason === null ? stateBefore : { ...toAbsent(packages), phase: 'failed', reason }
      throw error
    } finally {
      installation = undefined
    }
  }

  const start = (): Installation => {
    const abort = new AbortController()
    const listeners: Installation['listeners'] = new Set()
    const startedInstallation: Installation = {
      done: run(listeners, abort.signal),
      abort,
      listeners,
      callers: 0,
    }
    // The callers handle the error, but all of them may have left.
    startedInstallation.done.catch(() => undefined)
    installation = startedInstallation
    return startedInstallation
  }

  const install: LocalRuntime['install'] = async (onProgress, signal) => {
    signal.throwIfAborted()
    if (state.phase === 'ready') return
    if (state.phase === 'unsupported') throw new ModelError(state.reason ?? '', true)
    const sharedInstallation = installation ?? start()
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
    const upgrade = start()
    upgrade.callers++
    upgrade.done.catch((error: unknown) => {
      const reason = error instanceof ModelError ? error.message : 'unknown error'
      log.warn({ reason }, 'The local runtime was not upgraded.')
    })
  }

  return {
    state: () => state,
    install,
    getFolder: async () => {
      await installation?.done.catch(() => undefined)
      if (state.phase === 'ready') return join(folder, version)
      throw new MindError('barred', state.reason ?? absentSentence, undefined, 0)
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
  const bytes = platforms[currentPlatform]?.bytes ?? null
  if (bytes !== null) return { phase: 'absent', version, bytes, reason: null }
  const reason = `There is no build of the local runtime for this machine (${currentPlatform}). Use Ollama, or a provider.`
  return { phase: 'unsupported', version, bytes, reason }
}
