/**
 * Positions by the word that stands there, as an index keeps them: sorted, in stretches, each under the word
 * and its first position.
 */
import type { Seq } from '../../journal/facts/fact-values.ts'
import { readSeq, writeSeq } from '../../journal/log/keys.ts'
import type { Op, Span } from '../../journal/log/store.ts'

/** No stretch of positions crosses a multiple of it, so that a part of its life can be asked for alone. */
export const partOfLife = 2 ** 18

const nul = Buffer.from([0])
const behind = Buffer.from([0xff])

const wordPrefix = (word: string): Buffer => Buffer.concat([Buffer.from(`w/${word}`), nul])

const keyOf = (prefix: Buffer, seq: Seq): Buffer => {
  const key = Buffer.allocUnsafe(prefix.length + 8)
  prefix.copy(key)
  writeSeq(key, prefix.length, seq)
  return key
}

/** Of one word, stretches that begin at `from <= seq < to`. */
export const wordSpan = (word: string, from: Seq, to: Seq): Span => {
  const prefix = wordPrefix(word)
  return { from: keyOf(prefix, from), to: keyOf(prefix, to) }
}

/** Of all words that begin with one. */
export const beginningSpan = (beginning: string): Span => {
  const prefix = Buffer.from(`w/${beginning}`)
  return { from: prefix, to: Buffer.concat([prefix, behind]) }
}

/** Ascending positions of a word. */
export function* stretches(word: string, seqs: readonly Seq[]): Generator<Op> {
  const prefix = wordPrefix(word)
  for (let from = 0, to = 0; from < seqs.length; from = to) {
    const first = seqs[from] ?? 0
    const end = (Math.floor(first / partOfLife) + 1) * partOfLife
    while (to < seqs.length && (seqs[to] ?? 0) < end) to++
    yield { type: 'put', key: keyOf(prefix, first), value: gaps(seqs, from, to) }
  }
}

/** Numbers of seven bits a byte, the lowest first: how far each is from the one before it. */
const gaps = (seqs: readonly Seq[], from: number, to: number): Buffer => {
  const bytes: number[] = []
  for (let n = from + 1; n < to; n++) {
    let gap = (seqs[n] ?? 0) - (seqs[n - 1] ?? 0)
    for (; gap > 127; gap = Math.floor(gap / 128)) bytes.push((gap % 128) + 128)
    bytes.push(gap)
  }
  return Buffer.from(bytes)
}

/** A set of positions with `from <= seq < to`. */
export interface Positions {
  readonly from: Seq
  readonly to: Seq
  readonly bits: Uint8Array
}

export const noPositions = (from: Seq, to: Seq): Positions => ({
  from,
  to,
  bits: new Uint8Array(Math.ceil((to - from) / 8)),
})

export const add = ({ from, to, bits }: Positions, seq: Seq): void => {
  if (seq < from || seq >= to) return
  const place = seq - from
  bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7))
}

/** Adds what lies under a key. */
export const addStretch = (positions: Positions, key: Buffer, value: Buffer): void => {
  let seq = readSeq(key, key.length - 8)
  add(positions, seq)
  for (let at = 0, gap = 0, scale = 1; at < value.length; at++) {
    const byte = value[at] ?? 0
    gap += (byte & 127) * scale
    scale *= 128
    if (byte > 127) continue
    seq += gap
    add(positions, seq)
    gap = 0
    scale = 1
  }
}

// A loop: ⏱ `map` calls back for every byte of a long life.
export const intersect = (one: Positions, other: Positions): Positions => {
  const bits = new Uint8Array(one.bits.length)
  for (let n = 0; n < bits.length; n++) bits[n] = (one.bits[n] ?? 0) & (other.bits[n] ?? 0)
  return { ...one, bits }
}

export const unite = (one: Positions, other: Positions): Positions => {
  const bits = new Uint8Array(one.bits.length)
  for (let n = 0; n < bits.length; n++) bits[n] = (one.bits[n] ?? 0) | (other.bits[n] ?? 0)
  return { ...one, bits }
}

export const isEmpty = ({ bits }: Positions): boolean => bits.every((byte) => byte === 0)

export const countOf = ({ bits }: Positions): number => {
  let count = 0
  for (let n = 0; n < bits.length; n++) count += ones[bits[n] ?? 0] ?? 0
  return count
}

const ones = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

/** `from` is a multiple of eight behind where they begin. */
export const part = ({ from: first, bits }: Positions, from: Seq, to: Seq): Positions => ({
  ...{ from, to },
  bits: bits.subarray((from - first) >> 3, Math.ceil((to - first) / 8)),
})

/** The oldest first. */
export const each = ({ from, bits }: Positions, act: (seq: Seq) => void): void => {
  for (let n = 0; n < bits.length; n++)
    for (let byte = bits[n] ?? 0; byte !== 0; byte &= byte - 1)
      act(from + n * 8 + 31 - Math.clz32(byte & -byte))
}

/** The newest first. */
export function* newestFirst({ from, bits }: Positions): Generator<Seq> {
  for (let place = bits.length - 1; place >= 0; place--) {
    const byte = bits[place] ?? 0
    if (byte === 0) continue
    for (let bit = 7; bit >= 0; bit--) if (byte & (1 << bit)) yield from + place * 8 + bit
  }
}
