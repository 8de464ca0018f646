/**
 * Runs a process and ends it together with its descendants, also those that left its process group. To end
 * it, closes its input, then sends SIGTERM, then SIGKILL. No descendant outlives the daemon.
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
  readonly ending: Promise<Ended>
  /** Resolves when the process has ended and its output was read, or did not finish soon after. */
  readonly outputEnd: Promise<void>
  /** Resolves when the process and its descendants have ended. */
  end(): Promise<void>
}

interface Start {
  readonly config: StdioConfig
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  /** Time after each step before the next one, in ms. */
  readonly graceMs: number
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** How long to read the output of an ended process while a descendant holds its pipes open. `each` in ms. */
const lastWords = { pieces: 5, each: 100 }

/** The environment variables that a server inherits: enough to find programs, and no secrets. */
const inheritedVariables = [
  ...['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROGRAMDATA'],
  ...['PROGRAMFILES', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE', 'WINDIR'],
]

/** Rejects ServerTrouble. */
export const startGroup = async ({ config, env, home, graceMs }: Start): Promise<ProcessGroup> => {
  const cwd = config.cwd ?? homedir()
  // Checked first, because the system reports ENOENT for a missing folder as for a missing command.
  if (!(await isFolder(cwd)))
    throw new ServerTrouble('The folder in which it is to be started does not exist.', 'start')
  const mark = await createMark(home)
  const { child, unwatch } = spawnProcess(config, cwd, env, mark)
  const ending = new Promise<Ended>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  const read = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const outputEnd = ending.then(() => Promise.race([read, waitForOutput()]))
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => {
      unwatch()
      reject(notStarted(config.command, error))
    })
  })
  // Later errors, such as a failed signal, show in the `exit` event.
  child.on('error', () => undefined)
  keepWatch(child, mark)
  const family = createProcessFamily(child.pid ?? 0, mark)
  const familyEnded = ending
    .then(() => family.end(graceMs))
    .catch(() => undefined)
    .finally(unwatch)
  return {
    child,
    ending,
    outputEnd,
    end: () => end({ child, outputEnd, look: family.look, exit: familyEnded, graceMs }),
  }
}

/** The watcher must know the mark before a process with it exists. */
const spawnProcess = (config: StdioConfig, cwd: string, env: NodeJS.ProcessEnv, mark: ProcessMark | null) => {
  const variables = inheritedVariables.map((name) => [name, env[name]] as const)
  // Skips exported shell functions.
  const inheritedEnv = variables.filter(([, value]) => value !== undefined && !value.startsWith('()'))
  const unwatch = watchMark(mark)
  try {
    const child = spawn(config.command, config.args, {
      cwd,
      env: { ...Object.fromEntries(inheritedEnv), ...config.env, ...mark?.env },
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
    (stats) => stats.isDirectory(),
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

/** The running processes. Killed if the daemon exits without closing them. */
const runningChildren = new Set<ChildProcessWithoutNullStreams>()
const killAll = () => {
  for (const child of runningChildren) signalGroup(child, 'SIGKILL')
}

const keepWatch = (child: ChildProcessWithoutNullStreams, mark: ProcessMark | null): void => {
  if (runningChildren.size === 0) process.on('exit', killAll)
  runningChildren.add(child)
  watchChild(child, mark, true)
  child.once('exit', () => {
    // Kills the descendants in its group.
    signalGroup(child, 'SIGKILL')
    runningChildren.delete(child)
    if (runningChildren.size === 0) process.off('exit', killAll)
  })
}

const signalGroup = (child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void => {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // The group has no process left.
  }
}

interface Ending extends Pick<ProcessGroup, 'child' | 'outputEnd'> {
  readonly look: () => Promise<void>
  readonly exit: Promise<void>
  readonly graceMs: number
}

const end = async ({ child, outputEnd, look, exit, graceMs }: Ending): Promise<void> => {
  const hasExited = () => child.exitCode !== null || child.signalCode !== null
  // While the parents live, descendants with another environment can be found too.
  if (!hasExited()) await look()
  child.stdin.end()
  if (!hasExited()) await atMost(outputEnd, graceMs)
  if (!hasExited()) await look()
  if (!hasExited()) signalGroup(child, 'SIGTERM')
  if (!hasExited()) await atMost(outputEnd, graceMs)
  if (!hasExited()) await look()
  if (!hasExited()) signalGroup(child, 'SIGKILL')
  await outputEnd
  await exit
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
}

/** Waits in several steps. If the daemon was suspended and could not read, that counts as one step. */
const waitForOutput = async (): Promise<void> => {
  for (let n = 0; n < lastWords.pieces; n++) await delay(lastWords.each, undefined, { ref: false })
}

const atMost = async (work: Promise<void>, ms: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
