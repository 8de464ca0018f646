/** The health of a persona's organs: whether they work, and their last error. */
import type { Organ, PromptProfile, Provider, Slot } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import { toMaskedText } from '../../packages/kit/redact.ts'
import { isoIn, isoWithOffset } from '../../packages/kit/time/clock.ts'
import { getMindTest } from '../../projections/life.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Self } from '../../projections/self.ts'
import type { Vitals } from '../persona/persona-store.ts'
import { formatMissingKeys } from '../persona/refusals.ts'
import type { JournalReport } from './journal-report.ts'

/** `time`: null if unknown. `kind`: null if the organ was marked as failed without a model call. */
export interface OrganError {
  readonly reason: string
  readonly time: string | null
  readonly kind: EventOf<'ModelFailed'>['kind'] | null
}

export interface OrganHealth {
  readonly model: string
  readonly provider: Provider | null
  readonly state: 'well' | 'failing'
  readonly last_error: OrganError | null
  /** Present if the organ refers to a key that no longer exists. */
  readonly key_missing?: true
  /**
   * Request options that the server rejected by name and that are no longer sent. Absent if there are none.
   */
  readonly server_refuses?: readonly string[]
  /** The last test of this model as the Mind. Absent if there was none. */
  readonly test?: {
    readonly result: EventOf<'MindTested'>['result']
    readonly answers_json: boolean | null
    readonly tokens_per_second: number | null
    readonly reason: string | null
    readonly time: string
  }
  /** Profile of the Mind's last answer in a turn. Absent if there is none. */
  readonly profile?: PromptProfile
}

export type OrganHealths = Readonly<Partial<Record<Slot, OrganHealth>>>

/** Returns whether an organ has failed in the current life, or its key is missing. */
export const isFailing = (
  slot: Slot,
  persona: Persona | null,
  { keyless }: Pick<Vitals, 'keyless'>,
): boolean => keyless.includes(slot) || persona?.life.failed[slot] !== undefined

type SlotEvidence = Pick<JournalReport, 'persona' | 'errors' | 'profile'> & {
  readonly vitals: Vitals
  readonly zone: string
  readonly getRefusals: (slot: Slot, organ: Organ) => readonly string[]
}

export const toOrganViews = ({ organs }: Self, evidence: SlotEvidence): OrganHealths =>
  Object.fromEntries(
    (Object.entries(organs) as [Slot, Organ][]).map(([slot, organ]) => {
      const { model, provider } = organ
      const refusals = evidence.getRefusals(slot, organ)
      const keyless = evidence.vitals.keyless.includes(slot)
      const test = evidence.persona && slot === 'thinking' ? getMindTest(evidence.persona.life, organ) : null
      const health: OrganHealth = {
        model,
        provider,
        state: isFailing(slot, evidence.persona, evidence.vitals) ? 'failing' : 'well',
        last_error: getLastError(slot, evidence),
        ...(refusals.length > 0 && { server_refuses: refusals }),
        ...(test && {
          test: {
            result: test.result,
            answers_json: test.answersJson,
            tokens_per_second: test.speed,
            reason: test.reason,
            time: isoIn(evidence.zone, test.at),
          },
        }),
        ...(slot === 'thinking' && evidence.profile && { profile: evidence.profile }),
      }
      return [
        slot,
        keyless
          ? {
              ...health,
              last_error: { reason: formatMissingKeys([slot]), time: null, kind: 'barred' },
              key_missing: true,
            }
          : health,
      ]
    }),
  )

const getLastError = (slot: Slot, { persona, errors, zone }: SlotEvidence): OrganError | null => {
  const failure = errors.get(slot)
  if (failure)
    return {
      reason: toMaskedText(failure.event.reason),
      time: isoWithOffset(failure.entry.at, failure.entry.offset),
      kind: failure.event.kind,
    }
  const mark = persona?.life.failed[slot]
  return mark ? { reason: toMaskedText(mark.reason), time: isoIn(zone, mark.since), kind: null } : null
}
