/**
 * Delivers reminders and other planned entries on time and once. Late entries carry their original time.
 * Recurring entries are planned again.
 */

import pLimit from 'p-limit'
import type { Seq } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { entryAt } from '../../journal/log/keys.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { nextAfter, toInstant } from '../../packages/kit/time/local-time.ts'
import { listValues } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Plan } from '../../projections/plans.ts'
import { dueInTurns } from '../../projections/talk.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { DuePlan } from '../persona/rules/calendar.ts'
import { toWebChannel } from '../web-channel.ts'
import type { AgentLife } from './agent-deps.ts'
import { toReminderText } from './end-turn.ts'
import { type Faults, isUnexpected } from './faults.ts'
import { heartbeat } from './heartbeat.ts'

export interface Reminders {
  /**
   * Delivers due entries and sets a timer for entries before the next heartbeat. Rejects if a write fails.
   */
  check(): Promise<void>
  /** Handles new and moved entries, which may be due before the next heartbeat. */
  follow(events: readonly PersonaEvent[]): void
  /** Resolves when no work is left after the signal. */
  waitForEnd(): Promise<void>
}

interface Deps extends Pick<AgentLife, 'id' | 'life' | 'clock' | 'newId' | 'execute'> {
  readonly personas: PersonaStore
  readonly persona: () => Persona
  readonly faults: Faults
  /** Receives the error of a check that the timer started. Must not throw. */
  readonly onFailure: (error: unknown) => void
}

const dayMs = 24 * 60 * 60_000
/** Failures of a plan after which it is delivered without planning its next occurrence. */
const maxFailures = 3

export const createReminders = (deps: Deps, ending: AbortSignal): Reminders => {
  const { id, personas, clock, newId, persona, faults } = deps
  /** Time at which a plan was recorded, by the position of the plan. Filled on demand. */
  const plannedTimes = new Map<Seq, number>()
  /**
   * Due time of an open plan, by its position. Measured: computing a recurring plan at every heartbeat costs
   * 5 ms a minute.
   */
  const dueTimes = new Map<Seq, number>()
  /** Time of the last check. An earlier time now means that the clock was set back. */
  let lastCheckAt = Number.POSITIVE_INFINITY

  /** Number of failures because of a defect, by the position of the plan. */
  const failures = new Map<Seq, number>()

  const getDueTime = ({ seq, wall, zone }: Plan): number => {
    const instant = dueTimes.get(seq) ?? toInstant(wall, zone)
    dueTimes.set(seq, instant)
    return instant
  }

  /**
   * A recurring plan with several missed occurrences is delivered once. The next occurrence is in the future.
   */
  const toDuePlan = (plan: Plan, now: number): DuePlan => {
    // A reminder is delivered even if computing its next occurrence fails.
    const isLast = (failures.get(plan.seq) ?? 0) >= maxFailures
    const next =
      plan.recurrence && !isLast
        ? { id: `p${newId()}`, wall: nextAfter(plan.anchor, plan.zone, plan.recurrence, now) }
        : null
    return { id: plan.id, seq: plan.seq, next }
  }

  const deliver = async (duePlans: readonly DuePlan[]) => {
    await personas.execute(id, { type: 'FallDue', due: duePlans }, 'clock').catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error
    })
  }

  /**
   * Moves a recurring plan to its next occurrence if it was planned while the clock was more than a day
   * ahead. A smaller difference is ignored, because an occurrence that was delivered would repeat.
   */
  const moveBack = async ({ id: plan, seq, anchor, zone, recurrence, wall }: Plan, now: number) => {
    const next = recurrence && nextAfter(anchor, zone, recurrence, now)
    if (!next || toInstant(next, zone) >= toInstant(wall, zone)) return
    const plannedAt =
      plannedTimes.get(seq) ?? (await personas.read(id, async ({ journal }) => readTime(journal, seq)))
    // Cached, because a journal that is read at every heartbeat is never closed.
    plannedTimes.set(seq, plannedAt)
    if (plannedAt - now > dayMs)
      await personas.execute(id, { type: 'PlanAnew', id: plan, seq, wall: next }, 'clock')
  }

  const checkOnce = async () => {
    if (ending.aborted) return
    const now = clock.now()
    let hasFailed = false
    /** One plan that fails because of a defect must not prevent the others. */
    const attempt = async (plan: Plan, act: () => Promise<void>) => {
      try {
        await act()
      } catch (error) {
        if (!isUnexpected(error)) throw error
        hasFailed = true
        failures.set(plan.seq, (failures.get(plan.seq) ?? 0) + 1)
        faults.add('reminder', error)
      }
    }
    const forEachPlan = async (act: (plan: Plan) => Promise<void>) => {
      for (const plan of listValues(persona().plans.open)) await attempt(plan, () => act(plan))
    }
    const duePlans: { readonly plan: Plan; readonly duePlan: DuePlan; readonly at: number }[] = []
    await forEachPlan(async (plan) => {
      const at = getDueTime(plan)
      if (at <= now) duePlans.push({ plan, duePlan: toDuePlan(plan, now), at })
    })
    duePlans.sort((first, second) => first.at - second.at)
    // One commit, so that one turn speaks of all. If it fails because of a defect, each plan by itself.
    const isDelivered =
      duePlans.length > 1 &&
      (await deliver(duePlans.map(({ duePlan }) => duePlan)).then(
        () => true,
        (error: unknown) => {
          if (!isUnexpected(error)) throw error
          return false
        },
      ))
    if (!isDelivered) for (const { plan, duePlan } of duePlans) await attempt(plan, () => deliver([duePlan]))
    // Only a clock that was set back can show plans that are too far ahead. `lastCheckAt` is infinite at the
    // first check, so it covers a change before the start.
    if (now < lastCheckAt) await forEachPlan((plan) => moveBack(plan, now))
    lastCheckAt = now
    const open = new Set(listValues(persona().plans.open).map(({ seq }) => seq))
    for (const timesBySeq of [dueTimes, failures])
      for (const seq of timesBySeq.keys()) if (!open.has(seq)) timesBySeq.delete(seq)
    if (!hasFailed) faults.clear('reminder')
    await deliverWhileAway(persona(), deps)
  }

  /** Checks run one at a time. Two at once would deliver the same plan twice. */
  const oneAtATime = pLimit(1)
  const check = (): Promise<void> => oneAtATime(checkOnce).finally(timer.set)
  const checkNow = () => void check().catch(deps.onFailure)
  /** Plans whose time cannot be computed are left to the heartbeat. */
  const getDueTimes = () =>
    listValues(persona().plans.open).flatMap((plan) => {
      try {
        return getDueTime(plan)
      } catch {
        return []
      }
    })
  const timer = createDueTimer({ clock, getPlannedTimes: getDueTimes, ring: checkNow }, ending)

  return {
    check,
    follow: (events) => {
      const now = clock.now()
      const newDueTimes = events.flatMap((event) =>
        event.type === 'EntryPlanned' || event.type === 'EntryMoved'
          ? [toInstant(event.wall, event.zone)]
          : [],
      )
      if (newDueTimes.some((dueTime) => dueTime <= now)) checkNow()
      else if (newDueTimes.some((dueTime) => dueTime <= now + heartbeat)) timer.set()
    },
    waitForEnd: async () => {
      await Promise.all([timer.waitForEnd(), oneAtATime(async () => {})])
    },
  }
}

