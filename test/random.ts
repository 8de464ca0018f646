/**
 * Reproducible random numbers: the seed is printed, and `SEED=<n>` repeats a run. In `npm test` each test has
 * a fixed seed, so that the same code gets the same result; the ordeals draw new ones.
 */
import { isWhole } from './ordeal.ts'

export interface Chance {
  /** From 0 to 1, without 1. */
  next(): number
  /** Returns an integer from `from` to `to`, inclusive. */
  pickBetween(first: number, last: number): number
  pick<T>(items: readonly [T, ...T[]]): T
}

export const createChance = (name: string): Chance => {
  const seed = getSeed(name)
  console.log(`\n· ${name} | SEED=${seed}`)
  return chanceFrom(seed)
}

/** From 1 to 2^31. */
export const getSeed = (name: string): number =>
  Number(process.env.SEED) || (isWhole ? Math.floor(Math.random() * 2 ** 31) + 1 : ownSeed(name))

/** FNV-1a. */
const ownSeed = (name: string): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 1) + 1
}

/** Mulberry32: small, and sufficient for choosing moments. */
export const chanceFrom = (seed: number): Chance => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixedState = Math.imul(state ^ (state >>> 15), state | 1)
    mixedState ^= mixedState + Math.imul(mixedState ^ (mixedState >>> 7), mixedState | 61)
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 2 ** 32
  }
  const pickBetween = (first: number, last: number) => first + Math.floor(next() * (last - first + 1))
  return {
    next,
    pickBetween,
    pick: (items) => items[pickBetween(0, items.length - 1)] as (typeof items)[0],
  }
}
