/**
 * Reads a record by hand if it has exactly the bytes of `encodeRecord` (measured: a third of the decoder's
 * time). All other input needs the decoder, which reports errors.
 */
import { hash } from 'node:crypto'
import type { Seq } from './head.ts'
import type { Cause } from './vocabulary.ts'

/** A stored record with its raw payload. `hash` is the chain hash, lower-case hex. */
export interface StoredRecord {
  readonly seq: Seq
  readonly type: string
  readonly version: number
  readonly at: number
  readonly offset: number
  readonly cause: Cause
  /** For an erased record, the SHA-256 of its payload. */
  readonly salt: Buffer
  readonly payload: Buffer
  readonly header: Buffer
  readonly hash: string
  /** Offsets of three header fields that few readers need. */
  readonly commitAt: number
  readonly prevAt: number
  readonly commitmentAt: number
}

/** Returns the id (hex) that all records of one commit share. */
export const getCommitId = ({ header, commitAt }: StoredRecord): string =>
  header.toString('hex', commitAt, commitAt + 16)

/** Returns the chain hash of the previous record, lower-case hex. */
export const previousHash = ({ header, prevAt }: StoredRecord): string =>
  header.toString('hex', prevAt, prevAt + 32)

/** Returns the hash of salt and payload, one character per byte. */
export const getCommitment = ({ header, commitmentAt }: StoredRecord): string =>
  header.toString('latin1', commitmentAt, commitmentAt + 32)

/** Returns undefined if the decoder is needed. */
export const readStored = (value: Uint8Array): StoredRecord | undefined => {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  const cursor = { bytes, at: 0 }
  if (bytes[cursor.at++] !== frameOfThree) return undefined
  const header = binary(cursor)
  const salt = binary(cursor)
  const payload = binary(cursor)
  if (!header || !salt || !payload || cursor.at !== bytes.length) return undefined
  return readFields({ bytes: header, at: 0 }, salt, payload)
}

interface Cursor {
  readonly bytes: Buffer
  at: number
}

const frameOfThree = 0x93
const listOfTen = 0x9a
const format = 1

const readFields = (cursor: Cursor, salt: Buffer, payload: Buffer): StoredRecord | undefined => {
  const { bytes } = cursor
  if (bytes[cursor.at++] !== listOfTen || bytes[cursor.at++] !== format) return undefined
  const seq = integer(cursor)
  const commitAt = skip(cursor, 16)
  const type = readWord(cursor)
  const version = integer(cursor)
  const time = integer(cursor)
  const offset = integer(cursor)
  const cause = readCause(cursor)
  const prevAt = skip(cursor, 32)
  const commitmentAt = skip(cursor, 32)
  // A failed read leaves the offset elsewhere.
  if (cursor.at !== bytes.length) return undefined
  // Field by field: spreading objects doubled the time of copying a journal (measured).
  return {
    seq,
    type,
    version,
    at: time,
    offset,
    cause,
    salt,
    payload,
    header: bytes,
    hash: hash('sha256', bytes),
    commitAt,
    prevAt,
    commitmentAt,
  }
}

/** Ends the reading: the decoder is needed. */
const readGenericCause = (cursor: Cursor): number => {
  cursor.at = Number.NaN
  return cursor.at
}

/** Reads a map of short words and integers. Records with equal causes share one object. */
const readCause = (cursor: Cursor): Cause => {
  const { bytes, at } = cursor
  for (const latestCause of latestCauses) {
    if (!startsWith(bytes, at, latestCause.bytes)) continue
    cursor.at = at + latestCause.bytes.length
    return latestCause.cause
  }
  const cause: Record<string, string | number> = {}
  const fields = (bytes[cursor.at++] ?? 0) - 0x80
  if (fields < 0 || fields > 15) readGenericCause(cursor)
  for (let n = 0; n < fields && !Number.isNaN(cursor.at); n++) {
    const name = readWord(cursor)
    // Not a name that any decoder accepts.
    if (name === '__proto__') readGenericCause(cursor)
    else cause[name] = (bytes[cursor.at] ?? 0) >> 5 === 5 ? readWord(cursor) : integer(cursor)
  }
  if (cursor.at <= bytes.length) {
    latestCauses.pop()
    latestCauses.unshift({ bytes: Buffer.from(bytes.subarray(at, cursor.at)), cause })
  }
  return cause
}

