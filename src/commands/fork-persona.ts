/** Fork: another persona with the same past up to a moment, under its own name and phrase, and woken. */
import { type Organ, type PersonaId, Slot } from '../../journal/facts/fact-values.ts'
import type { PersonaRecord } from '../../projections/persona-record.ts'
import type { Moment } from '../persona/head-at.ts'
import { Refused } from '../persona/refusals.ts'
import { decide } from '../persona/rules/decide.ts'
import type { CommandDeps } from './command-deps.ts'
import { recordFor, wantedAnew } from './organ-keys.ts'
import { declaredWishes, keylessOf, type OrganFields } from './organ-wishes.ts'
import { prepareOrgans, saveOrgans } from './save-organs.ts'

export interface Fork {
  /** Null is now. */
  readonly moment: Moment | null
  /** Null: as it was called then. */
  readonly name: string | null
  readonly organs: Readonly<Record<Slot, OrganFields>>
}

/**
 * Refused: persona_unknown, moment_unknown, mind_not_taken, as `declaredWishes`, too_long, cut_short,
 * created_not_started. ModelError · Damaged · JournalUnavailable.
 */
export const forkPersona = async (
  deps: CommandDeps,
  from: PersonaId,
  { moment, name, organs }: Fork,
  gone: AbortSignal,
): Promise<{ readonly persona: PersonaRecord; readonly phrase: string }> => {
  const { agents, config, diaries, log, newId, personas } = deps
  const then = await personas.asOf(from, moment)
  const wishes = declaredWishes(withThose(then.persona.self.organs, organs))
  const id = newId()
  const named = { type: 'ForkPersona', id, name, at: then.head.seq, hash: then.head.hash } as const
  const onPaper = decide(then.persona, { ...named, recipient: '', organs: keylessOf(wishes) })
  if ('refused' in onPaper) throw new Refused(onPaper.refused)

  const wanted = wantedAnew(wishes)
  await prepareOrgans(deps, wanted, gone)
  const { phrase, recipient } = await deps.newPhrase()
  const { persona } = await saveOrgans(deps, { id, organs: {} }, wanted, gone, (kept) =>
    personas.fork(from, then, { ...named, recipient, organs: kept }, gone),
  )
  const { failed } = await agents.settled(id)
  if (failed !== null) throw new Refused({ code: 'created_not_started', reason: failed })
  // Of a long life it takes its time. Where it cannot be written, the night will try again.
  diaries.write(id).catch((err: unknown) => log.warn({ id, err }, 'the first diary could not be written'))
  return { persona: await recordFor(personas, persona.self, config.urls), phrase }
}

/** What is named, and for the rest what it had then and needs no key. Refused: mind_not_taken. */
const withThose = (had: Readonly<Partial<Record<Slot, Organ>>>, named: Fork['organs']): Fork['organs'] =>
  Object.fromEntries(
    Slot.options.map((slot) => [slot, isNamed(slot, named[slot]) ? named[slot] : takenOver(slot, had[slot])]),
  ) as Fork['organs']

/** As in create, one without a model is none; but for the Mind, which would be another than was meant. */
const isNamed = (slot: Slot, { model, provider }: OrganFields): boolean =>
  Boolean(model) || (slot === 'thinking' && Boolean(provider))

const takenOver = (slot: Slot, organ: Organ | undefined): OrganFields => {
  const needsNoKey = organ && organ.provider === null && organ.key === null
  if (slot === 'thinking' && !needsNoKey) throw new Refused({ code: 'mind_not_taken' })
  return needsNoKey ? { model: organ.model, url: organ.url } : {}
}
