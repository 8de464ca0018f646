/** Derives the portrait of a persona from its id: always the same, and different for most other personas. */

const hues = 6

export const getInitial = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? '·'

export const getHue = (id: string): number => toSeed(id) % hues

/** Returns a generator of pseudo-random numbers from 0 (inclusive) to 1 (exclusive). */
export const createRandom = (id: string): (() => number) => {
  let state = toSeed(id)
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const toSeed = (id: string): number =>
  [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2_147_483_629, 7) || 1
