/** Forks a persona at a moment: a new persona with the same past, its own name and phrase. Wakes it. */
import { type Organ, type PersonaId, Slot } from '../../facts/fact-values.ts'
import type { PersonaRecord } from '../../projections/persona-record.ts'
import type { Moment } from '../persona/past.ts'
import type { RecoveryPhrase } from '../persona/phrase.ts'
import { Refused } from '../persona/refusals.ts'
import { decide } from '../persona/rules/decide.ts'
import type { CommandDeps } from './command-deps.ts'
import {
  declaredWishes,
  type OrganFields,
  organsWithNewKeys,
  recordFor,
  removeKeys,
} from './organ-request.ts'
import { prepareOrgans, saveOrgans } from './organs.ts'

export interface Fork {
  /** Null is now. */
  readonly moment: Moment | null
  /** Null: its name at that moment. */
  readonly name: string | null
  readonly organs: Readonly<Record<Slot, OrganFields>>
}

/**
 * Throws Refused (persona_unknown, moment_unknown, mind_not_taken, as `declaredWishes`, too_long, cut_short,
 * created_not_started), ModelError, Damaged or JournalUnavailable.
 */
export const forkPersona = async (
  deps: CommandDeps,
  from: PersonaId,
  { moment, name, organs }: Fork,
  disconnectSignal: AbortSignal,
): Promise<{ readonly persona: PersonaRecord } & RecoveryPhrase> => {
  const { agents, config, diaries, log, newId, personas } = deps
  const origin = await personas.getPast(from, moment)
  const wishes = declaredWishes(mergeOrgans(origin.persona.self.organs, organs))
  const id = newId()
  const command = { type: 'ForkPersona', id, name, at: origin.head.seq, hash: origin.head.hash } as const
  const dryRun = decide(origin.persona, { ...command, recipient: '', organs: removeKeys(wishes) })
  if ('refused' in dryRun) throw new Refused(dryRun.refused)

  const requestedOrgans = organsWithNewKeys(wishes, config.urls)
  await prepareOrgans(deps, requestedOrgans, disconnectSignal)
  const { phrase, recipient } = await deps.newPhrase()
  const { persona } = await saveOrgans(
    deps,
    { id, organs: {} },
    requestedOrgans,
    disconnectSignal,
    (organs) => personas.fork(from, origin, { ...command, recipient, organs }, disconnectSignal),
  )
  const { failed } = await agents.waitUntilSettled(id)
  if (failed !== null) throw new Refused({ code: 'created_not_started', reason: failed })
  // Not awaited: takes long for a long life. If it fails, the next sleep writes the diary.
  diaries.write(id).catch((err: unknown) => log.warn({ id, err }, 'failed to write the first diary'))
  return { persona: await recordFor(personas, persona.self, config.urls), phrase, recipient }
}

/** The requested organs, and former ones that need no key. Throws Refused: mind_not_taken. */
const mergeOrgans = (
  previousOrgans: Readonly<Partial<Record<Slot, Organ>>>,
  forkOrgans: Fork['organs'],
): Fork['organs'] =>
  Object.fromEntries(
    Slot.options.map((slot) => [
      slot,
      isNamed(slot, forkOrgans[slot]) ? forkOrgans[slot] : takeOver(slot, previousOrgans[slot]),
    ]),
  ) as Fork['organs']

/** An organ without a model counts as missing, except for the Mind: it must not silently be another one. */
const isNamed = (slot: Slot, { model, provider }: OrganFields): boolean =>
  Boolean(model) || (slot === 'thinking' && Boolean(provider))

const takeOver = (slot: Slot, organ: Organ | undefined): OrganFields => {
  const needsNoKey = organ && organ.provider === null && organ.key === null
  if (slot === 'thinking' && !needsNoKey) throw new Refused({ code: 'mind_not_taken' })
  return needsNoKey ? { model: organ.model, url: organ.url, profile: organ.profile } : {}
}
