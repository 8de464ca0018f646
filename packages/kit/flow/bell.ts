/**
 * A sign that something has changed, for one who looks again then: however often it was given meanwhile,
 * once.
 */

export interface Bell {
  ring(): void
  /** Resolves at once where it was rung since the last time. */
  rung(): Promise<void>
}

export const createBell = (): Bell => {
  let isRung = false
  let wake: (() => void) | undefined
  return {
    ring: () => {
      isRung = true
      wake?.()
    },
    rung: async () => {
      if (!isRung) await new Promise<void>((resolve) => (wake = resolve))
      isRung = false
      wake = undefined
    },
  }
}
