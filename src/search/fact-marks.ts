/**
 * Properties of all facts besides their words. Kept in memory while an index is open, since each question
 * needs them.
 */
import pLimit from 'p-limit'
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { add, each, noPositions, type Positions } from './positions.ts'

/** Length classes of texts, as index marks; and the middle of a class in words. */
export const lengthClasses = 28
export const lengthMark = (lengthClass: number): string => `:#${lengthClass}`
export const minLengthOfClass = (lengthClass: number): number => 2 ** (lengthClass / 2) - 1
export const lengthClassOf = (words: number): number =>
  Math.min(lengthClasses - 1, Math.round(2 * Math.log2(words + 1)))

export interface Marks {
  /** Facts before `to`, from 1. */
  positions(mark: string): Positions
  /** Length class by position minus 1. */
  readonly lengths: Uint8Array
}

type Having = (
  forms: readonly string[],
  begins: boolean,
  from: Seq,
  to: Seq,
  maybeYield: MaybeYield,
) => Promise<Positions>

/** `wanted`: marks to keep, besides lengths. */
export const createMarks = (having: Having, wanted: readonly string[]) => {
  let upTo: Seq = 0
  const kept = new Map<string, Positions>(wanted.map((mark) => [mark, noPositions(1, 1)]))
  let lengths = new Uint8Array(0)
  const alone = pLimit(1)

  const more = async (settled: Seq, maybeYield: MaybeYield): Promise<void> => {
    if (settled <= upTo) return
    const from = upTo + 1
    for (const [mark, known] of kept) {
      const all = upToSeq(known, settled + 1)
      each(await having([mark], false, from, settled + 1, maybeYield), (seq) => add(all, seq))
      kept.set(mark, all)
      await maybeYield()
    }
    const known = new Uint8Array(settled)
    known.set(lengths)
    for (let n = 0; n < lengthClasses; n++) {
      setLengths(known, n, await having([lengthMark(n)], false, from, settled + 1, maybeYield))
      await maybeYield()
    }
    lengths = known
    upTo = settled
  }

  return {
    /** Facts up to `settled` are on disk and do not change. Throws Unusable. */
    before: (to: Seq, settled: Seq, maybeYield: MaybeYield): Promise<Marks> =>
      alone(async () => {
        await more(settled, maybeYield)
        const all = new Uint8Array(to - 1)
        all.set(lengths.subarray(0, to - 1))
        const positions = new Map<string, Positions>()
        for (const [mark, known] of kept) {
          const all = upToSeq(known, to)
          if (to - 1 > settled)
            each(await having([mark], false, settled + 1, to, maybeYield), (seq) => add(all, seq))
          positions.set(mark, all)
        }
        for (let n = 0; n < lengthClasses && to - 1 > settled; n++)
          setLengths(all, n, await having([lengthMark(n)], false, settled + 1, to, maybeYield))
        return {
          lengths: all,
          positions: (mark) => positions.get(mark) ?? noPositions(1, to),
        }
      }),
  }
}

/** Returns a copy without positions from `to` on. */
const upToSeq = ({ bits: known }: Positions, to: Seq): Positions => {
  const all = noPositions(1, to)
  const { bits } = all
  bits.set(known.subarray(0, bits.length))
  if (known.length >= bits.length && (to - 1) % 32 > 0)
    bits[bits.length - 1] = (bits.at(-1) ?? 0) & ((1 << ((to - 1) % 32)) - 1)
  return all
}

const setLengths = (lengths: Uint8Array, lengthClass: number, positions: Positions): void =>
  each(positions, (seq) => {
    lengths[seq - 1] = lengthClass
  })
