/**
 * Stores the marks of each minute of the last day, per persona, in a ring in a small file. These are not
 * facts: losing them does no harm, and no one waits for the writes.
 */

import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readFile, rename } from 'node:fs/promises'
import type { PersonaId } from '../../facts/fact-values.ts'
import { minutesFile } from '../../home/places.ts'
import { addChecksum, checkChecksum } from '../../journal/log/checksummed-value.ts'
import { inTime, type Stopwatch } from '../../journal/log/timeout.ts'
import type { Log } from '../../packages/kit/log.ts'
import { type Clock, systemClock } from '../../packages/kit/time/clock.ts'
import { type Bus, listen, type PersonaCommit } from '../bus.ts'
import { getMarks, isServed, type Marks, mergeMarks, noMarks } from './marks.ts'

/** `minute`: number of minutes since 1970. */
export interface Cell {
  readonly minute: number
  readonly marks: Marks
}

/** No method throws or rejects. */
export interface Minutes {
  /** Marks the current minute of these personas as served. */
  beat(ids: Iterable<PersonaId>): void
  /** Returns the known minutes of the last day, unordered. */
  read(id: PersonaId): Promise<readonly Cell[]>
  /** Writes all pending marks. */
  close(): Promise<void>
}

interface Deps {
  readonly home: string
  readonly clock: Clock
  readonly bus: Pick<Bus, 'commits' | 'signs'>
  readonly log: Log
  readonly stopwatch?: Stopwatch
}

export const minutesOfDay = 1440
/** Number of files that are written in parallel. */
const atOnce = 8

export const toMinute = (epoch: number): number => Math.floor(epoch / 60_000)

/** Marks by minute. */
type Notes = Map<number, Marks>

export const createMinutes = ({ home, clock, bus, log, stopwatch = systemClock() }: Deps): Minutes => {
  /** The current minute of each persona. */
  const currentCells = new Map<PersonaId, Cell>()
  /**
   * Marks that wait for a write, and marks that are being written. Each file has at most one write at a time.
   */
  const waitingNotes = new Map<PersonaId, Notes>()
  const writingNotes = new Map<PersonaId, Notes>()
  let pendingWork: Promise<void> | undefined
  let isErrorLogged = false

  const addMarks = (id: PersonaId, minute: number, marks: Marks) => {
    if (!(minute >= 0 && minute <= lastMinute)) return
    const now = currentCells.get(id)
    if (now && now.minute !== minute) enqueue(id, now)
    currentCells.set(id, { minute, marks: now?.minute === minute ? mergeMarks(now.marks, marks) : marks })
  }

  const enqueue = (id: PersonaId, { minute, marks }: Cell) => {
    const notes = waitingNotes.get(id) ?? new Map()
    waitingNotes.set(id, notes)
    notes.set(minute, mergeMarks(notes.get(minute) ?? noMarks, marks))
    // If the disk hangs, no more minutes are queued than the file can hold.
    const [oldestMinute] = notes.keys()
    if (notes.size > minutesOfDay && oldestMinute !== undefined) notes.delete(oldestMinute)
    pendingWork ??= writeAll().finally(() => {
      pendingWork = undefined
    })
  }

  const writeAll = async () => {
    const worker = async () => {
      for (const [id, notes] of waitingNotes) {
        if (writingNotes.has(id)) continue
        waitingNotes.delete(id)
        writingNotes.set(id, notes)
        await writeNotes(id, notes)
        writingNotes.delete(id)
      }
    }
    while (waitingNotes.size > 0) await Promise.all(Array.from({ length: atOnce }, worker))
  }

  /** Only the first of consecutive write errors is logged. */
  const writeNotes = async (id: PersonaId, notes: Notes) => {
    try {
      await write(minutesFile(home, id), checksumName(id), notes)
      isErrorLogged = false
    } catch (err) {
      if (!isErrorLogged) log.warn({ id, err }, 'failed to write the health minutes')
      isErrorLogged = true
    }
  }

  const forget = (id: PersonaId) => {
    currentCells.delete(id)
    waitingNotes.delete(id)
  }

  const stopListening = listen(bus.commits, log, ({ id, entries, persona }: PersonaCommit) => {
    for (const { at, event } of entries) {
      const marks = getMarks(event, persona.self)
      if (marks !== noMarks) addMarks(id, toMinute(at), marks)
    }
    if (entries.at(-1)?.type === 'PersonaDeleted') forget(id)
  })
  const unwatch = listen(bus.signs, log, (sign) => {
    if (sign.type === 'gone') forget(sign.id)
  })

  return {
    beat: (ids) => {
      const minute = toMinute(clock.now())
      for (const id of ids) addMarks(id, minute, isServed)
      for (const [id, cell] of currentCells) {
        if (cell.minute === minute) continue
        currentCells.delete(id)
        enqueue(id, cell)
      }
    },
    read: async (id) => {
      const now = toMinute(clock.now())
      // Collected before the file is read: marks that are written in the meantime are then in at least one of
      // the two.
      const unwrittenCells = [...(writingNotes.get(id) ?? []), ...(waitingNotes.get(id) ?? [])].map(
        ([minute, marks]) => ({
          minute,
          marks,
        }),
      )
      const current = currentCells.get(id)
      const cells = await inTime(stopwatch, readCells(home, id)).catch((): readonly Cell[] => [])
      const notes: Notes = new Map(cells.map(({ minute, marks }) => [minute, marks]))
      for (const { minute, marks } of current ? [...unwrittenCells, current] : unwrittenCells)
        notes.set(minute, mergeMarks(notes.get(minute) ?? noMarks, marks))
      return [...notes].flatMap(([minute, marks]) =>
        minute <= now && minute > now - minutesOfDay ? { minute, marks } : [],
      )
    },
    close: async () => {
      stopListening()
      unwatch()
      for (const [id, cell] of currentCells) enqueue(id, cell)
      currentCells.clear()
      await inTime(stopwatch, Promise.resolve(pendingWork)).catch(() => undefined)
    },
  }
}

