/** Runs the built daemon as a process, sends requests to it, and ends it in every possible way. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nowhereUrl, tempHome } from '../daemon.ts'

export const mainFile = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** `code` is null if a signal ended it. */
export interface ProcessExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface DaemonRun {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly whenEnded: Promise<ProcessExit>
}

export interface DaemonOptions {
  /** By default a free port. */
  readonly args?: readonly string[]
  readonly home?: string
  readonly cwd?: string
  /** Added to a clean environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Max number of open files, set by `ulimit -n`. */
  readonly files?: number
  /** Main file of the built daemon; by default that of `dist/`. */
  readonly main?: string
  /** Shell redirections such as `2>/dev/full`. Redirected output is not in `stdout` or `stderr`. */
  readonly redirect?: string
  /** User id of the process; only root may set it. */
  readonly uid?: number | undefined
  /** Network namespace of the process; only root may set it. */
  readonly namespace?: string | undefined
  /** Derives the keys of recovery phrases as usual, 0.3 s of CPU time each. False by default. */
  readonly realPhrases?: boolean
}

const quickPhrases = new URL('./quick-phrases.mjs', import.meta.url).href

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Runs any command line of `daimon`, also one that ends by itself. */
export const runDaimon = ({
  args = ['--port', '0'],
  home,
  cwd,
  env = {},
  files,
  redirect = '',
  main = mainFile,
  uid,
  namespace,
  realPhrases = false,
}: DaemonOptions = {}): DaemonRun => {
  const ulimit = files === undefined ? '' : `ulimit -n ${files}; `
  const wrapper = ulimit || redirect ? ['sh', '-c', `${ulimit}exec "$0" "$@" ${redirect}`] : []
  const namespacePrefix = namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace]
  const flags = realPhrases ? [] : ['--import', quickPhrases]
  const node = [process.execPath, ...flags, main, ...args]
  const [command = '', ...words] = [...namespacePrefix, ...wrapper, ...node]
  const child = spawn(command, words, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid, gid: uid }),
    env: { ...cleanEnv(), ...(home === undefined ? {} : { DAIMON_HOME: home }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exit = new Promise<ProcessExit>((resolve) => {
    child.on('close', (code, signal) => {
      children.delete(child)
      resolve({ code, signal, stdout, stderr })
    })
  })
  return { child, stdout: () => stdout, stderr: () => stderr, whenEnded: exit }
}

export interface DaemonProcess extends DaemonRun {
  readonly url: string
  readonly port: number
  readonly home: string
  /** Sends a signal and resolves when the process has ended. */
  kill(signal: NodeJS.Signals): Promise<ProcessExit>
}

/** Resolves once the listening line is printed; rejects with the output if the process ends before. */
export const startProcess = async ({
  home: givenHome,
  ...options
}: DaemonOptions = {}): Promise<DaemonProcess> => {
  const home = givenHome ?? (await tempHome())
  const daemonRun = runDaimon({ ...options, home })
  const port = await waitForPort(daemonRun)
  return {
    ...daemonRun,
    url: `http://127.0.0.1:${port}`,
    port,
    home,
    kill: (signal) => {
      daemonRun.child.kill(signal)
      return daemonRun.whenEnded
    },
  }
}

const waitForPort = ({ child, stdout, whenEnded: exit }: DaemonRun): Promise<number> =>
  new Promise((resolve, reject) => {
    const look = () => {
      const port = /^daimon listening on http:\/\/127\.0\.0\.1:(\d+)\nhome .*\n/.exec(stdout())?.[1]
      if (port !== undefined) resolve(Number(port))
    }
    child.stdout?.on('data', look)
    look()
    void exit.then(({ code, signal, stderr }) =>
      reject(new Error(`it ended with ${signal ?? code} before it listened: ${stderr}`)),
    )
  })

/** A developer's settings for their own daemon must not reach this one. */
const cleanEnv = (): NodeJS.ProcessEnv => {
  const keptVariables = Object.entries(process.env).filter(
    ([name]) => !/^(DAIMON_|OLLAMA_)|_(API_KEY|BASE_URL)$|^(WEB_PORT|NODE_OPTIONS)$/.test(name),
  )
  return {
    ...Object.fromEntries(keptVariables),
    OLLAMA_BASE_URL: nowhereUrl,
    UV_THREADPOOL_SIZE: '16',
    MALLOC_TRIM_THRESHOLD_: '131072',
  }
}

export interface FoundEntry {
  /** Relative to the given folder. */
  readonly path: string
  readonly folder: boolean
  readonly mode: number
}

/**
 * Returns everything below a folder, and the folder itself as `.`. Entries that disappear meanwhile are
 * skipped.
 */
export const walk = async (folder: string): Promise<readonly FoundEntry[]> => {
  const names = ['.', ...(await readdir(folder, { recursive: true }))]
  const entries = await Promise.all(
    names.map(async (path) => {
      const stats = await stat(join(folder, path)).catch(() => undefined)
      return stats ? [{ path, folder: stats.isDirectory(), mode: stats.mode & 0o777 }] : []
    }),
  )
  return entries.flat()
}
