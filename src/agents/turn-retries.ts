/**
 * Handles turns that throw: a pause, then a retry. After a few failures the turn ends with a message, so that
 * the next message is answered. The count is kept in memory: a restart allows three more tries with the same
 * pauses.
 */

import type { Seq } from '../../facts/fact-values.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { eitherAborts } from '../../packages/kit/flow/abort-signals.ts'
import { type Backoff, pauseAfter } from '../../packages/kit/flow/backoff.ts'
import { yieldNow } from '../../packages/kit/flow/yielding.ts'
import type { Persona } from '../../projections/persona.ts'
import { findResumable, getWaitingInboxes } from '../../projections/talk.ts'
import { isUnavailable, Refused } from '../persona/refusals.ts'
import { toWebChannel } from '../web-channel.ts'
import type { AgentLife } from './agent-deps.ts'
import { endFaultyTurn } from './end-turn.ts'
import { type Faults, getFaultKind, isUnexpected } from './faults.ts'
import { hasNewTurn } from './night.ts'
import type { Sleep } from './sleep.ts'

export interface TurnRetries {
  /** Waits before the next attempt. The delay depends on the error. */
  pause(error: unknown): Promise<void>
  /** Ends the turn with a message if it has failed too often. Does nothing otherwise. */
  giveUp(): Promise<void>
  /**
   * Returns false after a few failures if a new turn is waiting, so that a turn that cannot be resumed delays
   * no message.
   */
  mayResume(): boolean
  /** Resumes the turn that waited for the user's answer. */
  resume(): Promise<void>
  /** Ends the pause of a turn that cannot be resumed if a new turn waits. */
  onCommit(): void
  /** Resets all counts after a turn has succeeded. */
  clear(): void
}

interface Deps extends AgentLife {
  /** Returns the committed state. */
  readonly persona: () => Persona
  readonly sleep: () => Pick<Sleep, 'holdsTurns'>
  readonly faults: Faults
}

/** Consecutive failures. `turn`: the open turn, 'resume' if resuming one failed, null if none could begin. */
interface Failing {
  readonly turn: Seq | 'resume' | null
  readonly count: number
  /** Name of the last error. */
  readonly kind: string
}

/** Consecutive failures after which a turn ends with a message. */
const maxFailures = 3
const pauses: Backoff = { first: 1000, factor: 4, longest: 5 * 60_000 }
/** Consecutive refusals that pending facts can explain. More of them are treated as a defect. */
const maxRefusals = 20
/** Delay in ms before a retry after a disk error. */
const diskPause = 1000
/** Delay in ms before a retry after damaged data was read. */
const damagePause = 60_000

/** `ending` aborts when the persona stops or restarts. */
export const createTurnRetries = (deps: Deps, ending: AbortSignal): TurnRetries => {
  const { id, life, persona, clock, log, faults, execute } = deps
  let failure: Failing | null = null
  let refusals = 0
  let resumes = true
  let isResuming = false
  let pauseAbort = new AbortController()

  const openTurn = () => persona().talk.turn?.id ?? null

  /** Returns true if the failing turn is still open. The user may have ended it in the meantime. */
  const isStuck = () => {
    if (failure === null || failure.count < maxFailures || failure.turn !== openTurn()) return false
    return failure.turn !== null || (!deps.sleep().holdsTurns && hasNewTurn(persona()))
  }

  /** Takes all messages of the channel, because the number that fits could not be computed. */
  const beginTurn = async () => {
    const inbox = getWaitingInboxes(persona().talk)[0]
    const channel = inbox ? inbox.channel : toWebChannel(id)
    await execute({ type: 'BeginTurn', life, channel, upTo: inbox?.heard ?? 0 })
  }

  const pauseForDisk = (error: unknown): Promise<void> => {
    if (!isUnavailable(error)) log.error({ id, err: error }, 'a turn failed')
    // If a write finds damage, the host stops the persona. Damage found by a read can last long.
    return clock.wait(error instanceof Damaged ? damagePause : diskPause, ending)
  }

  const pauseResuming = async (count: number) => {
    if (count >= maxFailures) resumes = false
    pauseAbort = new AbortController()
    if (!resumes && hasNewTurn(persona())) return
    await eitherAborts([ending, pauseAbort.signal], (signal) => clock.wait(pauseAfter(count, pauses), signal))
  }

  return {
    pause: async (error) => {
      const wasResuming = isResuming
      isResuming = false
      const isRefusal = error instanceof Refused || (error instanceof Error && error.name === 'AbortError')
      // The user aborted the turn, or another commit came first. The next iteration decides on the new state.
      if (isRefusal && ++refusals <= maxRefusals) return yieldNow()
      if (!isRefusal && !isUnexpected(error)) return pauseForDisk(error)
      faults.add('turn', error)
      const turn = wasResuming ? 'resume' : openTurn()
      const count = failure?.turn === turn ? failure.count + 1 : 1
      failure = { turn, count, kind: getFaultKind(error) }
      if (turn === 'resume') return pauseResuming(count)
      // After the last attempt the turn ends immediately.
      if (count !== maxFailures) await clock.wait(pauseAfter(count, pauses), ending)
    },
    giveUp: async () => {
      if (!isStuck()) return
      if (!persona().talk.turn) await beginTurn()
      const { turn } = persona().talk
      if (turn) await endFaultyTurn(turn, failure?.kind ?? 'Error', persona(), deps)
      failure = null
    },
    mayResume: () => findResumable(persona().talk) !== undefined && (resumes || !hasNewTurn(persona())),
    resume: async () => {
      isResuming = true
      await execute({ type: 'ResumeTurn', life })
      isResuming = false
      resumes = true
    },
    onCommit: () => {
      if (!resumes && hasNewTurn(persona())) pauseAbort.abort()
    },
    clear: () => {
      failure = null
      refusals = 0
      faults.clear('turn')
    },
  }
}
