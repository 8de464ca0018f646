/** Takes a sample of a text to detect its encoding, and counts bytes in it. */
import { isAscii } from 'node:buffer'

/** The beginning, and the bytes around the next non-ASCII letters. No piece ends within a letter. */
export type Sample = readonly Buffer[]

const sampleBytes = 64 * 1024
/** Number of non-ASCII bytes that are enough for a guess. */
const sufficientBytes = 1000
/** Bytes before a non-ASCII letter that are included. */
const contextBytes = 256

/** Stops when the sample is large enough. ASCII text is read to its end. */
export const takeSample = async (chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Sample> => {
  const head: Buffer[] = []
  const laterPieces: Buffer[] = []
  const remainingBytes = { head: sampleBytes, later: sampleBytes }
  let highBytes = 0
  for await (const chunk of chunks) {
    const headPart = chunk.subarray(0, remainingBytes.head)
    if (headPart.length > 0) head.push(headPart)
    remainingBytes.head -= headPart.length
    highBytes += countHigh(headPart)
    const rest = chunk.subarray(headPart.length)
    if (!isAscii(rest)) {
      const piece = startAtBreak(rest).subarray(0, remainingBytes.later)
      laterPieces.push(piece)
      remainingBytes.later -= piece.length
      highBytes += countHigh(piece)
    }
    if (remainingBytes.head === 0 && (highBytes >= sufficientBytes || remainingBytes.later === 0)) break
  }
  const first = Buffer.concat(head)
  return remainingBytes.head > 0 ? [first] : [first, ...laterPieces].map(trimToBreak)
}

/** Takes the sample of a text in memory, or of its beginning. */
export const toSample = (bytes: Buffer): Sample => {
  if (bytes.length < sampleBytes) return [bytes]
  const first = bytes.subarray(0, sampleBytes)
  const rest = bytes.subarray(sampleBytes)
  if (isAscii(rest) || countHigh(first) >= sufficientBytes) return [trimToBreak(first)]
  return [trimToBreak(first), trimToBreak(startAtBreak(rest).subarray(0, sampleBytes))]
}

/** Lower bytes are never a later byte of a multibyte letter, except in UTF-16. */
const minLaterByte = 0x30

/** Removes a letter at the end that may be incomplete. */
const trimToBreak = (bytes: Buffer): Buffer => {
  const end = bytes.subarray(-1024).findLastIndex((byte) => byte < minLaterByte)
  const wholeLetters = bytes.subarray(0, Math.max(0, bytes.length - 1024) + end + 1)
  // All of the non-ASCII letters may be after the last break.
  return end < 0 || isAscii(wholeLetters) ? bytes : wholeLetters
}

/** Starts at a break before the first non-ASCII letter, so no letter is split. */
const startAtBreak = (bytes: Buffer): Buffer => {
  const first = bytes.findIndex((byte) => byte >= 0x80)
  const from = Math.max(0, first - contextBytes)
  const offset = bytes.subarray(from).findIndex((byte) => byte < minLaterByte)
  return offset < 0 ? bytes.subarray(from) : bytes.subarray(from + offset)
}

/** Max bytes for the detector. */
const maxDetectorBytes = 16 * 1024

/** Returns the lines with non-ASCII letters. Long lines are truncated. */
export const linesWithLetters = (sample: Sample): Buffer => {
  const lines: Buffer[] = []
  let remainingBytes = maxDetectorBytes
  for (const bytes of sample)
    for (let from = 0; from < bytes.length && remainingBytes > 0; ) {
      const end = bytes.indexOf(0x0a, from)
      const line = bytes.subarray(from, end < 0 ? bytes.length : end + 1)
      from += line.length
      if (isAscii(line)) continue
      const part =
        line.length > remainingBytes ? trimToBreak(startAtBreak(line).subarray(0, remainingBytes)) : line
      lines.push(part)
      remainingBytes -= part.length
    }
  return Buffer.concat(lines)
}

export const countHigh = (bytes: Buffer): number => {
  let highBytes = 0
  for (const byte of bytes) if (byte >= 0x80) highBytes++
  return highBytes
}

/**
 * Returns true if there are control characters that text does not have. Form feed, escape and the DOS end
 * mark are allowed.
 */
export const hasControls = (bytes: Buffer): boolean =>
  bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 0x1a && byte !== 0x1b))

export interface Utf8Count {
  /** Number of valid non-ASCII letters. */
  readonly valid: number
  /** Number of invalid bytes. */
  readonly invalid: number
}

/** Letters that are split at the end of a piece are not counted. */
export const countUtf8 = ([first = Buffer.alloc(0), ...laterPieces]: Sample): Utf8Count => {
  const counts = [
    countPiece(first, first.length < sampleBytes / 2),
    ...laterPieces.map((piece) =>
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
  /** Bytes that the current letter still needs. */
  let missingBytes = 0
  for (const byte of bytes) {
    if (missingBytes > 0 && isContinuation(byte)) {
      if (--missingBytes === 0) valid++
      continue
    }
    if (missingBytes > 0) invalid++
    missingBytes = byte < 0x80 ? 0 : countFollowingBytes(byte)
    if (byte >= 0x80 && missingBytes === 0) invalid++
  }
  return { valid, invalid: invalid + (missingBytes > 0 && isWhole ? 1 : 0) }
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

/** Returns the number of bytes that follow the first byte of a letter, or 0 if it is not a first byte. */
const countFollowingBytes = (first: number): number => {
  if (first < 0xc2 || first > 0xf4) return 0
  if (first < 0xe0) return 1
  return first < 0xf0 ? 2 : 3
}
