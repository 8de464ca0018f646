/**
 * An environment variable of every process that the daemon starts. Descendants inherit it, even after leaving
 * the process group, the session and their parent. On Linux, /proc shows it. It is not secret.
 */
import { randomBytes } from 'node:crypto'
import { readlink, stat } from 'node:fs/promises'
import { readProcess } from './process-table.ts'

export const markName = 'DAIMON_PROCESS_MARK'

export interface ProcessMark {
  readonly value: string
  /** Prefix of all marks of this daemon process. */
  readonly run: string
  /** The variable, to add to the environment of a new process. */
  readonly env: Readonly<Record<string, string>>
}

/** The daemon process that started a marked process. */
export interface Origin {
  /** PID namespace: pids are valid only in their own. */
  readonly namespace: string
  readonly pid: number
  /** Clock ticks since boot, as in /proc/<pid>/stat. */
  readonly started: number
  /** Null for a process of the daemon that belongs to no home. */
  readonly home: string | null
}

/** Creates a mark. Returns null on systems without /proc. Helper processes have a mark without a home. */
export const createMark = async (home: string | null): Promise<ProcessMark | null> => {
  ownOrigin ??= readOwn()
  const origin = await ownOrigin
  if (!origin) return null
  const run = `${origin.namespace}-${origin.pid}-${origin.started}.`
  const key = home === null ? '-' : await readHomeKey(home).catch(() => '-')
  const value = `${run}${key}.${randomBytes(8).toString('hex')}`
  return { value, run, env: { [markName]: value } }
}

/** Returns null if the text is not a mark. */
export const parseMark = (mark: string): Origin | null => {
  const [, namespace = '', pid, startedText, home = '-'] = form.exec(mark) ?? []
  if (namespace === '') return null
  return { namespace, pid: Number(pid), started: Number(startedText), home: home === '-' ? null : home }
}

/**
 * Returns a key that identifies the folder, because containers may use the same path for different folders.
 */
export const readHomeKey = async (home: string): Promise<string> => {
  const { dev, ino } = await stat(home, { bigint: true })
  return `${dev}_${ino}`
}

const form = /^(\d+)-(\d+)-(\d+)\.(-|\d+_\d+)\.[0-9a-f]{16}$/

let ownOrigin: Promise<Omit<Origin, 'home'> | null> | undefined

const readOwn = async (): Promise<Omit<Origin, 'home'> | null> => {
  if (process.platform !== 'linux') return null
  // A /proc of another PID namespace shows pids that signals do not accept.
  if ((await readlink('/proc/self').catch(() => '')) !== String(process.pid)) return null
  const link = await readlink('/proc/self/ns/pid').catch(() => '')
  const namespace = /\d+/.exec(link)?.[0]
  const ownProcess = await readProcess(process.pid)
  return namespace && ownProcess ? { namespace, pid: process.pid, started: ownProcess.started } : null
}
