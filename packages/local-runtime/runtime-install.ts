/**
 * Installs node-llama-cpp with npm into a folder of the daemon. `runtime-lock.json` has the exact packages
 * with their hashes (scripts/make-runtime-lock.mjs). No script of a package runs.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMark } from '../kit/processes/process-mark.ts'
import { watchChild, watchMark } from '../kit/processes/process-watcher.ts'
import type { Clock } from '../kit/time/clock.ts'
import { ModelError } from '../models/models.ts'
import {
  currentPlatform,
  type Gpu,
  type Installed,
  installedFile,
  type RuntimePackages,
} from './installed-runtime.ts'
import type { InstallProgress } from './local-runtime.ts'
import { findNpm } from './npm-program.ts'

/** As npm writes it. Keys of `packages` are folders. */
export interface RuntimeLock {
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export interface InstallDeps {
  /** Holds one folder per version. */
  readonly folder: string
  readonly packages: RuntimePackages
  /** Default: the lock of the pinned version. Tests replace it. */
  readonly lock?: RuntimeLock | undefined
  readonly execPath: string
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly gpu: Gpu
}

const unfinished = '.installing-'

export const loadRuntimeLock = async (): Promise<RuntimeLock> =>
  (await import('./runtime-lock.json', { with: { type: 'json' } })).default

/**
 * Installs the pinned version, then removes everything else from the folder. Throws `ModelError`, or the
 * signal's reason. A failed or aborted install leaves no files.
 */
export const installRuntime = async (
  deps: InstallDeps,
  onProgress: (progress: InstallProgress) => void,
  signal: AbortSignal,
): Promise<Installed> => {
  const { folder, packages, execPath, env, clock, gpu } = deps
  const { version } = packages
  const target = packages.platforms[currentPlatform]
  if (!target) throw new ModelError(unsupported, true)
  const extra = target.gpus?.[gpu]
  if (gpu !== 'none' && !extra) throw new ModelError(noGpu, true)
  const total = target.bytes + (extra?.bytes ?? 0)
  const npm = await findNpm(execPath, env)
  if (npm === null) throw new ModelError(noNpm, true)
  signal.throwIfAborted()
  await mkdir(folder, { recursive: true })
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < total * spaceFactor) throw new ModelError(toSpaceSentence(total))

  const temporary = join(folder, `${unfinished}${randomBytes(6).toString('hex')}`)
  await mkdir(temporary)
  const stopProgress = reportProgress(clock, temporary, total, onProgress)
  try {
    const lock = deps.lock ?? (await loadRuntimeLock())
    const { manifest, lockFile } = toNpmFiles(lock, version, [target.package, ...(extra?.packages ?? [])])
    await writeFile(join(temporary, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(temporary, 'package-lock.json'), JSON.stringify(lockFile))
    await runNpm({ npm, execPath, env, cwd: temporary }, signal)
    const bytes = await measure(temporary)
    signal.throwIfAborted()
    const installedInfo = { version, platform: currentPlatform, bytes, gpu }
    await writeFile(join(temporary, installedFile), JSON.stringify(installedInfo))
    const place = join(folder, version)
    await rm(place, { recursive: true, force: true })
    await rename(temporary, place)
    await removeOthers(folder, version)
    onProgress({ completed: bytes, total: bytes })
    return installedInfo
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof ModelError ? error : new ModelError(toFailure(error))
  } finally {
    stopProgress()
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Deletes former versions and unfinished installs. */
const removeOthers = async (folder: string, version: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name !== version)
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

/** npm needs space for its cache as well. */
const spaceFactor = 2

const unsupported =
  'There is no build of the local runtime for this machine. Use Ollama, or a provider, for this model.'
const noGpu =
  'The local runtime has no package for this graphics card on this machine. Use Ollama, which finds graphics cards itself.'
const noNpm =
  'npm was not found beside the Node that runs the daemon. Install npm, for example with Node from https://nodejs.org, restart the daemon and try again.'
const toSpaceSentence = (bytes: number) =>
  `The disk is too full for the local runtime, which needs ${Math.ceil((bytes * spaceFactor) / 1e6)} MB. Delete something and try again.`

/** Makes the given packages required, and leaves the others optional. */
const toNpmFiles = (lock: RuntimeLock, version: string, names: readonly string[]) => {
  const dependencies = {
    ...(lock.packages['']?.dependencies as object),
    ...Object.fromEntries(names.map((name) => [name, version])),
  }
  const manifest = { name: 'daimon-runtime', version, private: true, dependencies }
  const packages: Record<string, object> = {
    ...lock.packages,
    '': { ...lock.packages[''], dependencies },
  }
  for (const path of names.map((name) => `node_modules/${name}`)) {
    const { optional: _, ...required } = lock.packages[path] ?? {}
    packages[path] = required
  }
  return { manifest, lockFile: { ...lock, packages } }
}

// --- npm

interface NpmRun {
  readonly npm: string
  readonly execPath: string
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/**
 * Variables for npm: its configuration, proxies and certificates. The environment may hold keys of
 * providers.
 */
const passedOn =
  /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SystemRoot|ComSpec|TEMP|TMP|TMPDIR|LANG|https?_proxy|no_proxy|all_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|npm_config_.+)$/i

const npmArguments = [
  'ci',
  '--ignore-scripts',
  '--omit=optional',
  '--omit=dev',
  '--omit=peer',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  '--no-update-notifier',
  '--loglevel=error',
]

const runNpm = async ({ npm, execPath, env, cwd }: NpmRun, signal: AbortSignal): Promise<void> => {
  const mark = await createMark(null)
  const unwatch = watchMark(mark)
  const isGroup = process.platform !== 'win32'
  const child = spawn(execPath, [npm, ...npmArguments], {
    cwd,
    env: { ...Object.fromEntries(Object.entries(env).filter(([name]) => passedOn.test(name))), ...mark?.env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: isGroup,
    windowsHide: true,
  })
  watchChild(child, mark, isGroup)
  const kill = () => killGroup(child, isGroup)
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-maxStderr)
  })
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    signal.throwIfAborted()
    if (code !== 0) throw new ModelError(toNpmFailure(stderr))
  } finally {
    signal.removeEventListener('abort', kill)
    unwatch()
  }
}

