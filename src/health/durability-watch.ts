/** Durability of the cluster's streams. The last report is cached and refreshed on demand. */
import type { Durability } from '../cluster/jetstream/durability.ts'

export interface DurabilityTold extends Durability {
  /** Seconds since the servers reported this. */
  readonly age: number
}

export interface DurabilityWatch {
  /** Returns the last report and requests a new one in the background. Null before the first report. */
  last(): DurabilityTold | null
  /** Returns a new report, or the last one if the servers take longer than a second. Never rejects. */
  now(): Promise<DurabilityTold | null>
}

/** In ms: max age of a report that is not refreshed, and max time to wait for a new one. */
const freshMs = 5000
const patience = 1000

export const createDurabilityWatch = (
  ask: () => Promise<Durability>,
  wait: (ms: number) => Promise<void>,
): DurabilityWatch => {
  let lastReport: { readonly durability: Durability; readonly at: number } | null = null
  let pendingRequest: Promise<void> | null = null

  const request = async (): Promise<void> => {
    try {
      const durability = await ask()
      lastReport = { durability, at: performance.now() }
    } catch {
      // If the servers do not answer, the age of the last report shows it.
    } finally {
      pendingRequest = null
    }
  }
  const refresh = (): Promise<void> => {
    if (lastReport && performance.now() - lastReport.at < freshMs) return Promise.resolve()
    pendingRequest ??= request()
    return pendingRequest
  }
  const last = (): DurabilityTold | null =>
    lastReport && {
      ...lastReport.durability,
      age: Math.round((performance.now() - lastReport.at) / 100) / 10,
    }

  return {
    last: () => {
      void refresh()
      return last()
    },
    now: async () => {
      await Promise.race([refresh(), wait(patience)])
      return last()
    },
  }
}
