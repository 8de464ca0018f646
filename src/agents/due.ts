/** What falls due: told to her once, late ones with when they were due, recurring ones planned anew. */
import { Damaged } from '../../journal/errors.ts'
import type { PersonaId, Seq } from '../../journal/events.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Plan } from '../../projections/plans.ts'
import { webChannelOf } from '../channels/web.ts'
import type { Clock } from '../clock.ts'
import { instantOf, nextAfter } from '../mind/wall.ts'
import type { Command } from '../persona/commands.ts'
import type { Personas } from '../persona/personas.ts'
import { Refused } from '../persona/refusals.ts'
import { ownWords } from './turn.ts'

interface Deps {
  readonly id: PersonaId
  readonly life: number
  readonly personas: Personas
  readonly clock: Clock
  readonly newId: () => string
  readonly execute: (command: Command) => Promise<unknown>
}

const day = 24 * 60 * 60_000

/** Looks at the clock once each time it is called. */
export const createDue = ({ id, life, personas, clock, newId, execute }: Deps): ((persona: () => Persona) => Promise<void>) => {
  /** By the position of the plan, where it was looked up. */
  const whenPlanned = new Map<Seq, number>()
  /** When an open plan comes, by its position. ⏱ A recurring one that is asked of the calendar at every beat costs 5 ms a minute. */
  const instants = new Map<Seq, number>()
  /** What the clock showed when it was last looked whether anything is to be put back. */
  let seen = Number.POSITIVE_INFINITY

  const instantOfPlan = ({ seq, wall, zone }: Plan): number => {
    const instant = instants.get(seq) ?? instantOf(wall, zone)
    instants.set(seq, instant)
    return instant
  }

  /** Late ones come once: the next occurrence is the first that is still to come. */
  const fallDue = async (plan: Plan, now: number) => {
    const next = plan.recurrence && { id: `p${newId()}`, wall: nextAfter(plan.anchor, plan.zone, plan.recurrence, now) }
    await personas.execute(id, { type: 'FallDue', id: plan.id, seq: plan.seq, next }, 'clock').catch((error: unknown) => {
      // Cancelled or moved in this very moment.
      if (!(error instanceof Refused)) throw error
    })
  }

  /** What a clock that was far ahead planned is put back to the time that now comes first. What was told within a day is not told again for it. */
  const putBack = async ({ id: plan, seq, anchor, zone, recurrence, wall }: Plan, now: number) => {
    const next = recurrence && nextAfter(anchor, zone, recurrence, now)
    if (!next || instantOf(next, zone) >= instantOf(wall, zone)) return
    const planned = whenPlanned.get(seq) ?? (await personas.read(id, async ({ journal }) => timeOf(journal, seq)))
    // Looked up once: a journal that is looked into at every beat is never closed.
    whenPlanned.set(seq, planned)
    if (planned - now > day) await personas.execute(id, { type: 'PlanAnew', id: plan, seq, wall: next }, 'clock')
  }

  /** A promise does not wait for a provider: what fell due is told in its own words while her Mind is away. */
  const tell = async ({ plans, life: { failed }, talk }: Persona) => {
    if (!failed.thinking || plans.due.length === 0 || talk.turn) return
    const told = plans.due.map((plan) => ({ id: plan.id, words: ownWords(plan, clock.zone) }))
    await execute({ type: 'TellDue', life, channel: webChannelOf(id), told })
  }

  return async (persona) => {
    const now = clock.now()
    await tell(persona())
    for (const plan of Object.values(persona().plans.open)) if (instantOfPlan(plan) <= now) await fallDue(plan, now)
    // A clock that goes on shows nothing that was planned too far ahead: one that was set back does, now or before she woke.
    if (now < seen) for (const plan of Object.values(persona().plans.open)) await putBack(plan, now)
    seen = now
    const open = new Set(Object.values(persona().plans.open).map(({ seq }) => seq))
    for (const seq of instants.keys()) if (!open.has(seq)) instants.delete(seq)
  }
}

const timeOf = async (journal: Journal, seq: Seq): Promise<number> => {
  for await (const { at } of journal.read({ after: seq - 1, upTo: seq })) return at
  throw new Damaged(seq, 'is missing')
}
