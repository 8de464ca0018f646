/** Undoes a fact with new facts. */
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import { organTable } from '../../facts/organ-table.ts'
import { ModelError } from '../../packages/models/models.ts'
import { evolve } from '../../projections/persona.ts'
import { readVoiceLine } from '../mind/prompt/voice-lines.ts'
import { fold } from '../persona/fold.ts'
import type { ExecuteResult, Reading } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import { formerOrgan, formerPlan, messageGone, type Undo } from '../persona/rules/undo.ts'
import { undoable } from '../persona/rules/undo-table.ts'
import { changedSince, undoneWith } from '../persona/undo-chain.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'
import { organRequestFor, type RequestedOrgan } from './organ-request.ts'
import { prepareOrgans, saveOrgans } from './organs.ts'

interface Undone {
  readonly by: readonly Seq[]
  /** Advice if something could not be restored. */
  readonly warning: string | null
}

/**
 * Throws Refused (persona_unknown, fact_unknown, undo_refused, changed_since, undone_already, when_past,
 * cut_short, undone_not_settled) or ModelError.
 */
export const undoFact = async (
  deps: CommandDeps,
  id: PersonaId,
  seq: Seq,
  disconnectSignal: AbortSignal,
): Promise<Undone> => {
  const { agents, clock, inTurn, personas } = deps
  requireListed(personas, id)
  const plan = await personas.read(id, (reading) => readUndo(reading, seq))
  const command = { ...plan, ...(await findNextTime(plan, clock.now())) }
  await personas.would(id, command)

  const { requestedOrgans, warning } = await findFormerOrgan(deps, id, command)
  if (requestedOrgans.length > 0)
    await prepareOrgans(deps, requestedOrgans, disconnectSignal).catch(withNote(warning))
  const save = () => personas.execute(id, command, 'person')
  const { entries, failed } = await inTurn(id, async () => {
    const { self } = requireListed(personas, id)
    const result: ExecuteResult = await (requestedOrgans.length > 0
      ? saveOrgans(deps, self, requestedOrgans, disconnectSignal, save)
      : save())
    return { ...result, ...(await agents.waitUntilSettled(id)) }
  })
  if (failed !== null && affectsAgent(command))
    throw new Refused({ code: 'undone_not_settled', reason: failed })
  return { by: entries.map((entry) => entry.seq), warning }
}

const readUndo = async ({ journal }: Reading, seq: Seq): Promise<Undo> => {
  const facts = await undoneWith(journal, seq)
  const [first] = facts
  if (!first) throw new Refused({ code: 'fact_unknown' })
  const undoableThing = undoable(first)
  if ('refused' in undoableThing) throw new Refused(undoableThing.refused)
  const hasChanged = await changedSince(journal, facts, undoableThing)
  if (hasChanged) throw new Refused(hasChanged)
  const { persona: personaBefore, damage } = await fold(journal, first.seq - 1)
  if (damage || !personaBefore) throw damage ?? new Refused({ code: 'fact_unknown' })
  const { of, id } = undoableThing
  if (of === 'line' && !(await readVoiceLine(journal, Number(id))))
    throw new Refused({ code: 'undo_refused', reason: messageGone })
  return {
    type: 'Undo',
    seq,
    thing: undoableThing,
    before: personaBefore,
    after: facts.reduce(evolve, personaBefore),
  }
}

/** Returns the next time of a reopened recurring plan. Throws Refused: when_past for one that has passed. */
const findNextTime = async (undo: Undo, now: number): Promise<Pick<Undo, 'wall'>> => {
  const plan = formerPlan(undo)
  if (!plan) return {}
  const { toInstant, nextAfter } = await import('../../packages/kit/time/local-time.ts')
  if (toInstant(plan.wall, plan.zone) > now) return {}
  if (plan.recurrence === null) throw new Refused({ code: 'when_past', when: plan.wall })
  return { wall: nextAfter(plan.anchor, plan.zone, plan.recurrence, now) }
}

/** An organ whose key is lost is restored without it. A Mind must answer, so it is prepared first. */
const findFormerOrgan = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  id: PersonaId,
  undo: Undo,
): Promise<{ readonly requestedOrgans: readonly RequestedOrgan[]; readonly warning: string | null }> => {
  const previousOrgan = formerOrgan(undo)
  if (!previousOrgan) return { requestedOrgans: [], warning: null }
  const { slot, organ } = previousOrgan
  const ask = await organRequestFor(personas, id, organ)
  const keyGone = organ.key !== null && ask.apiKey === null
  return {
    requestedOrgans: keyGone && slot !== 'thinking' ? [] : [{ slot, ask, ref: organ.key }],
    warning: keyGone
      ? `The key of the ${organTable[slot].title} is gone: its key must be entered again.`
      : null,
  }
}

const withNote =
  (warning: string | null) =>
  (error: unknown): never => {
    throw error instanceof ModelError && warning !== null
      ? new ModelError(`${error.message} ${warning}`)
      : error
  }

/** The agent must follow or start. */
const affectsAgent = ({ thing: { of } }: Undo): boolean =>
  of === 'status' || of === 'organ' || of === 'channel'