/** The users of a journal often take turns. An empty place matches nothing. */
const latestCauses = Array.from({ length: 2 }, (): { readonly bytes: Buffer; readonly cause: Cause } => ({
  bytes: Buffer.of(0xc1),
  cause: {},
}))

/** False if an earlier field could not be read. A loop, because a native call takes longer (measured). */
const startsWith = (bytes: Buffer, at: number, expected: Buffer): boolean => {
  if (!(at + expected.length <= bytes.length)) return false
  for (let n = 0; n < expected.length; n++) if (bytes[at + n] !== expected[n]) return false
  return true
}

/** Reads a short ASCII word. */
const readWord = (cursor: Cursor): string => {
  const { bytes, at } = cursor
  const first = bytes[at] ?? 0
  const end = at + 1 + (first & 0x1f)
  if (first >> 5 !== 5) readGenericCause(cursor)
  else cursor.at = end
  let mark = 0
  for (let n = at + 1; n < end; n++) {
    const letter = bytes[n] ?? 0x80
    if (letter >= 0x80) readGenericCause(cursor)
    mark = (31 * mark + letter) & 0xff
  }
  const knownWord = words[mark]
  if (knownWord !== undefined && matches(bytes, at + 1, end, knownWord)) return knownWord
  const text = bytes.toString('latin1', at + 1, end)
  words[mark] = text
  return text
}

/**
 * Cache of words, one per hash. A type name that is the same string object each time is looked up in a third
 * of the time (measured).
 */
const words: (string | undefined)[] = Array.from({ length: 256 }, () => undefined)

const matches = (bytes: Buffer, from: number, to: number, expected: string): boolean => {
  if (to - from !== expected.length) return false
  for (let n = 0; n < expected.length; n++) if (bytes[from + n] !== expected.charCodeAt(n)) return false
  return true
}

const integer = (cursor: Cursor): number => {
  const { bytes } = cursor
  const first = bytes[cursor.at++] ?? 0xc0
  if (first < 0x80) return first
  if (first >= 0xe0) return first - 0x100
  // 0xcc to 0xcf are unsigned, 0xd0 to 0xd2 signed.
  if (first < 0xcc || first > 0xd2) return readGenericCause(cursor)
  const size = 1 << (first & 3)
  let value = 0
  for (let n = 0; n < size; n++) value = value * 0x100 + (bytes[cursor.at++] ?? Number.NaN)
  if (first >= 0xd0 && value >= 2 ** (8 * size - 1)) value -= 2 ** (8 * size)
  return Number.isSafeInteger(value) ? value : readGenericCause(cursor)
}

/** Returns the offset of a binary of this size. */
const skip = (cursor: Cursor, size: number): number => {
  const { bytes, at } = cursor
  if (bytes[at] !== 0xc4 || bytes[at + 1] !== size) return readGenericCause(cursor)
  cursor.at = at + 2 + size
  return at + 2
}

const binary = (cursor: Cursor): Buffer | undefined => {
  const { bytes, at } = cursor
  const isShort = bytes[at] === 0xc4
  if ((!isShort && bytes[at] !== 0xc6) || at + 5 > bytes.length) return undefined
  const beginOffset = at + (isShort ? 2 : 5)
  cursor.at = beginOffset + (isShort ? (bytes[at + 1] ?? 0) : bytes.readUInt32BE(at + 1))
  return cursor.at <= bytes.length ? bytes.subarray(beginOffset, cursor.at) : undefined
}
