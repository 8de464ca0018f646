/** The built daemon as a process of its own: started, spoken to, ended in every way a process can end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nowhereUrl, tempHome } from '../daemon.ts'

export const mainFile = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** `code` null when a signal ended it. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ended: Promise<Ended>
}

export interface Asked {
  /** Arguments; a free port by default. */
  readonly args?: readonly string[]
  readonly home?: string
  readonly cwd?: string
  /** Added to a clean environment; undefined takes a name out. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** As many files as it may hold open, by `ulimit -n`. */
  readonly files?: number
  /** The built daemon's first file; that of `dist/` by default. */
  readonly main?: string
  /** Redirections of a shell, as `2>/dev/full`. What they take is not in `stdout` or `stderr`. */
  readonly redirect?: string
  /** As whom it runs; only root may choose. */
  readonly uid?: number | undefined
  /** Of the network, in which it runs; only root may choose. */
  readonly namespace?: string | undefined
}

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Any command line of `daimon`, also one that ends by itself. */
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
}: Asked = {}): Running => {
  const ulimit = files === undefined ? '' : `ulimit -n ${files}; `
  const limited = ulimit || redirect ? ['sh', '-c', `${ulimit}exec "$0" "$@" ${redirect}`] : []
  const placed = namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace]
  const [command = '', ...words] = [...placed, ...limited, process.execPath, main, ...args]
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
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => {
      children.delete(child)
      resolve({ code, signal, stdout, stderr })
    })
  })
  return { child, stdout: () => stdout, stderr: () => stderr, ended }
}

export interface DaemonProcess extends Running {
  readonly url: string
  readonly port: number
  readonly home: string
  /** Sends a signal and resolves with how it ended. */
  kill(signal: NodeJS.Signals): Promise<Ended>
}

/** Resolves once the listening line is there; rejects with what it said when it ends before. */
export const startProcess = async ({ home: given, ...asked }: Asked = {}): Promise<DaemonProcess> => {
  const home = given ?? (await tempHome())
  const running = runDaimon({ ...asked, home })
  const port = await listening(running)
  return {
    ...running,
    url: `http://127.0.0.1:${port}`,
    port,
    home,
    kill: (signal) => {
      running.child.kill(signal)
      return running.ended
    },
  }
}

const listening = ({ child, stdout, ended }: Running): Promise<number> =>
  new Promise((resolve, reject) => {
    const look = () => {
      const port = /^daimon listening on http:\/\/127\.0\.0\.1:(\d+)\nhome .*\n/.exec(stdout())?.[1]
      if (port !== undefined) resolve(Number(port))
    }
    child.stdout?.on('data', look)
    look()
    void ended.then(({ code, signal, stderr }) =>
      reject(new Error(`it ended with ${signal ?? code} before it listened: ${stderr}`)),
    )
  })

/** What a developer set for a daemon of their own must not reach this one. */
const cleanEnv = (): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(DAIMON_|OLLAMA_)|_(API_KEY|BASE_URL)$|^(WEB_PORT|NODE_OPTIONS)$/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    OLLAMA_BASE_URL: nowhereUrl,
    UV_THREADPOOL_SIZE: '16',
    MALLOC_TRIM_THRESHOLD_: '131072',
  }
}

export interface Found {
  /** Relative to the folder that was walked. */
  readonly path: string
  readonly folder: boolean
  /** Permission bits. */
  readonly mode: number
}

/** Everything under a folder, and the folder itself as `.`; what goes away meanwhile is left out. */
export const walk = async (folder: string): Promise<readonly Found[]> => {
  const names = ['.', ...(await readdir(folder, { recursive: true }))]
  const found = await Promise.all(
    names.map(async (path) => {
      const there = await stat(join(folder, path)).catch(() => undefined)
      return there ? [{ path, folder: there.isDirectory(), mode: there.mode & 0o777 }] : []
    }),
  )
  return found.flat()
}
