/**
 * The last day of each persona, minute by minute: a ring in a small file. No facts: what is lost of it is
 * lost, and nobody waits for it.
 */

import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readFile, rename } from 'node:fs/promises'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { minutesFile } from '../../journal/files/places.ts'
import { seal, unseal } from '../../journal/log/seal.ts'
import { inTime, type Stopwatch } from '../../journal/log/timeout.ts'
import type { Log } from '../../packages/kit/log.ts'
import { type Clock, systemClock } from '../../packages/kit/time/clock.ts'
import { type Bus, type Committed, listen } from '../bus.ts'
import { both, isServed, type Marks, marksOf, noMarks } from './marks.ts'

/** `minute`: since 1970. */
export interface Cell {
  readonly minute: number
  readonly marks: Marks
}

/** Nothing here throws or rejects. */
export interface Minutes {
  /** They are served in this minute. */
  beat(ids: Iterable<PersonaId>): void
  /** Minutes of the last day of which something is known, in no order. */
  read(id: PersonaId): Promise<readonly Cell[]>
  /** Brings to the disk what is held. */
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
/** Personas whose files are written at once. */
const atOnce = 8

export const minuteOf = (epoch: number): number => Math.floor(epoch / 60_000)

/** By minute. */
type Notes = Map<number, Marks>

export const createMinutes = ({ home, clock, bus, log, stopwatch = systemClock() }: Deps): Minutes => {
  /** The minute each persona is in. */
  const held = new Map<PersonaId, Cell>()
  /** What is on its way to the disk, and what is being written: one writing at a time for each. */
  const waiting = new Map<PersonaId, Notes>()
  const writing = new Map<PersonaId, Notes>()
  let working: Promise<void> | undefined
  let quiet = false

  const note = (id: PersonaId, minute: number, marks: Marks) => {
    if (!(minute >= 0 && minute <= lastMinute)) return
    const now = held.get(id)
    if (now && now.minute !== minute) put(id, now)
    held.set(id, { minute, marks: now?.minute === minute ? both(now.marks, marks) : marks })
  }

  const put = (id: PersonaId, { minute, marks }: Cell) => {
    const notes = waiting.get(id) ?? new Map()
    waiting.set(id, notes)
    notes.set(minute, both(notes.get(minute) ?? noMarks, marks))
    // On a disk that hangs, no more waits than the file could hold.
    const [oldest] = notes.keys()
    if (notes.size > minutesOfDay && oldest !== undefined) notes.delete(oldest)
    working ??= work().finally(() => {
      working = undefined
    })
  }

  const work = async () => {
    const worker = async () => {
      for (const [id, notes] of waiting) {
        if (writing.has(id)) continue
        waiting.delete(id)
        writing.set(id, notes)
        await keep(id, notes)
        writing.delete(id)
      }
    }
    while (waiting.size > 0) await Promise.all(Array.from({ length: atOnce }, worker))
  }

  /** A disk that does not take it is told of once. */
  const keep = async (id: PersonaId, notes: Notes) => {
    try {
      await write(minutesFile(home, id), sealOf(id), notes)
      quiet = false
    } catch (err) {
      if (!quiet) log.warn({ id, err }, 'what happened in a minute could not be noted')
      quiet = true
    }
  }

  const forget = (id: PersonaId) => {
    held.delete(id)
    waiting.delete(id)
  }

  const unlisten = listen(bus.commits, log, ({ id, entries, persona }: Committed) => {
    for (const { at, event } of entries) {
      const marks = marksOf(event, persona.self)
      if (marks !== noMarks) note(id, minuteOf(at), marks)
    }
    if (entries.at(-1)?.type === 'PersonaDeleted') forget(id)
  })
  const unwatch = listen(bus.signs, log, (sign) => {
    if (sign.type === 'gone') forget(sign.id)
  })

  return {
    beat: (ids) => {
      const minute = minuteOf(clock.now())
      for (const id of ids) note(id, minute, isServed)
      for (const [id, cell] of held) {
        if (cell.minute === minute) continue
        held.delete(id)
        put(id, cell)
      }
    },
    read: async (id) => {
      const now = minuteOf(clock.now())
      // Looked at first: what reaches the disk meanwhile is in one or the other.
      const unwritten = [...(writing.get(id) ?? []), ...(waiting.get(id) ?? [])].map(([minute, marks]) => ({
        minute,
        marks,
      }))
      const current = held.get(id)
      const cells = await inTime(stopwatch, readCells(home, id)).catch((): readonly Cell[] => [])
      const found: Notes = new Map(cells.map(({ minute, marks }) => [minute, marks]))
      for (const { minute, marks } of current ? [...unwritten, current] : unwritten)
        found.set(minute, both(found.get(minute) ?? noMarks, marks))
      return [...found].flatMap(([minute, marks]) =>
        minute <= now && minute > now - minutesOfDay ? { minute, marks } : [],
      )
    },
    close: async () => {
      unlisten()
      unwatch()
      for (const [id, cell] of held) put(id, cell)
      held.clear()
      await inTime(stopwatch, Promise.resolve(working)).catch(() => undefined)
    },
  }
}

const slotBytes = 16
const ringBytes = minutesOfDay * slotBytes
const lastMinute = 0xffff_ffff

/** A file that strayed here from another persona tells nothing. */
const sealOf = (id: PersonaId): Buffer => Buffer.from(`minutes ${id}`)

const encode = (name: Buffer, { minute, marks }: Cell): Buffer => {
  const body = Buffer.allocUnsafe(8)
  body.writeUInt32BE(minute, 0)
  body.writeUInt32BE(marks, 4)
  return seal(name, body)
}

/** Undefined for what was never written, or not whole. */
const decode = (name: Buffer, bytes: Buffer): Cell | undefined => {
  const body = unseal(name, bytes)
  return body && { minute: body.readUInt32BE(0), marks: body.readUInt32BE(4) }
}

const placeOf = (minute: number): number => (minute % minutesOfDay) * slotBytes

const readCells = async (home: string, id: PersonaId): Promise<readonly Cell[]> => {
  const bytes = await readFile(minutesFile(home, id))
  const name = sealOf(id)
  if (bytes.length !== ringBytes) return []
  const cells: Cell[] = []
  for (let at = 0; at < ringBytes; at += slotBytes) {
    // Most of a young ring was never written.
    const cell = bytes.readUInt32BE(at) === 0 ? undefined : decode(name, bytes.subarray(at, at + slotBytes))
    if (cell && placeOf(cell.minute) === at) cells.push(cell)
  }
  return cells
}

/** What is known of a minute already stays. */
const write = async (path: string, name: Buffer, notes: Notes): Promise<void> => {
  const file = await openRing(path)
  if (!file) return
  try {
    const old = Buffer.alloc(slotBytes)
    for (const [minute, marks] of notes) {
      await file.read(old, 0, slotBytes, placeOf(minute))
      const known = decode(name, old)
      const all = known?.minute === minute ? both(known.marks, marks) : marks
      await file.write(encode(name, { minute, marks: all }), 0, slotBytes, placeOf(minute))
    }
  } finally {
    await file.close()
  }
}

/** Undefined where the persona is no more: its folder is never made for this. */
const openRing = async (path: string): Promise<FileHandle | undefined> => {
  const file = await openAnyway(path)
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

const openAnyway = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, 'r+')
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT' && code !== 'EISDIR') throw error
    // A folder in its place is moved aside.
    if (code === 'EISDIR') await rename(path, `${path}.${randomUUID()}`)
  }
  try {
    return await open(path, 'wx+', 0o600)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code
