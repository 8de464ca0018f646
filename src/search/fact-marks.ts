/**
 * Properties of all facts besides their words. Kept in memory while an index is open, since each question
 * needs them.
 */
import pLimit from 'p-limit'
import type { Seq } from '../../facts/fact-values.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { add, forEachSeq, noPositions, type Positions } from './positions.ts'

/** Length classes of texts, as index marks; and the middle of a class in words. */
export const lengthClasses = 28
export const lengthMark = (lengthClass: number): string => `:#${lengthClass}`
export const minLengthOfClass = (lengthClass: number): number => 2 ** (lengthClass / 2) - 1
export const getLengthClass = (words: number): number =>
  Math.min(lengthClasses - 1, Math.round(2 * Math.log2(words + 1)))

export interface Marks {
  /** Facts before `to`, from 1. */
  positions(mark: string): Positions
  /** Length class by position minus 1. */
  readonly lengths: Uint8Array
}

type Having = (
  forms: readonly string[],
  isPrefix: boolean,
  from: Seq,
  to: Seq,
  maybeYield: MaybeYield,
) => Promise<Positions>

/** `wanted`: marks to keep, besides lengths. */
export const createMarks = (findHaving: Having, markNames: readonly string[]) => {
  let upTo: Seq = 0
  const positionsByMark = new Map<string, Positions>(markNames.map((mark) => [mark, noPositions(1, 1)]))
  let lengths = new Uint8Array(0)
  const runAlone = pLimit(1)

  const readMore = async (settledSeq: Seq, maybeYield: MaybeYield): Promise<void> => {
    if (settledSeq <= upTo) return
    const from = upTo + 1
    for (const [mark, knownPositions] of positionsByMark) {
      const all = upToSeq(knownPositions, settledSeq + 1)
      forEachSeq(await findHaving([mark], false, from, settledSeq + 1, maybeYield), (seq) => add(all, seq))
      positionsByMark.set(mark, all)
      await maybeYield()
    }
    const knownLengths = new Uint8Array(settledSeq)
    knownLengths.set(lengths)
    for (let n = 0; n < lengthClasses; n++) {
      setLengths(knownLengths, n, await findHaving([lengthMark(n)], false, from, settledSeq + 1, maybeYield))
      await maybeYield()
    }
    lengths = knownLengths
    upTo = settledSeq
  }

  return {
    /** Facts up to `settled` are on disk and do not change. Throws Unusable. */
    before: (to: Seq, settledSeq: Seq, maybeYield: MaybeYield): Promise<Marks> =>
      runAlone(async () => {
        await readMore(settledSeq, maybeYield)
        const all = new Uint8Array(to - 1)
        all.set(lengths.subarray(0, to - 1))
        const positions = new Map<string, Positions>()
        for (const [mark, knownPositions] of positionsByMark) {
          const all = upToSeq(knownPositions, to)
          if (to - 1 > settledSeq)
            forEachSeq(await findHaving([mark], false, settledSeq + 1, to, maybeYield), (seq) =>
              add(all, seq),
            )
          positions.set(mark, all)
        }
        for (let n = 0; n < lengthClasses && to - 1 > settledSeq; n++)
          setLengths(all, n, await findHaving([lengthMark(n)], false, settledSeq + 1, to, maybeYield))
        return {
          lengths: all,
          positions: (mark) => positions.get(mark) ?? noPositions(1, to),
        }
      }),
  }
}

/** Returns a copy without positions from `to` on. */
const upToSeq = ({ bits: knownBits }: Positions, to: Seq): Positions => {
  const all = noPositions(1, to)
  const { bits } = all
  bits.set(knownBits.subarray(0, bits.length))
  if (knownBits.length >= bits.length && (to - 1) % 32 > 0)
    bits[bits.length - 1] = (bits.at(-1) ?? 0) & ((1 << ((to - 1) % 32)) - 1)
  return all
}

const setLengths = (lengths: Uint8Array, lengthClass: number, positions: Positions): void =>
  forEachSeq(positions, (seq) => {
    lengths[seq - 1] = lengthClass
  })
