/**
 * What falls due: told to the persona once and on its second, late ones with when they were due, recurring
 * ones planned anew.
 */

import pLimit from 'p-limit'
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { entryAt } from '../../journal/log/entry-at.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Journal } from '../../journal/log/journal.ts'
import { instantOf, nextAfter } from '../../packages/kit/time/local-time.ts'
import { valuesOf } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Plan } from '../../projections/plans.ts'
import { dueInTurns } from '../../projections/talk.ts'
import type { Personas } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import { webChannelOf } from '../web-channel.ts'
import { createDueTimer } from './due-timer.ts'
import { ownWords } from './end-turn.ts'
import { type Faults, isUnexpected } from './faults.ts'
import { heartbeat } from './heartbeat.ts'
import type { AgentLife } from './wiring.ts'

export interface DueEntries {
  /**
   * Looks at the clock once, and waits for what comes before the next heartbeat. Rejects with what kept it
   * from writing.
   */
  look(): Promise<void>
  /** Something was planned or moved: it may come before the next heartbeat. */
  follow(events: readonly PersonaEvent[]): void
  /** Resolves when nothing of it goes on any more, after the signal. */
  ended(): Promise<void>
}

interface Deps extends Pick<AgentLife, 'id' | 'life' | 'clock' | 'newId' | 'execute'> {
  readonly personas: Personas
  readonly persona: () => Persona
  readonly faults: Faults
  /** Told why a look failed that nobody asked for. Must not throw. */
  readonly failed: (error: unknown) => void
}

const day = 24 * 60 * 60_000
/** Looks at the clock at which a plan may fail before it falls due without its next time. */
const mostFailures = 3

export const createDueEntries = (deps: Deps, ending: AbortSignal): DueEntries => {
  const { id, personas, clock, newId, persona, faults } = deps
  /** By the position of the plan, where it was looked up. */
  const whenPlanned = new Map<Seq, number>()
  /**
   * When an open plan comes, by its position. ⏱ A recurring one that is asked of the calendar at every beat
   * costs 5 ms a minute.
   */
  const instants = new Map<Seq, number>()
  /** What the clock showed when it was last looked whether anything is to be put back. */
  let seen = Number.POSITIVE_INFINITY

  /** By the position of the plan: how often it failed to fall due because of a defect. */
  const failures = new Map<Seq, number>()

  const instantOfPlan = ({ seq, wall, zone }: Plan): number => {
    const instant = instants.get(seq) ?? instantOf(wall, zone)
    instants.set(seq, instant)
    return instant
  }

  /** Late ones come once: the next occurrence is the first that is still to come. */
  const fallDue = async (plan: Plan, now: number) => {
    // A reminder is delivered even if its next time cannot be told.
    const isLast = (failures.get(plan.seq) ?? 0) >= mostFailures
    const next =
      plan.recurrence && !isLast
        ? { id: `p${newId()}`, wall: nextAfter(plan.anchor, plan.zone, plan.recurrence, now) }
        : null
    await personas
      .execute(id, { type: 'FallDue', id: plan.id, seq: plan.seq, next }, 'clock')
      .catch((error: unknown) => {
        // Cancelled or moved in this very moment.
        if (!(error instanceof Refused)) throw error
      })
  }

  /**
   * What a clock that was far ahead planned is put back to the time that now comes first. What was told
   * within a day is not told again for it.
   */
  const putBack = async ({ id: plan, seq, anchor, zone, recurrence, wall }: Plan, now: number) => {
    const next = recurrence && nextAfter(anchor, zone, recurrence, now)
    if (!next || instantOf(next, zone) >= instantOf(wall, zone)) return
    const planned =
      whenPlanned.get(seq) ?? (await personas.read(id, async ({ journal }) => timeOf(journal, seq)))
    // Looked up once: a journal that is looked into at every beat is never closed.
    whenPlanned.set(seq, planned)
    if (planned - now > day)
      await personas.execute(id, { type: 'PlanAnew', id: plan, seq, wall: next }, 'clock')
  }

  const lookOnce = async () => {
    if (ending.aborted) return
    const now = clock.now()
    let failed = false
    const eachPlan = async (act: (plan: Plan) => Promise<void>) => {
      for (const plan of valuesOf(persona().plans.open)) {
        try {
          await act(plan)
        } catch (error) {
          // One plan that fails because of a defect must not prevent the others.
          if (!isUnexpected(error)) throw error
          failed = true
          failures.set(plan.seq, (failures.get(plan.seq) ?? 0) + 1)
          faults.add('reminder', error)
        }
      }
    }
    await eachPlan(async (plan) => {
      if (instantOfPlan(plan) <= now) await fallDue(plan, now)
    })
    // A clock that goes on shows nothing that was planned too far ahead: one that was set back does, now or
    // before it woke.
    if (now < seen) await eachPlan((plan) => putBack(plan, now))
    seen = now
    const open = new Set(valuesOf(persona().plans.open).map(({ seq }) => seq))
    for (const known of [instants, failures])
      for (const seq of known.keys()) if (!open.has(seq)) known.delete(seq)
    if (!failed) faults.clear('reminder')
    await tellWhileAway(persona(), deps)
  }

  /** One after another: two at once would find the same plan due. */
  const alone = pLimit(1)
  const look = (): Promise<void> => alone(lookOnce).finally(timer.set)
  const ring = () => void look().catch(deps.failed)
  /** What has no instant is left to the heartbeat. */
  const planned = () =>
    valuesOf(persona().plans.open).flatMap((plan) => {
      try {
        return instantOfPlan(plan)
      } catch {
        return []
      }
    })
  const timer = createDueTimer({ clock, planned, ring }, ending)

  return {
    look,
    follow: (events) => {
      const now = clock.now()
      const planned = events.flatMap((event) =>
        event.type === 'EntryPlanned' || event.type === 'EntryMoved'
          ? [instantOf(event.wall, event.zone)]
          : [],
      )
      if (planned.some((at) => at <= now)) ring()
      else if (planned.some((at) => at <= now + heartbeat)) timer.set()
    },
    ended: async () => {
      await Promise.all([timer.ended(), alone(async () => {})])
    },
  }
}

/** A promise does not wait for a provider: what fell due is told in its own words while its Mind is away. */
const tellWhileAway = async (
  { plans, life: { failed }, talk }: Persona,
  { id, life, clock, execute }: Deps,
) => {
  if (!failed.thinking) return
  const taken = dueInTurns(talk)
  const left = plans.due.filter(({ id: plan }) => !taken.has(plan))
  if (left.length === 0) return
  const told = left.map((plan) => ({ id: plan.id, words: ownWords(plan, clock.zone) }))
  await execute({ type: 'TellDue', life, channel: webChannelOf(id), told })
}

const timeOf = async (journal: Journal, seq: Seq): Promise<number> => {
  const entry = await entryAt(journal, seq)
  if (!entry) throw new Damaged(seq, 'is missing')
  return entry.at
}
