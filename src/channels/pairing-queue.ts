/**
 * The chats of one channel that wait for a pairing code. Chats that never had a code come first, then those
 * whose last code is the oldest. Ties go to the chat that has waited longest.
 */

export interface PairingQueue {
  readonly size: number
  /**
   * Adds a chat. A chat that is already waiting keeps its place. If the queue is full, the chat in the last
   * place is removed.
   */
  join(target: string): void
  /** Returns the next chats, at most `count`. */
  next(count: number): readonly string[]
  /** Removes a chat that was given a code. If it joins again, it comes after all others. */
  markServed(target: string): void
  /** Call this if the code could not be delivered: the chat counts as never served. */
  markUnserved(target: string): void
}

/** With three codes in ten minutes, even the last chat in the queue gets a code within a day. */
const maxWaiting = 300
/** Max served chats that are remembered. */
const maxServed = 1000

export const createPairingQueue = (): PairingQueue => {
  /** In the order of joining. */
  const waitingTargets = new Set<string>()
  /** A counter value of the last code per chat, oldest first. A counter is independent of clock changes. */
  const last = new Map<string, number>()
  let counter = 0

  const turn = (target: string) => last.get(target) ?? 0
  const inOrder = () => [...waitingTargets].sort((first, second) => turn(first) - turn(second))

  return {
    get size() {
      return waitingTargets.size
    },
    join: (target) => {
      waitingTargets.add(target)
      if (waitingTargets.size > maxWaiting) waitingTargets.delete(inOrder().at(-1) ?? target)
    },
    next: (count) => (waitingTargets.size > 0 && count > 0 ? inOrder().slice(0, count) : []),
    markServed: (target) => {
      waitingTargets.delete(target)
      last.delete(target)
      last.set(target, ++counter)
      if (last.size > maxServed) last.delete([...last.keys()][0] ?? target)
    },
    markUnserved: (target) => void last.delete(target),
  }
}
