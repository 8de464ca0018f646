/** The part of a text by which its encoding is found, and counts over bytes. */
import { isAscii } from 'node:buffer'

/** The beginning, and the bytes around the next letters beyond ASCII. No piece ends within a letter. */
export type Sample = readonly Buffer[]

const sampleBytes = 64 * 1024
/** Bytes beyond ASCII that suffice. */
const enough = 1000
/** Bytes before a letter that are taken with it. */
const before = 256

/** Reads only as far as it has to: a text in ASCII to its end. */
export const takeSample = async (chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Sample> => {
  const head: Buffer[] = []
  const later: Buffer[] = []
  const left = { head: sampleBytes, later: sampleBytes }
  let high = 0
  for await (const chunk of chunks) {
    const begin = chunk.subarray(0, left.head)
    if (begin.length > 0) head.push(begin)
    left.head -= begin.length
    high += countHigh(begin)
    const rest = chunk.subarray(begin.length)
    if (!isAscii(rest)) {
      const piece = afterBreak(rest).subarray(0, left.later)
      later.push(piece)
      left.later -= piece.length
      high += countHigh(piece)
    }
    if (left.head === 0 && (high >= enough || left.later === 0)) break
  }
  const first = Buffer.concat(head)
  return left.head > 0 ? [first] : [first, ...later].map(untilBreak)
}

/** Of a text that is in memory, or its beginning. */
export const toSample = (bytes: Buffer): Sample => {
  if (bytes.length < sampleBytes) return [bytes]
  const first = bytes.subarray(0, sampleBytes)
  const rest = bytes.subarray(sampleBytes)
  if (isAscii(rest) || countHigh(first) >= enough) return [untilBreak(first)]
  return [untilBreak(first), untilBreak(afterBreak(rest).subarray(0, sampleBytes))]
}

/** Bytes below are no part of a longer letter in any encoding but UTF-16. */
const longest = 0x30

/** Without a letter at the end that may be cut. */
const untilBreak = (bytes: Buffer): Buffer => {
  const end = bytes.subarray(-1024).findLastIndex((byte) => byte < longest)
  const whole = bytes.subarray(0, Math.max(0, bytes.length - 1024) + end + 1)
  // The only letters may stand behind the last break.
  return end < 0 || isAscii(whole) ? bytes : whole
}

/** From a place before the first letter beyond ASCII where no letter is cut. */
const afterBreak = (bytes: Buffer): Buffer => {
  const first = bytes.findIndex((byte) => byte >= 0x80)
  const from = Math.max(0, first - before)
  const offset = bytes.subarray(from).findIndex((byte) => byte < longest)
  return offset < 0 ? bytes.subarray(from) : bytes.subarray(from + offset)
}

/** Bytes that are weighed. */
const mostWeighed = 16 * 1024

/** Lines with letters beyond ASCII; of a long line its beginning. */
export const linesWithLetters = (sample: Sample): Buffer => {
  const lines: Buffer[] = []
  let left = mostWeighed
  for (const bytes of sample)
    for (let from = 0; from < bytes.length && left > 0; ) {
      const end = bytes.indexOf(0x0a, from)
      const line = bytes.subarray(from, end < 0 ? bytes.length : end + 1)
      from += line.length
      if (isAscii(line)) continue
      const part = line.length > left ? untilBreak(afterBreak(line).subarray(0, left)) : line
      lines.push(part)
      left -= part.length
    }
  return Buffer.concat(lines)
}

export const countHigh = (bytes: Buffer): number => {
  let high = 0
  for (const byte of bytes) if (byte >= 0x80) high++
  return high
}

/** Control characters that no text has. A page break, an escape and the end mark of DOS are none of them. */
export const hasControls = (bytes: Buffer): boolean =>
  bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 0x1a && byte !== 0x1b))

export interface Utf8Count {
  /** Letters beyond ASCII. */
  readonly valid: number
  /** Bytes that belong to no letter. */
  readonly invalid: number
}

/** What is cut at the ends of pieces counts as neither. */
export const countUtf8 = ([first = Buffer.alloc(0), ...later]: Sample): Utf8Count => {
  const counts = [
    countPiece(first, first.length < sampleBytes / 2),
    ...later.map((piece) =>
      countPiece(piece.subarray(piece.findIndex((byte) => !isContinuation(byte))), false),
    ),
  ]
  return {
    valid: counts.reduce((sum, { valid }) => sum + valid, 0),
    invalid: counts.reduce((sum, { invalid }) => sum + invalid, 0),
  }
}

const countPiece = (bytes: Buffer, isWhole: boolean): Utf8Count => {
  let valid = 0
  let invalid = 0
  /** Bytes that a letter which has begun still needs. */
  let missing = 0
  for (const byte of bytes) {
    if (missing > 0 && isContinuation(byte)) {
      if (--missing === 0) valid++
      continue
    }
    if (missing > 0) invalid++
    missing = byte < 0x80 ? 0 : bytesAfter(byte)
    if (byte >= 0x80 && missing === 0) invalid++
  }
  return { valid, invalid: invalid + (missing > 0 && isWhole ? 1 : 0) }
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

/** Bytes that follow the first of a letter; 0 for one that begins none. */
const bytesAfter = (first: number): number => {
  if (first < 0xc2 || first > 0xf4) return 0
  if (first < 0xe0) return 1
  return first < 0xf0 ? 2 : 3
}
