/**
 * Decides which daemon hosts a persona, by rendezvous hashing: when a daemon dies, only its own personas
 * move. Pure.
 */
import type { PersonaId } from '../../facts/fact-values.ts'

/** Returns the id of a daemon, or undefined if there are none. The order of the daemons does not matter. */
export const choosePlacement = (id: PersonaId, daemons: Iterable<string>): string | undefined => {
  const key = hashText(id)
  let place: string | undefined
  let highestWeight: number = -1
  for (const daemon of daemons) {
    const weight = mixBits(key ^ getSeed(daemon))
    if (weight > highestWeight || (weight === highestWeight && place !== undefined && daemon < place)) {
      place = daemon
      highestWeight = weight
    }
  }
  return place
}

const seeds = new Map<string, number>()
/** Cached, because it is needed for every persona. */
const getSeed = (daemon: string): number => {
  const seed = seeds.get(daemon) ?? mixBits(hashText(daemon) ^ 0x9e3779b9)
  seeds.set(daemon, seed)
  return seed
}

/** FNV-1a. */
const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  return hash
}

/**
 * The finalizer of MurmurHash3: similar ids get very different values. Returns an unsigned 32-bit integer.
 */
const mixBits = (value: number): number => {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
