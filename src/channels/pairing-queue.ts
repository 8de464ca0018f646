/**
 * The chats of one channel that wait for a pairing code, in the order of their turns: whoever was never given
 * one first, then whoever was given one longest ago, and of equals whoever waits longest.
 */

export interface PairingQueue {
  readonly size: number
  /**
   * Waits from now on. A chat that waits already keeps its place; where too many wait, the one whose turn
   * comes last leaves.
   */
  join(target: string): void
  /** The next ones, as many as are asked for. */
  next(count: number): readonly string[]
  /** A code was given: it waits no longer, and comes behind all others when it waits again. */
  served(target: string): void
  /** The code came to nothing: as if it had never been given one. */
  unserved(target: string): void
}

/** Three are given a code in ten minutes, so whoever waits behind all others is given one within a day. */
const mostWaiting = 300
/** Chats that are remembered to have been given a code. */
const mostServed = 1000

export const createPairingQueue = (): PairingQueue => {
  /** In the order in which they began to wait. */
  const waiting = new Set<string>()
  /**
   * When each was last given a code, as a number that only grows: no clock can turn it back. The longest ago
   * first.
   */
  const last = new Map<string, number>()
  let given = 0

  const turn = (target: string) => last.get(target) ?? 0
  const inOrder = () => [...waiting].sort((one, other) => turn(one) - turn(other))

  return {
    get size() {
      return waiting.size
    },
    join: (target) => {
      waiting.add(target)
      if (waiting.size > mostWaiting) waiting.delete(inOrder().at(-1) ?? target)
    },
    next: (count) => (waiting.size > 0 && count > 0 ? inOrder().slice(0, count) : []),
    served: (target) => {
      waiting.delete(target)
      last.delete(target)
      last.set(target, ++given)
      if (last.size > mostServed) last.delete([...last.keys()][0] ?? target)
    },
    unserved: (target) => void last.delete(target),
  }
}
