/** An inverted index: sorted positions per word, in chunks whose key is the word and the first position. */
import type { Seq } from '../../facts/fact-values.ts'
import { readSeq, writeSeq } from '../../journal/log/keys.ts'
import type { Op, Span } from '../../journal/log/store.ts'

/** No chunk crosses a multiple of it, so that parts of a life can be queried alone. */
export const partOfLife = 2 ** 18

const nul = Buffer.from([0])
const endKey = Buffer.from([0xff])

const wordPrefix = (word: string): Buffer => Buffer.concat([Buffer.from(`w/${word}`), nul])

const toKey = (prefix: Buffer, seq: Seq): Buffer => {
  const key = Buffer.allocUnsafe(prefix.length + 8)
  prefix.copy(key)
  writeSeq(key, prefix.length, seq)
  return key
}

/** Key range of the chunks of a word that begin at `from <= seq < to`. */
export const wordSpan = (word: string, from: Seq, to: Seq): Span => {
  const prefix = wordPrefix(word)
  return { from: toKey(prefix, from), to: toKey(prefix, to) }
}

/** Key range of all words with a prefix. */
export const beginningSpan = (beginning: string): Span => {
  const prefix = Buffer.from(`w/${beginning}`)
  return { from: prefix, to: Buffer.concat([prefix, endKey]) }
}

/** Returns the chunks of a word. `seqs` ascend. */
export function* stretches(word: string, seqs: readonly Seq[]): Generator<Op> {
  const prefix = wordPrefix(word)
  for (let from = 0, to = 0; from < seqs.length; from = to) {
    const first = seqs[from] ?? 0
    const end = (Math.floor(first / partOfLife) + 1) * partOfLife
    while (to < seqs.length && (seqs[to] ?? 0) < end) to++
    yield { type: 'put', key: toKey(prefix, first), value: gaps(seqs, from, to) }
  }
}

/** Differences as varints: 7 bits per byte, lowest first. */
const gaps = (seqs: readonly Seq[], from: number, to: number): Buffer => {
  const bytes: number[] = []
  for (let n = from + 1; n < to; n++) {
    let gap = (seqs[n] ?? 0) - (seqs[n - 1] ?? 0)
    for (; gap > 127; gap = Math.floor(gap / 128)) bytes.push((gap % 128) + 128)
    bytes.push(gap)
  }
  return Buffer.from(bytes)
}

/** A bit set of positions with `from <= seq < to`, 32 per element. */
export interface Positions {
  readonly from: Seq
  readonly to: Seq
  readonly bits: Int32Array
}

export const noPositions = (from: Seq, to: Seq): Positions => ({
  from,
  to,
  bits: new Int32Array(Math.ceil((to - from) / 32)),
})

export const add = ({ from, to, bits }: Positions, seq: Seq): void => {
  if (seq < from || seq >= to) return
  const place = seq - from
  bits[place >> 5] = (bits[place >> 5] ?? 0) | (1 << (place & 31))
}

export const hasSeq = ({ from, to, bits }: Positions, seq: Seq): boolean => {
  const place = seq - from
  return place >= 0 && seq < to && (((bits[place >> 5] ?? 0) >>> (place & 31)) & 1) === 1
}

/** Adds the positions of a chunk. */
export const addStretch = (positions: Positions, key: Buffer, value: Buffer): void =>
  forEachInStretch(key, value, (seq) => add(positions, seq))

/** Calls `act` with each position of a chunk, ascending. */
export const forEachInStretch = (key: Buffer, value: Buffer, act: (seq: Seq) => void): void => {
  let seq = readSeq(key, key.length - 8)
  act(seq)
  for (let position = 0, gap = 0, scale = 1; position < value.length; position++) {
    const byte = value[position] ?? 0
    gap += (byte & 127) * scale
    scale *= 128
    if (byte > 127) continue
    seq += gap
    act(seq)
    gap = 0
    scale = 1
  }
}

