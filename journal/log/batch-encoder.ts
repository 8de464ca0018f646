/// <reference lib="es2024.string" />
/** Encodes a batch: turns drafts into records and index entries. */

import { randomBytes } from 'node:crypto'
import { maxCommitBytes, TooLarge } from './errors.ts'
import { createIndexing, type Marks, toMarksOp } from './fact-index.ts'
import type { Head, Seq } from './head.ts'
import type { Commit, Draft, Entry } from './journal.ts'
import { recordKey } from './keys.ts'
import { encodeRecord } from './record.ts'
import type { Op } from './store.ts'
import type { JournalTypes, Vocabulary } from './vocabulary.ts'

export interface Batch {
  /** One per draft. A draft without facts writes nothing, and its commit is empty. */
  readonly commits: readonly Commit[]
  readonly ops: readonly Op[]
  readonly head: Head
  readonly marks: Marks
  /** Dedupe keys of the facts, in order. */
  readonly keys: readonly (readonly [key: string, seq: Seq])[]
}

/** Returns the fact as a replay will read it. Throws ZodError or TypeError for an invalid fact. */
export const asKept = <T extends JournalTypes>(vocabulary: Vocabulary<T>, event: T['fact']): T['fact'] =>
  vocabulary.parse(toPlain(event))

/** `random` returns random bytes. Throws TooLarge, and ZodError or TypeError for an invalid fact. */
export const encodeBatch = (
  vocabulary: Vocabulary,
  drafts: readonly Draft[],
  previousHead: Head,
  marksBefore: Marks,
  random: (bytes: number) => Buffer,
): Batch => {
  const facts = drafts.reduce((sum, { events }) => sum + events.length, 0)
  // Taken together: 16 random bytes cost as much as 500 (measured).
  const dice = dealing(random(16 * (facts + drafts.length)))
  const ops: Op[] = []
  const keys: [string, Seq][] = []
  const index = createIndexing(marksBefore)
  let head = previousHead
  const commits = drafts.map(({ events, checked = false, cause: draftCause, at, offset }): Commit => {
    const commit = dice()
    const name = commit.toString('hex')
    const cause = vocabulary.parseCause(draftCause)
    if (!Number.isSafeInteger(at) || !Number.isSafeInteger(offset))
      throw new TypeError('the time and the offset of a draft must be integers')
    let size = 0
    const entries = events.map((draftEvent): Entry => {
      const event = checked ? draftEvent : asKept(vocabulary, draftEvent)
      const record = encodeRecord(vocabulary, { commit, salt: dice(), cause, at, offset, event }, head)
      const entry = index.add(record.head, vocabulary.indexFor(event.type))
      const key = vocabulary.dedupeKey(event)
      ops.push({ type: 'put', key: recordKey(record.head.seq), value: record.value })
      if (entry) ops.push(entry)
      if (key !== null) keys.push([key, record.head.seq])
      size += record.value.length
      if (size > maxCommitBytes) throw new TooLarge(`a commit has at most ${maxCommitBytes} bytes`)
      head = record.head
      // An object literal; spreading parts takes a microsecond (measured).
      return {
        seq: head.seq,
        commit: name,
        type: event.type,
        at,
        offset,
        cause,
        erased: false,
        event,
      }
    })
    return { entries, head }
  })
  const marks = index.marks()
  if (facts > 0) ops.push(toMarksOp(marks))
  return { commits, ops, head, marks, keys }
}

const dealing = (bytes: Buffer): (() => Buffer) => {
  let position = 0
  return () => {
    position += 16
    return bytes.subarray(position - 16, position)
  }
}

// Normalizes plain data to the form that MessagePack returns, so that published values equal replayed ones.

/**
 * Returns the value as a replay will read it: lone surrogates become U+FFFD, -0 becomes 0, absent values are
 * removed (null in a list), and so is a key named `__proto__`, which no decoder accepts. Returns the same
 * object if nothing changes, which is usual. Throws TypeError for values that are not plain data (a Map, a
 * Date, a bigint, a function).
 */
export const toPlain = (value: unknown): unknown => (isPlain(value) ? value : copy(value))

const isPlain = (value: unknown): boolean => {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed()
    case 'number':
      return !Object.is(value, -0)
    case 'boolean':
      return true
    case 'object':
      if (value === null) return true
      if (Array.isArray(value)) return value.every(isPlain)
      return isRecord(value) && hasPlainFields(value)
    default:
      return false
  }
}

/** A loop, because a list of names and a callback would be garbage for each appended fact. */
const hasPlainFields = (value: Readonly<Record<string, unknown>>): boolean => {
  for (const key in value)
    if (!Object.hasOwn(value, key) || key === '__proto__' || !key.isWellFormed() || !isPlain(value[key]))
      return false
  return true
}

const copy = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number') return value === 0 ? 0 : value
  if (typeof value === 'boolean' || value === null || value === undefined || value instanceof Uint8Array)
    return value
  if (Array.isArray(value)) return value.map((item) => copy(item) ?? null)
  if (typeof value === 'object' && isRecord(value)) {
    const entries = Object.entries(value).filter(([key, item]) => item !== undefined && key !== '__proto__')
    return Object.fromEntries(entries.map(([key, item]) => [key.toWellFormed(), copy(item)]))
  }
  throw new TypeError(`${Object.prototype.toString.call(value)} is not plain data`)
}

const isRecord = (value: object): value is Readonly<Record<string, unknown>> => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

// A pool of random bytes (measured: 16 cost 40 µs, as much as thousands).

const poolBytes = 8192

/** Never returns the same bytes twice. */
export const createRandomPool = (): ((bytes: number) => Buffer) => {
  let freeBytes = Buffer.alloc(0)
  return (bytes) => {
    if (bytes > freeBytes.length) freeBytes = randomBytes(Math.max(poolBytes, bytes))
    const part = freeBytes.subarray(0, bytes)
    freeBytes = freeBytes.subarray(bytes)
    return part
  }
}
