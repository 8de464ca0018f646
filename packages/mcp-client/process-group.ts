/**
 * A process with all that it starts: it is asked to end by the end of its input, then by a signal, then
 * killed, and none of it outlives this process. Also ended are processes that left its group.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { createProcessFamily } from '../kit/processes/process-family.ts'
import { createMark, type ProcessMark } from '../kit/processes/process-mark.ts'
import { watchChild, watchMark } from '../kit/processes/process-watcher.ts'
import type { StdioConfig } from './server-config.ts'
import { plainLine, ServerTrouble } from './trouble.ts'

export interface ProcessGroup {
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: Promise<Ended>
  /** It has ended, and what it wrote until then was read, as far as it comes soon. */
  readonly heard: Promise<void>
  /** Resolves when nothing of it is left. */
  end(): Promise<void>
}

interface Start {
  readonly config: StdioConfig
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  /** For each of the ways to end by itself. */
  readonly graceMs: number
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** While something that it started holds on to its pipes; `each` in milliseconds. */
const lastWords = { pieces: 5, each: 100 }

/** What a server gets of the daemon's environment: enough to be found, and no secret. */
const inherited = [
  ...['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROGRAMDATA'],
  ...['PROGRAMFILES', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE', 'WINDIR'],
]

/** Rejects ServerTrouble. */
export const startGroup = async ({ config, env, home, graceMs }: Start): Promise<ProcessGroup> => {
  const cwd = config.cwd ?? homedir()
  // The system would say of both that something does not exist.
  if (!(await isFolder(cwd)))
    throw new ServerTrouble('The folder in which it is to be started does not exist.', 'start')
  const mark = await createMark(home)
  const { child, unwatch } = spawned(config, cwd, env, mark)
  const ended = new Promise<Ended>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  const read = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const heard = ended.then(() => Promise.race([read, longHeard()]))
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => {
      unwatch()
      reject(notStarted(config.command, error))
    })
  })
  // What comes later, as a signal that could not be sent, is known by its end.
  child.on('error', () => undefined)
  keepWatch(child, mark)
  const family = createProcessFamily(child.pid ?? 0, mark)
  const gone = ended
    .then(() => family.end(graceMs))
    .catch(() => undefined)
    .finally(unwatch)
  return { child, ended, heard, end: () => end({ child, heard, look: family.look, gone, graceMs }) }
}

/** The watcher knows the mark before there is a process that has it. */
const spawned = (config: StdioConfig, cwd: string, env: NodeJS.ProcessEnv, mark: ProcessMark | null) => {
  const given = inherited.map((name) => [name, env[name]] as const)
  // A shell's function is no value.
  const own = given.filter(([, value]) => value !== undefined && !value.startsWith('()'))
  const unwatch = watchMark(mark)
  try {
    const child = spawn(config.command, config.args, {
      cwd,
      env: { ...Object.fromEntries(own), ...config.env, ...mark?.env },
      stdio: 'pipe',
      detached: hasGroups,
      windowsHide: true,
    })
    return { child, unwatch }
  } catch (error) {
    unwatch()
    throw notStarted(config.command, error)
  }
}

const hasGroups = process.platform !== 'win32'

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

const notStarted = (command: string, error: unknown): ServerTrouble => {
  const { code } = error as NodeJS.ErrnoException
  const name = plainLine(command, 200)
  if (code === 'ENOENT')
    return new ServerTrouble(
      `The command “${name}” was not found. Is it installed, and its folder in PATH?`,
      'start',
    )
  if (code === 'EACCES' || code === 'EPERM')
    return new ServerTrouble(`The command “${name}” may not be run: it is not executable.`, 'start')
  return new ServerTrouble(
    `The command “${name}” could not be started (${code ?? 'no reason given'}).`,
    'start',
  )
}

/** Of those that run. Killed where this process ends without closing anything. */
const running = new Set<ChildProcessWithoutNullStreams>()
const killAll = () => {
  for (const child of running) signalGroup(child, 'SIGKILL')
}

const keepWatch = (child: ChildProcessWithoutNullStreams, mark: ProcessMark | null): void => {
  if (running.size === 0) process.on('exit', killAll)
  running.add(child)
  watchChild(child, mark, true)
  child.once('exit', () => {
    // What it started and left behind.
    signalGroup(child, 'SIGKILL')
    running.delete(child)
    if (running.size === 0) process.off('exit', killAll)
  })
}

const signalGroup = (child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void => {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // Nobody of it is there any more.
  }
}

interface Ending extends Pick<ProcessGroup, 'child' | 'heard'> {
  readonly look: () => Promise<void>
  readonly gone: Promise<void>
  readonly graceMs: number
}

const end = async ({ child, heard, look, gone, graceMs }: Ending): Promise<void> => {
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  // While parents are there, also what has another environment is known as theirs.
  if (!isOver()) await look()
  child.stdin.end()
  if (!isOver()) await atMost(heard, graceMs)
  if (!isOver()) await look()
  if (!isOver()) signalGroup(child, 'SIGTERM')
  if (!isOver()) await atMost(heard, graceMs)
  if (!isOver()) await look()
  if (!isOver()) signalGroup(child, 'SIGKILL')
  await heard
  await gone
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
}

/** In pieces: while this process stood still it read nothing, which counts as one of them. */
const longHeard = async (): Promise<void> => {
  for (let n = 0; n < lastWords.pieces; n++) await delay(lastWords.each, undefined, { ref: false })
}

const atMost = async (awaited: Promise<void>, ms: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([awaited, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
