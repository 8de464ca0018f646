/**
 * What follows a turn that throws: a pause, and after a few tries an end in words, so that the next message
 * is answered. The count is kept in memory: a restart gives three tries more, with the same pauses.
 */
import type { Seq } from '../../journal/facts/fact-values.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { type Backoff, pauseAfter } from '../../packages/kit/flow/backoff.ts'
import { eitherAborts } from '../../packages/kit/flow/either-aborts.ts'
import { yieldNow } from '../../packages/kit/flow/yielding.ts'
import type { Persona } from '../../projections/persona.ts'
import { resumable, waiting } from '../../projections/talk.ts'
import { Refused, isUnavailable } from '../persona/refusals.ts'
import { webChannelOf } from '../web-channel.ts'
import { endFaultyTurn } from './end-turn.ts'
import { type Faults, isUnexpected, kindOf } from './faults.ts'
import { newTurnWaits } from './night.ts'
import type { Sleep } from './sleep.ts'
import type { AgentLife } from './wiring.ts'

export interface TurnFailures {
  /** Waits until it makes sense to look again at what waits. */
  pause(error: unknown): Promise<void>
  /** Ends in words what failed too often; does nothing otherwise. */
  giveUp(): Promise<void>
  /** After a few failures new turns come first, so that a turn that cannot be resumed delays no message. */
  mayResume(): boolean
  /** Resumes the turn that waited for the user's answer. */
  resume(): Promise<void>
  /** Ends the pause of a turn that cannot be resumed if a new turn waits. */
  heed(): void
  /** A turn succeeded. */
  clear(): void
}

interface Deps extends AgentLife {
  /** As it is on disk. */
  readonly persona: () => Persona
  readonly sleep: () => Pick<Sleep, 'asleep'>
  readonly faults: Faults
}

/** What failed in a row: the turn, null if none could begin, or resuming one. */
interface Failing {
  readonly turn: Seq | 'resume' | null
  readonly count: number
  /** Of the last error. */
  readonly kind: string
}

/** Failures in a row after which a turn ends in words. */
const mostFailures = 3
const pauses: Backoff = { first: 1000, factor: 4, longest: 5 * 60_000 }
/** Refusals in a row that may come of facts that are on their way. More of them are a defect. */
const mostRefusals = 20
/** Milliseconds before it tries again what the disk refused. */
const diskPause = 1000
/** Milliseconds before it looks again at words that are damaged. */
const damagePause = 60_000

/** `ending` aborts when the life is over. */
export const createTurnFailures = (deps: Deps, ending: AbortSignal): TurnFailures => {
  const { id, life, persona, clock, log, faults, execute } = deps
  let failing: Failing | null = null
  let refusals = 0
  let resumes = true
  let isResuming = false
  let pausing = new AbortController()

  const openTurn = () => persona().talk.turn?.id ?? null

  /** A turn that the user has ended meanwhile is no longer stuck. */
  const isStuck = () => {
    if (failing === null || failing.count < mostFailures || failing.turn !== openTurn()) return false
    return failing.turn !== null || (!deps.sleep().asleep && newTurnWaits(persona()))
  }

  /** With all that waits on the channel: how much of it fits could not be told. */
  const beginTurn = async () => {
    const inbox = waiting(persona().talk)[0]
    const channel = inbox ? inbox.channel : webChannelOf(id)
    await execute({ type: 'BeginTurn', life, channel, upTo: inbox?.heard ?? 0 })
  }

  const pauseForDisk = (error: unknown): Promise<void> => {
    if (!isUnavailable(error)) log.error({ id, err: error }, 'a turn failed')
    // The host stops a persona whose damage was found at writing. What only cannot be read may stay so for
    // long.
    return clock.wait(error instanceof Damaged ? damagePause : diskPause, ending)
  }

  const pauseResuming = async (count: number) => {
    if (count >= mostFailures) resumes = false
    pausing = new AbortController()
    if (!resumes && newTurnWaits(persona())) return
    await eitherAborts([ending, pausing.signal], (either) => clock.wait(pauseAfter(count, pauses), either))
  }

  return {
    pause: async (error) => {
      const wasResuming = isResuming
      isResuming = false
      const isRefusal = error instanceof Refused || (error instanceof Error && error.name === 'AbortError')
      // Cut by the user, or overtaken by a fact that is on its way: what waits after it decides.
      if (isRefusal && ++refusals <= mostRefusals) return yieldNow()
      if (!isRefusal && !isUnexpected(error)) return pauseForDisk(error)
      faults.add('turn', error)
      const turn = wasResuming ? 'resume' : openTurn()
      const count = failing?.turn === turn ? failing.count + 1 : 1
      failing = { turn, count, kind: kindOf(error) }
      if (turn === 'resume') return pauseResuming(count)
      // After the last try the turn is ended at once.
      if (count !== mostFailures) await clock.wait(pauseAfter(count, pauses), ending)
    },
    giveUp: async () => {
      if (!isStuck()) return
      if (!persona().talk.turn) await beginTurn()
      const { turn } = persona().talk
      if (turn) await endFaultyTurn(turn, failing?.kind ?? 'Error', persona(), deps)
      failing = null
    },
    mayResume: () => resumable(persona().talk) !== undefined && (resumes || !newTurnWaits(persona())),
    resume: async () => {
      isResuming = true
      await execute({ type: 'ResumeTurn', life })
      isResuming = false
      resumes = true
    },
    heed: () => {
      if (!resumes && newTurnWaits(persona())) pausing.abort()
    },
    clear: () => {
      failing = null
      refusals = 0
      faults.clear('turn')
    },
  }
}
