/**
 * Why a persona could not be woken: kept for whoever asks, written down once, and after a while it is sick.
 */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { pathless } from '../../packages/kit/files/pathless.ts'
import type { Log } from '../../packages/kit/log.ts'
import { ModelError } from '../../packages/models/models.ts'
import type { Personas } from '../persona/persona-store.ts'
import { Refused, isUnavailable } from '../persona/refusals.ts'

export interface WakingFailures {
  /** Of its last waking; null once it was woken. */
  reasonOf(id: PersonaId): string | null
  /** Its journal did not take that it wakes: nothing is wrong with the persona or its Mind. */
  isOfJournal(id: PersonaId): boolean
  /** It could not be woken: says why. Never rejects. */
  failed(id: PersonaId, error: unknown): Promise<string>
  /** One who is sick already stays so. Never rejects. */
  sicken(id: PersonaId, reason: string): Promise<void>
  forget(id: PersonaId): void
}

interface Deps {
  readonly personas: Pick<Personas, 'execute' | 'listed'>
  readonly log: Log
  /** Aborts when the daemon closes: what fails then is no failure of a persona. */
  readonly closing: AbortSignal
}

export const createWakingFailures = ({ personas, log, closing }: Deps): WakingFailures => {
  const told = new Map<PersonaId, { readonly reason: string; readonly ofJournal: boolean }>()

  const sicken = async (id: PersonaId, reason: string) => {
    await personas.execute(id, { type: 'FallSick', reason }, 'host').catch((err: unknown) => {
      if (!(err instanceof Refused)) log.warn({ id, err }, 'its sickness could not be written')
    })
  }

  return {
    reasonOf: (id) => told.get(id)?.reason ?? null,
    isOfJournal: (id) => told.get(id)?.ofJournal === true,
    failed: async (id, error) => {
      const reason = reasonIn(error)
      // It was told otherwise meanwhile.
      if (closing.aborted || error instanceof Refused) return reason
      log.warn({ id, reason }, 'a persona could not be woken')
      // One who was asked to run and cannot: whoever asks for it by name is told instead.
      if (error instanceof ModelError && error.lasting && personas.listed(id)?.self.wanted)
        await sicken(id, reason)
      // Told once, however often it is tried: the audit is not a place for a clock.
      if (told.get(id)?.reason !== reason)
        await personas
          .execute(id, { type: 'FailWaking', reason }, 'host')
          .catch((err: unknown) => log.warn({ id, err }, 'a failed waking could not be written'))
      told.set(id, { reason, ofJournal: isUnavailable(error) })
      return reason
    },
    sicken,
    forget: (id) => void told.delete(id),
  }
}

const reasonIn = (error: unknown): string => {
  if (error instanceof ModelError) return error.message
  return pathless(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}
