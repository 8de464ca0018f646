/**
 * A program that the daemon started, with every process that comes from it. On Linux this includes those that
 * left its process group and session. A process escapes only if it has neither the mark nor a parent or a
 * session of the family by which it was seen.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createMark, markName, type ProcessMark, parseMark, readHomeKey } from './process-mark.ts'
import { type EnvironmentRow, readProcess, readProcesses, signalProcess } from './process-table.ts'

export interface ProcessFamily {
  /** Remembers its members, before the end of their parents makes those without a mark unknown. */
  look(): Promise<void>
  /** Ends what is left: SIGTERM, SIGKILL after `graceMs`, again until no process is found. */
  end(graceMs: number): Promise<void>
}

/** `leader`: pid of a child process that runs in a session of its own. */
export const createProcessFamily = (leader: number, mark: ProcessMark | null): ProcessFamily => {
  if (!mark) return { look: async () => undefined, end: async () => undefined }
  const known = new Map<number, number>()
  const leading = readProcess(leader)
  const find = async () => {
    const [rows, first] = await Promise.all([readTable(), leading])
    const current = rows.find(({ pid }) => pid === leader)
    // A session keeps its number from being used again until its last process has ended.
    const isSame = current === undefined || current.started === first?.started
    const members = withDescendants(
      rows,
      ({ pid, started, session, value }) =>
        value === mark.value || known.get(pid) === started || (isSame && session === leader),
    )
    for (const { pid, started } of members) known.set(pid, started)
    return members
  }
  return {
    look: async () => void (await find()),
    end: async (graceMs) => void (await endAll(find, graceMs)),
  }
}

const orphanGraceMs = 1000

/**
 * Ends the processes that a killed daemon of this home left behind. Resolves with how many there were. The
 * caller must hold the home.
 */
export const endOrphans = async (home: string): Promise<number> => {
  const [here, key] = await Promise.all([createMark(home), readHomeKey(home)])
  const namespace = here && parseMark(here.value)?.namespace
  if (!namespace) return 0
  const find = async () => {
    const rows = await readProcesses(markName, 0)
    const running = new Map(rows.map(({ pid, started }) => [pid, started]))
    const spared = withAncestors(rows, process.pid)
    const isOrphan = ({ pid, value }: EnvironmentRow) => {
      const origin = value === null || spared.has(pid) ? null : parseMark(value)
      if (!origin || origin.namespace !== namespace || running.get(origin.pid) === origin.started)
        return false
      return origin.home === null || origin.home === key
    }
    return withDescendants(rows, isOrphan).filter(({ pid }) => !spared.has(pid))
  }
  return endAll(find, orphanGraceMs)
}

/** For as long as SIGKILL is repeated. */
const killingMs = 2000
const pauseMs = 25

/** Resolves with how many processes were found. */
const endAll = async (find: () => Promise<readonly EnvironmentRow[]>, graceMs: number): Promise<number> => {
  const begin = performance.now()
  const asked = new Set<string>()
  const forbidden = new Set<string>()
  for (;;) {
    const left = (await find()).filter((row) => !forbidden.has(keyOf(row)))
    const passedMs = performance.now() - begin
    if (left.length === 0 || passedMs > graceMs + killingMs) return asked.size
    const isLate = passedMs >= graceMs
    await Promise.all(
      left.map(async (row) => {
        const key = keyOf(row)
        if (!isLate && asked.has(key)) return
        asked.add(key)
        if (!(await signalProcess(row, isLate ? 'SIGKILL' : 'SIGTERM'))) forbidden.add(key)
      }),
    )
    await delay(pauseMs)
  }
}

const keyOf = ({ pid, started }: EnvironmentRow): string => `${pid} ${started}`

const withDescendants = (
  rows: readonly EnvironmentRow[],
  isMember: (row: EnvironmentRow) => boolean,
): readonly EnvironmentRow[] => {
  const members = rows.filter((row) => row.pid !== process.pid && isMember(row))
  const found = new Set(members)
  const children = new Map<number, EnvironmentRow[]>()
  for (const row of rows) children.set(row.parent, [...(children.get(row.parent) ?? []), row])
  for (const { pid } of members)
    for (const child of children.get(pid) ?? []) {
      if (found.has(child) || child.pid === process.pid) continue
      found.add(child)
      members.push(child)
    }
  return members
}

/** A daemon that was started from a tool server carries the mark of that server: it must not end itself. */
const withAncestors = (rows: readonly EnvironmentRow[], pid: number): ReadonlySet<number> => {
  const parents = new Map(rows.map((row) => [row.pid, row.parent]))
  const found = new Set<number>()
  for (let at: number | undefined = pid; at && !found.has(at); at = parents.get(at)) found.add(at)
  return found
}

let reading: Promise<readonly EnvironmentRow[]> | undefined
let following: Promise<readonly EnvironmentRow[]> | undefined

/** Reads the table after the call. Calls that come while it is read share the next reading. */
const readTable = (): Promise<readonly EnvironmentRow[]> => {
  if (!reading) return readNow()
  following ??= reading.then(() => {
    following = undefined
    return readNow()
  })
  return following
}

const readNow = (): Promise<readonly EnvironmentRow[]> => {
  const current = readProcess(process.pid)
    // Nothing that started before this process can have a mark of it.
    .then((own) => readProcesses(markName, own?.started ?? 0))
    .finally(() => {
      if (reading === current) reading = undefined
    })
  reading = current
  return current
}
