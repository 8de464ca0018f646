/**
 * Handles outages of the model. A successful list of models does not prove that chat works, so the probe asks
 * the model for one word, a few tokens. After it succeeds, a waiting turn is tried. Only an answered turn
 * marks the model as recovered. Users who wait are notified. After some minutes the persona falls sick.
 */
import type { Channel } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Persona } from '../../projections/persona.ts'
import { getWaitingInboxes, inboxKey, type Turn } from '../../projections/talk.ts'
import type { PersonaCommit } from '../bus.ts'
import type { Unanswered } from '../mind/model-retries.ts'
import type { Command } from '../persona/rules/decide.ts'
import { type Notices, toOutageNotice } from './outage-notices.ts'
import { createProbe, createProbePace, noResult, pauseAfterRounds, type Trouble } from './probe.ts'

export interface HealthMonitor {
  /** Handles a commit. Must not throw. */
  follow(commit: PersonaCommit): void
  /** Checks the clock and the committed state. */
  beat(): Promise<void>
  /** Probes a failing model now instead of after the pause. */
  tryNow(): void
  /** Handles a failed model call of a turn whose messages stay queued. */
  onTurnFailure(turn: Turn, error: Unanswered): Promise<void>
  /** Returns true if the model answers probes but repeatedly fails on the messages of this turn's channel. */
  isHopeless(turn: Turn): boolean
  /** Resolves when the monitor has stopped. Never rejects. */
  waitForEnd(): Promise<void>
}

interface Deps {
  readonly clock: Clock
  readonly stopwatch: Stopwatch
  /** Returns the committed state. */
  readonly persona: () => Persona
  readonly notices: Notices
  /** Executes a command for the daemon, independent of the life. */
  readonly execute: (command: Command) => Promise<unknown>
  /** Asks the model for one word. Rejects if it gives none. */
  readonly word: (signal: AbortSignal) => Promise<void>
  /** Returns true during the nightly consolidation. */
  readonly asleep: () => boolean
  /** Returns true if messages are waiting that the model can be tried with. */
  readonly waits: () => boolean
  /**
   * Tries one turn although the model is marked as failed. Resolves when the turn has ended, or if none
   * started.
   */
  readonly tryTurn: () => Promise<void>
  /** Receives write errors. */
  readonly onError: (error: unknown) => void
  /** Aborts when the persona stops or restarts. */
  readonly ending: AbortSignal
}

/** Duration of an outage in ms after which the persona falls sick. */
export const untilSick = 3 * 60_000

export const createHealthMonitor = (deps: Deps): HealthMonitor => {
  const { clock, persona, notices, execute, ending } = deps
  const pace = createProbePace(deps)
  const probe = createProbe({ ...deps, onLate: pace.hurry })
  const rounds = createFailedRounds(persona().talk.turn?.channel ?? null)
  let watchTask: Promise<void> | null = null

  const getFailure = () => persona().life.failed.thinking

  const check = async () => {
    pace.onMessage()
    // The nightly consolidation calls the model itself.
    const probeFailure = deps.asleep() ? noResult : await probe.ask()
    const failure = getFailure()
    if (ending.aborted || !failure) return
    if (probeFailure) await onStillUnreachable(probeFailure, probeFailure.reason ?? failure.reason)
    else await onAnswer()
    await beat()
  }

  const onStillUnreachable = async ({ lasting, retryAfter = 0 }: Trouble, reason: string) => {
    rounds.clear()
    pace.leave(retryAfter)
    await notices.notify(toOutageNotice(reason))
    if (lasting) await execute({ type: 'FallSick', reason })
  }

  const onAnswer = async () => {
    rounds.wordGiven()
    if (deps.waits()) await deps.tryTurn()
    // No messages are waiting, so the successful probe is enough.
    else await execute({ type: 'RecoverOrgan', slot: 'thinking' })
  }

  const runWatch = async () => {
    while (!ending.aborted && getFailure()) {
      await pace.wait()
      if (!ending.aborted && getFailure()) await check().catch(deps.onError)
    }
    probe.end()
    rounds.clear()
    pace.leave(0)
  }

  const startWatch = () => {
    if (watchTask || ending.aborted || !getFailure()) return
    watchTask = runWatch().finally(() => {
      watchTask = null
      startWatch()
    })
  }

  const beat = async () => {
    startWatch()
    const failure = getFailure()
    // `abs`, because the clock may have been set back.
    if (failure && Math.abs(clock.now() - failure.since) >= untilSick)
      await execute({ type: 'FallSick', reason: failure.reason })
  }

  const follow = (event: PersonaEvent) => {
    if (event.type === 'TurnBegan') rounds.onTurnBegun(event.channel)
    if (event.type === 'OrganFailed' && event.slot === 'thinking') pace.beginAnew()
    if ((event.type === 'OrganRecovered' || event.type === 'OrganReplaced') && event.slot === 'thinking') {
      notices.forget()
      rounds.onAnswer()
      // Stops the probe, so that it does not compete with the next calls.
      probe.end()
    }
    if (event.type === 'MessageHeard' && event.channel) {
      notices.addWaiting(event.channel)
      pace.onAnswer()
    }
  }

  for (const { channel, putBack } of getWaitingInboxes(persona().talk))
    if (channel && putBack === 0) notices.addWaiting(channel)
  return {
    follow: ({ entries }) => {
      for (const { event } of entries) follow(event)
      startWatch()
    },
    beat,
    tryNow: pace.onAnswer,
    onTurnFailure: async ({ channel }, { message, retryAfter = 0 }) => {
      pace.onMessage()
      pace.leave(Math.max(retryAfter, pauseAfterRounds(rounds.countFailure(channel))))
      notices.mark(channel)
      await notices.notify(toOutageNotice(message))
    },
    isHopeless: ({ channel }) => rounds.isHopeless(channel),
    waitForEnd: async () => {
      await watchTask
    },
  }
}

// Counts failed turns per channel while the model is reachable. After 3 rounds the waiting messages are
// considered unanswerable.

export interface FailedRounds {
  onTurnBegun(channel: Channel | null): void
  /** Returns the number of earlier rounds of the channel. */
  countFailure(channel: Channel | null): number
  /** The model answered a probe after the failure. */
  wordGiven(): void
  /** The model itself is unreachable: resets all counts. */
  clear(): void
  /** The current turn was answered: resets the count of its channel. */
  onAnswer(): void
  isHopeless(channel: Channel | null): boolean
}

const maxRounds = 3

/** `open`: the channel of the turn in progress. */
const createFailedRounds = (open: Channel | null): FailedRounds => {
  const rounds = new Map<string, number>()
  let currentInbox = inboxKey(open)
  /** The channel whose turn failed since the last successful probe. */
  let failedInbox: string | null = null
  const countRounds = (channel: Channel | null) => rounds.get(inboxKey(channel)) ?? 0
  return {
    onTurnBegun: (channel) => {
      currentInbox = inboxKey(channel)
    },
    countFailure: (channel) => {
      failedInbox = inboxKey(channel)
      return countRounds(channel)
    },
    wordGiven: () => {
      if (failedInbox !== null) rounds.set(failedInbox, (rounds.get(failedInbox) ?? 0) + 1)
      failedInbox = null
    },
    clear: () => {
      rounds.clear()
      failedInbox = null
    },
    onAnswer: () => void rounds.delete(currentInbox),
    isHopeless: (channel) => countRounds(channel) >= maxRounds,
  }
}