const slotBytes = 16
const ringBytes = minutesOfDay * slotBytes
const lastMinute = 0xffff_ffff

/** Checksums include the id, so that a file copied from another persona is ignored. */
const checksumName = (id: PersonaId): Buffer => Buffer.from(`minutes ${id}`)

const encode = (name: Buffer, { minute, marks }: Cell): Buffer => {
  const body = Buffer.allocUnsafe(8)
  body.writeUInt32BE(minute, 0)
  body.writeUInt32BE(marks, 4)
  return addChecksum(name, body)
}

/** Returns undefined for a slot that was never written or is damaged. */
const decode = (name: Buffer, bytes: Buffer): Cell | undefined => {
  const body = checkChecksum(name, bytes)
  return body && { minute: body.readUInt32BE(0), marks: body.readUInt32BE(4) }
}

const getSlotOffset = (minute: number): number => (minute % minutesOfDay) * slotBytes

const readCells = async (home: string, id: PersonaId): Promise<readonly Cell[]> => {
  const bytes = await readFile(minutesFile(home, id))
  const name = checksumName(id)
  if (bytes.length !== ringBytes) return []
  const cells: Cell[] = []
  for (let position = 0; position < ringBytes; position += slotBytes) {
    // Most slots of a new ring are empty.
    const cell =
      bytes.readUInt32BE(position) === 0
        ? undefined
        : decode(name, bytes.subarray(position, position + slotBytes))
    if (cell && getSlotOffset(cell.minute) === position) cells.push(cell)
  }
  return cells
}

/** Adds the marks to those already stored for the same minute. */
const write = async (path: string, name: Buffer, notes: Notes): Promise<void> => {
  const file = await openRing(path)
  if (!file) return
  try {
    const old = Buffer.alloc(slotBytes)
    for (const [minute, marks] of notes) {
      await file.read(old, 0, slotBytes, getSlotOffset(minute))
      const knownCell = decode(name, old)
      const all = knownCell?.minute === minute ? mergeMarks(knownCell.marks, marks) : marks
      await file.write(encode(name, { minute, marks: all }), 0, slotBytes, getSlotOffset(minute))
    }
  } finally {
    await file.close()
  }
}

/** Returns undefined if the persona was deleted: its directory must not be created again. */
const openRing = async (path: string): Promise<FileHandle | undefined> => {
  const file = await openOrCreate(path)
  if (!file) return undefined
  try {
    if ((await file.stat()).size !== ringBytes) {
      await file.truncate(0)
      await file.truncate(ringBytes)
    }
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

const openOrCreate = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, 'r+')
  } catch (error) {
    const code = getErrorCode(error)
    if (code !== 'ENOENT' && code !== 'EISDIR') throw error
    // A directory at this path is moved away.
    if (code === 'EISDIR') await rename(path, `${path}.${randomUUID()}`)
  }
  try {
    return await open(path, 'wx+', 0o600)
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

const getErrorCode = (error: unknown): unknown => (error as { readonly code?: unknown }).code