/** Returns the word of a chunk. */
export const wordInKey = (key: Buffer): string => key.toString('utf8', 2, key.length - 9)

// A loop: `map` is slow (measured) with a callback per element of a long life.
export const intersect = (first: Positions, second: Positions): Positions => {
  const bits = new Int32Array(first.bits.length)
  for (let n = 0; n < bits.length; n++) bits[n] = (first.bits[n] ?? 0) & (second.bits[n] ?? 0)
  return { ...first, bits }
}

export const unite = (first: Positions, second: Positions): Positions => {
  const bits = new Int32Array(first.bits.length)
  for (let n = 0; n < bits.length; n++) bits[n] = (first.bits[n] ?? 0) | (second.bits[n] ?? 0)
  return { ...first, bits }
}

/** Returns a copy without some positions. */
export const withoutSeqs = (positions: Positions, seqs: readonly Seq[]): Positions => {
  const { from, to } = positions
  const bits = positions.bits.slice()
  for (const seq of seqs) {
    const place = seq - from
    if (place >= 0 && seq < to) bits[place >> 5] = (bits[place >> 5] ?? 0) & ~(1 << (place & 31))
  }
  return { from, to, bits }
}

export const isEmpty = ({ bits }: Positions): boolean => {
  for (let n = 0; n < bits.length; n++) if (bits[n] !== 0) return false
  return true
}

export const countPositions = ({ bits }: Positions): number => {
  let count = 0
  for (let n = 0; n < bits.length; n++) count += onesIn(bits[n] ?? 0)
  return count
}

/** Population count: adds up pairs, then nibbles, then bytes. */
const onesIn = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fourBitCounts = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fourBitCounts + (fourBitCounts >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** `from` is the start plus a multiple of 32. */
export const part = ({ from: first, bits }: Positions, from: Seq, to: Seq): Positions => ({
  from,
  to,
  bits: bits.subarray((from - first) >> 5, Math.ceil((to - first) / 32)),
})

/**
 * Writes the offsets into an array, ascending. Returns their count. Measured: faster than a callback for
 * each.
 */
export const placesIn = ({ bits }: Positions, target: Int32Array): number => {
  let count = 0
  for (let n = 0; n < bits.length; n++)
    for (let word = bits[n] ?? 0; word !== 0; word &= word - 1)
      target[count++] = n * 32 + 31 - Math.clz32(word & -word)
  return count
}

export const hasPlace = ({ bits }: Positions, place: number): boolean =>
  ((bits[place >> 5] ?? 0) & (1 << (place & 31))) !== 0

/** Returns the nearest smaller offset, or -1. */
export const placeBefore = ({ bits }: Positions, place: number): number => {
  let n = place >> 5
  let word = (bits[n] ?? 0) & ((1 << (place & 31)) - 1)
  while (word === 0 && n > 0) word = bits[--n] ?? 0
  return word === 0 ? -1 : n * 32 + 31 - Math.clz32(word)
}

/** Returns the nearest larger offset, or -1. */
export const nextPosition = ({ bits }: Positions, place: number): number => {
  let n = place >> 5
  // Two shifts: a shift by 32 does nothing.
  let word = (bits[n] ?? 0) & ((-1 << (place & 31)) << 1)
  while (word === 0 && ++n < bits.length) word = bits[n] ?? 0
  return word === 0 ? -1 : n * 32 + 31 - Math.clz32(word & -word)
}

/** Oldest first. */
export const forEachSeq = (positions: Positions, act: (seq: Seq) => void): void => {
  const places = new Int32Array(countPositions(positions))
  placesIn(positions, places)
  for (const place of places) act(positions.from + place)
}

/** Newest first. */
export function* newestFirst({ from, bits }: Positions): Generator<Seq> {
  for (let n = bits.length - 1; n >= 0; n--) {
    for (let word = bits[n] ?? 0; word !== 0; ) {
      const place = 31 - Math.clz32(word)
      yield from + n * 32 + place
      word &= ~(1 << place)
    }
  }
}
