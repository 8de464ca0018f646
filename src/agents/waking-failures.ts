/**
 * Failed starts of personas: stores the reason, records it once, and makes the persona sick after a while.
 */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { pathless } from '../../packages/kit/files/pathless.ts'
import type { Log } from '../../packages/kit/log.ts'
import { ModelError } from '../../packages/models/models.ts'
import type { Personas } from '../persona/persona-store.ts'
import { Refused, isUnavailable } from '../persona/refusals.ts'

export interface WakingFailures {
  /** Returns the reason of the last failed start. Null after a successful one. */
  reasonOf(id: PersonaId): string | null
  /**
   * Returns true if the start failed because the journal could not be written. The persona and its model are
   * fine then.
   */
  isOfJournal(id: PersonaId): boolean
  /** Handles a failed start and returns the reason. Never rejects. */
  failed(id: PersonaId, error: unknown): Promise<string>
  /** Does nothing if the persona is already sick. Never rejects. */
  sicken(id: PersonaId, reason: string): Promise<void>
  forget(id: PersonaId): void
}

interface Deps {
  readonly personas: Pick<Personas, 'execute' | 'listed'>
  readonly log: Log
  /** Aborts when the daemon closes. Failures after that do not count. */
  readonly closing: AbortSignal
}

export const createWakingFailures = ({ personas, log, closing }: Deps): WakingFailures => {
  const failures = new Map<PersonaId, { readonly reason: string; readonly ofJournal: boolean }>()

  const sicken = async (id: PersonaId, reason: string) => {
    await personas.execute(id, { type: 'FallSick', reason }, 'host').catch((err: unknown) => {
      if (!(err instanceof Refused)) log.warn({ id, err }, 'failed to record that a persona is sick')
    })
  }

  return {
    reasonOf: (id) => failures.get(id)?.reason ?? null,
    isOfJournal: (id) => failures.get(id)?.ofJournal === true,
    failed: async (id, error) => {
      const reason = formatError(error)
      // The persona was stopped or changed in the meantime.
      if (closing.aborted || error instanceof Refused) return reason
      log.warn({ id, reason }, 'failed to start a persona')
      // The persona should run but cannot. For an explicit start the caller gets the reason instead.
      if (error instanceof ModelError && error.lasting && personas.listed(id)?.self.wanted)
        await sicken(id, reason)
      // Recorded once per reason, so that retries do not fill the journal.
      if (failures.get(id)?.reason !== reason)
        await personas
          .execute(id, { type: 'FailWaking', reason }, 'host')
          .catch((err: unknown) => log.warn({ id, err }, 'failed to record a failed start'))
      failures.set(id, { reason, ofJournal: isUnavailable(error) })
      return reason
    },
    sicken,
    forget: (id) => void failures.delete(id),
  }
}

const formatError = (error: unknown): string => {
  if (error instanceof ModelError) return error.message
  return pathless(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}
