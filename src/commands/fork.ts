/** Forks a persona at a moment: a new persona with the same past, its own name and phrase. Wakes it. */
import { type Organ, type PersonaId, Slot } from '../../journal/facts/fact-values.ts'
import type { PersonaRecord } from '../../projections/persona-record.ts'
import type { Moment } from '../persona/past.ts'
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
  gone: AbortSignal,
): Promise<{ readonly persona: PersonaRecord; readonly phrase: string }> => {
  const { agents, config, diaries, log, newId, personas } = deps
  const then = await personas.asOf(from, moment)
  const wishes = declaredWishes(mergeOrgans(then.persona.self.organs, organs))
  const id = newId()
  const named = { type: 'ForkPersona', id, name, at: then.head.seq, hash: then.head.hash } as const
  const dryRun = decide(then.persona, { ...named, recipient: '', organs: removeKeys(wishes) })
  if ('refused' in dryRun) throw new Refused(dryRun.refused)

  const wanted = organsWithNewKeys(wishes)
  await prepareOrgans(deps, wanted, gone)
  const { phrase, recipient } = await deps.newPhrase()
  const { persona } = await saveOrgans(deps, { id, organs: {} }, wanted, gone, (kept) =>
    personas.fork(from, then, { ...named, recipient, organs: kept }, gone),
  )
  const { failed } = await agents.settled(id)
  if (failed !== null) throw new Refused({ code: 'created_not_started', reason: failed })
  // Not awaited: takes long for a long life. If it fails, the next sleep writes the diary.
  diaries.write(id).catch((err: unknown) => log.warn({ id, err }, 'failed to write the first diary'))
  return { persona: await recordFor(personas, persona.self, config.urls), phrase }
}

/** The requested organs, and former ones that need no key. Throws Refused: mind_not_taken. */
const mergeOrgans = (had: Readonly<Partial<Record<Slot, Organ>>>, named: Fork['organs']): Fork['organs'] =>
  Object.fromEntries(
    Slot.options.map((slot) => [slot, isNamed(slot, named[slot]) ? named[slot] : takeOver(slot, had[slot])]),
  ) as Fork['organs']

/** An organ without a model counts as missing, except for the Mind: it must not silently be another one. */
const isNamed = (slot: Slot, { model, provider }: OrganFields): boolean =>
  Boolean(model) || (slot === 'thinking' && Boolean(provider))

const takeOver = (slot: Slot, organ: Organ | undefined): OrganFields => {
  const needsNoKey = organ && organ.provider === null && organ.key === null
  if (slot === 'thinking' && !needsNoKey) throw new Refused({ code: 'mind_not_taken' })
  return needsNoKey ? { model: organ.model, url: organ.url } : {}
}
