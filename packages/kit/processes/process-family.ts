/**
 * A program that the daemon started, with all its descendants. On Linux this includes those that left its
 * process group and session. A process escapes only if it has no mark, and neither a parent nor a session
 * that was seen before.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createMark, markName, type ProcessMark, parseMark, readHomeKey } from './process-mark.ts'
import { type EnvironmentRow, readProcess, readProcesses, signalNow, signalProcess } from './process-table.ts'

export interface ProcessFamily {
  /** Records the current members, so that those without a mark are still known after their parents end. */
  look(): Promise<void>
  /** Ends all members: SIGTERM, then SIGKILL after `graceMs`, repeated until none is found. */
  end(graceMs: number): Promise<void>
}

/** `leader`: pid of a child process with its own session. */
export const createProcessFamily = (leader: number, mark: ProcessMark | null): ProcessFamily => {
  if (!mark) return { look: async () => undefined, end: async () => undefined }
  const startedByPid = new Map<number, number>()
  const leading = readProcess(leader)
  // Killed immediately: a process that lives a few ms and starts the next is gone once all others are read.
  const killMarked = ({ pid, value }: EnvironmentRow) => {
    if (value === mark.value && pid !== process.pid) signalNow(pid, 'SIGKILL')
  }
  const findProcesses = async (isLate = false) => {
    const [rows, first] = await Promise.all([isLate ? readNow(killMarked) : readTable(), leading])
    const current = rows.find(({ pid }) => pid === leader)
    // A session's number is not reused until its last process has ended.
    const isSame = current === undefined || current.started === first?.started
    const members = withDescendants(
      rows,
      ({ pid, started, session, value }) =>
        value === mark.value || startedByPid.get(pid) === started || (isSame && session === leader),
    )
    for (const { pid, started } of members) startedByPid.set(pid, started)
    return members
  }
  return {
    look: async () => void (await findProcesses()),
    end: async (graceMs) => void (await endAll(findProcesses, graceMs)),
  }
}

const orphanGraceMs = 1000

/**
 * Ends processes that a killed daemon of this home left. Returns their number. The caller must hold the
 * home's lock.
 */
export const endOrphans = async (home: string): Promise<number> => {
  const [ownMark, key] = await Promise.all([createMark(home), readHomeKey(home)])
  const namespace = ownMark && parseMark(ownMark.value)?.namespace
  if (!namespace) return 0
  const findProcesses = async () => {
    const rows = await readProcesses({ variable: markName, since: 0 })
    const startedByPid = new Map(rows.map(({ pid, started }) => [pid, started]))
    const sparedPids = withAncestors(rows, process.pid)
    const isOrphan = ({ pid, value }: EnvironmentRow) => {
      const origin = value === null || sparedPids.has(pid) ? null : parseMark(value)
      if (!origin || origin.namespace !== namespace || startedByPid.get(origin.pid) === origin.started)
        return false
      return origin.home === null || origin.home === key
    }
    return withDescendants(rows, isOrphan).filter(({ pid }) => !sparedPids.has(pid))
  }
  return endAll(findProcesses, orphanGraceMs)
}

/** Duration of repeated SIGKILLs. */
const killingMs = 2000
const pauseMs = 25
/** Required consecutive empty scans: one scan can miss a process that starts another and ends meanwhile. */
const emptyLooks = { atFirst: 2, afterAny: 4 }

type Find = (isLate: boolean) => Promise<readonly EnvironmentRow[]>

/** Returns the number of processes found. */
const endAll = async (findProcesses: Find, graceMs: number): Promise<number> => {
  const startTime = performance.now()
  const signalledKeys = new Set<string>()
  const forbiddenKeys = new Set<string>()
  for (let empty = 0; ; ) {
    const isLate = performance.now() - startTime >= graceMs
    const survivors = (await findProcesses(isLate)).filter((row) => !forbiddenKeys.has(toKey(row)))
    empty = survivors.length === 0 ? empty + 1 : 0
    const isDone = empty >= (signalledKeys.size === 0 ? emptyLooks.atFirst : emptyLooks.afterAny)
    if (isDone || performance.now() - startTime > graceMs + killingMs) return signalledKeys.size
    await Promise.all(
      survivors.map(async (row) => {
        const key = toKey(row)
        if (!isLate && signalledKeys.has(key)) return
        signalledKeys.add(key)
        if (!(await signalProcess(row, isLate ? 'SIGKILL' : 'SIGTERM'))) forbiddenKeys.add(key)
      }),
    )
    await delay(isLate ? 1 : pauseMs)
  }
}

const toKey = ({ pid, started }: EnvironmentRow): string => `${pid} ${started}`

const withDescendants = (
  rows: readonly EnvironmentRow[],
  isMember: (row: EnvironmentRow) => boolean,
): readonly EnvironmentRow[] => {
  const members = rows.filter((row) => row.pid !== process.pid && isMember(row))
  const foundRows = new Set(members)
  const children = new Map<number, EnvironmentRow[]>()
  for (const row of rows) {
    const siblings = children.get(row.parent)
    if (siblings) siblings.push(row)
    else children.set(row.parent, [row])
  }
  for (const { pid } of members)
    for (const child of children.get(pid) ?? []) {
      if (foundRows.has(child) || child.pid === process.pid) continue
      foundRows.add(child)
      members.push(child)
    }
  return members
}

/**
 * Spares the ancestors: a daemon that a tool server started carries that server's mark and must not end
 * itself.
 */
const withAncestors = (rows: readonly EnvironmentRow[], pid: number): ReadonlySet<number> => {
  const parents = new Map(rows.map((row) => [row.pid, row.parent]))
  const ancestors = new Set<number>()
  for (
    let ancestor: number | undefined = pid;
    ancestor && !ancestors.has(ancestor);
    ancestor = parents.get(ancestor)
  )
    ancestors.add(ancestor)
  return ancestors
}

let reading: Promise<readonly EnvironmentRow[]> | undefined
let following: Promise<readonly EnvironmentRow[]> | undefined

/** Returns a table that was read after the call. Calls during a reading share the next one. */
const readTable = (): Promise<readonly EnvironmentRow[]> => {
  if (!reading) return readNow()
  following ??= reading.then(() => {
    following = undefined
    return readNow()
  })
  return following
}

const readNow = (onRow?: (row: EnvironmentRow) => void): Promise<readonly EnvironmentRow[]> => {
  const current = readProcess(process.pid)
    // Only processes that started after this one can have its mark.
    .then((ownRow) =>
      readProcesses({ variable: markName, since: ownRow?.started ?? 0, ...(onRow && { onRow }) }),
    )
    .finally(() => {
      if (reading === current) reading = undefined
    })
  reading ??= current
  return current
}