const maxStderr = 16_384

const killGroup = (child: ChildProcess, isGroup: boolean): void => {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    // It has already ended.
  }
}

/** Shows only npm's code, because its output may contain addresses with keys. */
const toNpmFailure = (stderr: string): string => {
  const code = /npm (?:error|ERR!) code ([A-Z0-9_]{2,40})/.exec(stderr)?.[1]
  const reason = reasons.find(([codes]) => code !== undefined && codes.includes(code))?.[1]
  return reason ?? `npm could not install the local runtime${code ? ` (${code})` : ''}. Try again later.`
}

const reasons: readonly (readonly [codes: readonly string[], sentence: string])[] = [
  [
    [
      'ENOTFOUND',
      'EAI_AGAIN',
      'ECONNREFUSED',
      'ECONNRESET',
      'ETIMEDOUT',
      'ERR_SOCKET_TIMEOUT',
      'EHOSTUNREACH',
    ],
    'The npm registry could not be reached. Check the connection and npm’s settings, and try again.',
  ],
  [
    ['E401', 'E403', 'E404', 'ETARGET'],
    'The npm registry does not offer the packages of the local runtime. Check the registry in npm’s settings.',
  ],
  [
    ['EINTEGRITY'],
    'A package of the local runtime did not have the expected content, so nothing was installed. Try again later.',
  ],
  [['ENOSPC'], 'The disk is full, so the local runtime was not installed. Delete something and try again.'],
  [
    ['EACCES', 'EPERM', 'EROFS'],
    'npm may not write its files. Check the permissions of its cache and of the home.',
  ],
  [['EBADPLATFORM'], unsupported],
]

const toFailure = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException)?.code
  return `The local runtime could not be installed${code ? ` (${code})` : ''}. Try again later.`
}

// --- sizes

const progressMs = 1000

const reportProgress = (
  clock: Clock,
  folder: string,
  total: number,
  onProgress: (progress: InstallProgress) => void,
): (() => void) => {
  let isMeasuring = false
  let isStopped = false
  onProgress({ completed: 0, total })
  const stop = clock.every(progressMs, () => {
    if (isMeasuring) return
    isMeasuring = true
    void measure(folder)
      .then((bytes) => {
        if (!isStopped) onProgress({ completed: Math.min(bytes, total), total })
      })
      .finally(() => {
        isMeasuring = false
      })
  })
  return () => {
    isStopped = true
    stop()
  }
}

/** Returns the bytes of all files. Skips files that vanish meanwhile. */
const measure = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries)
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      )
  return bytes
}
