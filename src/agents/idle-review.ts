/** Consolidates the talk after the user has been idle for a while. */
import type { Seq } from '../../journal/facts/fact-values.ts'
import { sparingMemory } from '../../packages/kit/flow/heap-growth.ts'
import type { Persona } from '../../projections/persona.ts'
import { consolidateTalk } from './close-day.ts'
import { hasWaitingWork, type NightDeps } from './night.ts'

export interface IdleReview {
  /** Starts a review if it is time. Returns immediately. */
  beat(): void
  /** Aborts a running review, because the user is active again. */
  interrupt(): void
  /** Resolves when no review is running. Never rejects. */
  ended(): Promise<void>
}

interface Deps extends Omit<NightDeps, 'signal'> {
  /** Receives the error of a failed review. */
  readonly onError: (error: unknown) => void
}

/** Max spans per review. The rest waits for the next one. */
const maxSpansPerRun = 4

/** `ending` aborts when the persona stops or restarts. */
export const createIdleReview = (deps: Deps, ending: AbortSignal): IdleReview => {
  const { persona, clock, onError } = deps
  let currentReview: { readonly cut: AbortController; readonly done: Promise<void> } | null = null
  /**
   * Position of the last message of the last review. An unfinished review continues after a newer message.
   */
  let lastReviewedSeq: Seq | 0 = 0

  const isTime = ({ days, self, talk, plans }: Persona): boolean => {
    const { last, consolidated } = days
    if (!last || last.seq <= consolidated || last.seq === lastReviewedSeq) return false
    // A turn that is about to begin has already called `interrupt`, so it could not abort a review that
    // starts now.
    if (talk.turn !== null || hasWaitingWork({ talk, plans })) return false
    return Math.abs(clock.now() - last.at) >= self.idleTimeout * 1000
  }

  const review = async (upTo: Seq | 0, signal: AbortSignal) => {
    try {
      await sparingMemory(() =>
        consolidateTalk(upTo, maxSpansPerRun, { ...deps, pressing: () => false, signal }),
      )
      lastReviewedSeq = upTo
    } catch (error) {
      if (signal.aborted) return
      lastReviewedSeq = upTo
      onError(error)
    } finally {
      currentReview = null
    }
  }

  return {
    beat: () => {
      if (currentReview || !isTime(persona())) return
      const cut = new AbortController()
      const done = review(persona().days.last?.seq ?? 0, AbortSignal.any([cut.signal, ending]))
      currentReview = { cut, done }
    },
    interrupt: () => currentReview?.cut.abort(),
    ended: async () => {
      await currentReview?.done
    },
  }
}