/** Delivers due entries with their stored text while the model is unreachable. */
const deliverWhileAway = async (
  { plans, life: { failed: hasFailed }, talk }: Persona,
  { id, life, clock, execute }: Deps,
) => {
  if (!hasFailed.thinking) return
  const idsInTurns = dueInTurns(talk)
  const remainingPlans = plans.due.filter(({ id: plan }) => !idsInTurns.has(plan))
  if (remainingPlans.length === 0) return
  const reminders = remainingPlans.map((plan) => ({ id: plan.id, words: toReminderText(plan, clock.zone) }))
  await execute({ type: 'TellDue', life, channel: toWebChannel(id), told: reminders })
}

const readTime = async (journal: Journal, seq: Seq): Promise<number> => {
  const entry = await entryAt(journal, seq)
  if (!entry) throw new Damaged(seq, 'is missing')
  return entry.at
}

// Calls `ring` when the first planned entry is due, if that is before the next heartbeat.

export interface DueTimer {
  /** Restarts the timer for the current plans. */
  set(): void
  /** Resolves when no wait is left after the signal. */
  waitForEnd(): Promise<void>
}

interface DueTimerDeps {
  readonly clock: Clock
  /** Returns the due times of all plans as epoch ms. */
  readonly getPlannedTimes: () => readonly number[]
  /** Must not throw. */
  readonly ring: () => void
}

/**
 * Max length of a wait in ms. Timers pause while the machine sleeps and ignore clock changes, so they are
 * short.
 */
const maxWaitMs = 5000

const createDueTimer = ({ clock, getPlannedTimes, ring }: DueTimerDeps, ending: AbortSignal): DueTimer => {
  let timer = new AbortController()
  let waitTask: Promise<void> = Promise.resolve()
  ending.addEventListener('abort', () => timer.abort(), { once: true })

  const set = () => {
    timer.abort()
    if (ending.aborted) return
    const now = clock.now()
    // An overdue entry whose write failed waits for the heartbeat, or it would be retried without a pause.
    const leftMs = getPlannedTimes().reduce(
      (shortestMs, dueTime) => (dueTime > now ? Math.min(shortestMs, dueTime - now) : shortestMs),
      Number.POSITIVE_INFINITY,
    )
    // The heartbeat checks these.
    if (leftMs > heartbeat) return
    timer = new AbortController()
    const { signal } = timer
    waitTask = clock.wait(Math.min(leftMs, maxWaitMs), signal).then(() => {
      if (signal.aborted) return
      // Compares with the current time: the clock may have been set or the machine may have slept.
      if (now + leftMs <= clock.now()) ring()
      else set()
    })
  }

  return { set, waitForEnd: () => waitTask }
}
