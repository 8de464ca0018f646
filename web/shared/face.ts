/**
 * What the portrait of a persona is drawn from: always the same for it, and different for most neighbours.
 */

const hues = 6

export const initialOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? '·'

export const hueOf = (id: string): number => seedOf(id) % hues

/** Numbers from 0 up to 1, one after another. */
export const chanceOf = (id: string): (() => number) => {
  let state = seedOf(id)
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const seedOf = (id: string): number =>
  [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2_147_483_629, 7) || 1
