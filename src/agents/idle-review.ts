/** Going over the talk once nobody has spoken for a while. */
import type { Seq } from '../../journal/facts/fact-values.ts'
import { sparingMemory } from '../../packages/kit/flow/heap-growth.ts'
import type { Persona } from '../../projections/persona.ts'
import { goOver } from './close-day.ts'
import { type NightDeps, somethingWaits } from './night.ts'

export interface IdleReview {
  /** Begins it if it is time. It goes on behind that. */
  beat(): void
  /** Somebody speaks: it can wait. */
  interrupt(): void
  /** Resolves when none goes on. Never rejects. */
  ended(): Promise<void>
}

interface Deps extends Omit<NightDeps, 'signal'> {
  /** Why it could not be done. */
  readonly onError: (error: unknown) => void
}

/** Spans that are gone over without a pause: more waits for the next time. */
const mostSpans = 4

/** `ending` aborts when its life is over. */
export const createIdleReview = (deps: Deps, ending: AbortSignal): IdleReview => {
  const { persona, clock, onError } = deps
  let going: { readonly cut: AbortController; readonly done: Promise<void> } | null = null
  /** The last words of a talk that was looked at: what is left of it waits for the next time. */
  let left: Seq | 0 = 0

  const isTime = ({ days, self, talk, plans }: Persona): boolean => {
    const { last, consolidated } = days
    if (!last || last.seq <= consolidated || last.seq === left) return false
    // A turn that is about to begin has looked already whether anything is to be interrupted.
    if (talk.turn !== null || somethingWaits({ talk, plans })) return false
    return Math.abs(clock.now() - last.at) >= self.idleTimeout * 1000
  }

  const review = async (upTo: Seq | 0, signal: AbortSignal) => {
    try {
      await sparingMemory(() => goOver(upTo, mostSpans, { ...deps, pressing: () => false, signal }))
      left = upTo
    } catch (error) {
      if (signal.aborted) return
      left = upTo
      onError(error)
    } finally {
      going = null
    }
  }

  return {
    beat: () => {
      if (going || !isTime(persona())) return
      const cut = new AbortController()
      const done = review(persona().days.last?.seq ?? 0, AbortSignal.any([cut.signal, ending]))
      going = { cut, done }
    },
    interrupt: () => going?.cut.abort(),
    ended: async () => {
      await going?.done
    },
  }
}
