/** Runs the built daemon as a child process, with its own home and port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Child {
  readonly url: string
  readonly home: string
  /** Milliseconds from spawning until the daemon prints that it listens. */
  readonly ms: number
  close(): Promise<void>
}

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

export const spawnDaemon = async (env: NodeJS.ProcessEnv = {}): Promise<Child> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  const child = await spawnListening([main, '--port', '0'], {
    UV_THREADPOOL_SIZE: '16',
    MALLOC_TRIM_THRESHOLD_: '131072',
    DAIMON_HOME: home,
    DAIMON_LOG_LEVEL: 'error',
    ...env,
  })
  return { ...child, home, close: () => child.close().then(() => rm(home, { recursive: true, force: true })) }
}

/** Spawns a Node program that prints its address when it listens. */
export const spawnListening = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Omit<Child, 'home'>> => {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await readAddress(child)
  const ms = performance.now() - startedAt
  return {
    url,
    ms,
    close: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

const readAddress = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
      if (url) resolve(url)
    })
    child.on('exit', (code) => reject(new Error(`ended with ${code} before it listened`)))
  })
