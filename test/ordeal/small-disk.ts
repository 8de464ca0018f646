/**
 * A small disk for a daemon: a tmpfs in a mount namespace, which disappears with its process even if the test
 * crashes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tempHome } from '../daemon.ts'
import { type DaemonProcess, mainFile } from '../process/daemon.ts'

export interface SmallDisk {
  /** Path of the home for other processes. */
  readonly home: string
  /** Fills the remaining space to the last byte. */
  fill(): Promise<void>
  /** Frees that space. */
  empty(): Promise<void>
  /**
   * Remounts read-only or writable. Rejects while a daemon runs there: the system does not permit it while
   * files are open for writing.
   */
  remount(mode: 'ro' | 'rw'): Promise<void>
  /** Starts a daemon whose home is on the disk. */
  start(): Promise<Pick<DaemonProcess, 'url' | 'stdout' | 'stderr' | 'kill' | 'child'>>
  close(): Promise<void>
}

/** Returns undefined if this user may not mount anything, nor create a namespace for it. */
export const openSmallDisk = async (megabytes: number): Promise<SmallDisk | undefined> => {
  const place = await tempHome()
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && echo mounted && exec sleep 600`
  for (const [flags, enter] of [
    ['-m', ['-m']],
    ['-rm', ['-U', '-m', '--preserve-credentials']],
  ] as const) {
    const holder = await waitForHolder(
      spawn('unshare', [flags, 'sh', '-c', mount, place], { stdio: ['ignore', 'pipe', 'ignore'] }),
    )
    if (holder) return openDisk(holder, place, enter)
  }
  await rm(place, { recursive: true, force: true })
  return undefined
}

const waitForHolder = (child: ChildProcess): Promise<ChildProcess | undefined> =>
  new Promise((resolve) => {
    child.once('error', () => resolve(undefined))
    child.once('exit', () => resolve(undefined))
    child.stdout?.once('data', () => resolve(child))
  })

const openDisk = async (
  holder: ChildProcess,
  place: string,
  enter: readonly string[],
): Promise<SmallDisk> => {
  process.once('exit', () => holder.kill('SIGKILL'))
  const outsidePath = `/proc/${holder.pid}/root${place}`
  const ballast = join(outsidePath, 'ballast')
  const daemons: ChildProcess[] = []
  const inside = ['-t', String(holder.pid), ...enter, '--']
  await mkdir(join(outsidePath, 'home'))
  return {
    home: join(outsidePath, 'home'),
    fill: () => takeAll(ballast),
    empty: () => rm(ballast, { force: true }),
    remount: async (mode) => {
      const mounting = spawn('nsenter', [...inside, 'mount', '-o', `remount,${mode}`, place], {
        stdio: 'ignore',
      })
      const [code] = await once(mounting, 'exit')
      if (code !== 0) throw new Error(`it could not be mounted ${mode}: ${code}`)
    },
    start: async () => {
      const daemon = spawn('nsenter', [...inside, process.execPath, mainFile, '--port', '0'], {
        env: { ...process.env, DAIMON_HOME: join(place, 'home') },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      daemons.push(daemon)
      return listening(daemon)
    },
    close: async () => {
      for (const child of [...daemons, holder]) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await rm(place, { recursive: true, force: true })
    },
  }
}

const takeAll = async (path: string): Promise<void> => {
  const file = await open(path, 'a')
  try {
    for (let size = 1024 * 1024; size >= 1; ) {
      const took = await file.write(Buffer.alloc(size)).then(
        ({ bytesWritten }) => bytesWritten === size,
        () => false,
      )
      if (!took) size = Math.floor(size / 2)
    }
  } finally {
    await file.close()
  }
}

const listening = async (child: ChildProcess) => {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const exit = new Promise<{
    code: number | null
    signal: NodeJS.Signals | null
    stdout: string
    stderr: string
  }>((resolve) => child.on('close', (code, signal) => resolve({ code, signal, ...output })))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const url = /^daimon listening on (\S+)\nhome .*\n/.exec(output.stdout)?.[1]
      if (url) resolve(url)
    })
    void exit.then(({ code, signal, stderr }) =>
      reject(new Error(`it ended with ${signal ?? code} before it listened: ${stderr}`)),
    )
  })
  return {
    url,
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    kill: (signal: NodeJS.Signals) => {
      child.kill(signal)
      return exit
    },
  }
}
