/** A signal that something has changed. Several rings before the next wait count as one. */

export interface Bell {
  ring(): void
  /** Resolves on the next ring, or immediately if it rang since the last call. */
  waitForRing(): Promise<void>
}

export const createBell = (): Bell => {
  let isRung = false
  let wake: (() => void) | undefined
  return {
    ring: () => {
      isRung = true
      wake?.()
    },
    waitForRing: async () => {
      if (!isRung) await new Promise<void>((resolve) => (wake = resolve))
      isRung = false
      wake = undefined
    },
  }
}
