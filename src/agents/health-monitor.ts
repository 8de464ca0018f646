/**
 * What is done while the Mind is away. A list of models proves nothing where it was talk that failed: the
 * Mind is asked for one word, a handful of tokens, until it answers that, and then for what waits; only an
 * answer to that makes it well. Whoever waits is told, and after a while the persona is sick.
 */
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Persona } from '../../projections/persona.ts'
import { type Turn, waiting } from '../../projections/talk.ts'
import type { Committed } from '../bus.ts'
import type { Unanswered } from '../mind/think.ts'
import type { Command } from '../persona/rules/decide.ts'
import { createFailedRounds } from './failed-rounds.ts'
import type { Notices } from './notices.ts'
import { createProbe, type Trouble, unasked } from './probe.ts'
import { createProbePace, pauseAfterRounds } from './probe-pace.ts'

export interface HealthMonitor {
  /** Must not throw. */
  follow(committed: Committed): void
  /** Looks at the clock, and at the state as it is on disk. */
  beat(): Promise<void>
  /** A turn's own call has failed, and what the turn took waits on. */
  failed(turn: Turn, error: Unanswered): Promise<void>
  /** Whether the Mind answers all but what waits there: then it is that which cannot be answered. */
  isHopeless(turn: Turn): boolean
  /** Resolves when nothing of it goes on. Never rejects. */
  ended(): Promise<void>
}

interface Deps {
  readonly clock: Clock
  readonly stopwatch: Stopwatch
  /** As it is on disk. */
  readonly persona: () => Persona
  readonly notices: Notices
  /** On behalf of the daemon, whichever life it is. */
  readonly execute: (command: Command) => Promise<unknown>
  /** One word of the Mind; rejects when it gives none. */
  readonly word: (signal: AbortSignal) => Promise<void>
  /** Whether a night goes on. */
  readonly asleep: () => boolean
  /** Whether there is anything to try the Mind with. */
  readonly waits: () => boolean
  /** One turn, though the Mind is marked as failed. Resolves when it is over, or none began. */
  readonly tryTurn: () => Promise<void>
  /** What could not be written. */
  readonly onError: (error: unknown) => void
  /** Aborts when the life is over. */
  readonly ending: AbortSignal
}

/** Milliseconds of failing before the persona is called sick. */
export const untilSick = 3 * 60_000

export const createHealthMonitor = (deps: Deps): HealthMonitor => {
  const { clock, persona, notices, execute, ending } = deps
  const pace = createProbePace(deps)
  const probe = createProbe({ ...deps, onLate: pace.hurry })
  const rounds = createFailedRounds(persona().talk.turn?.channel ?? null)
  let watching: Promise<void> | null = null

  const failure = () => persona().life.failed.thinking

  const look = async () => {
    pace.heardOf()
    // A night asks the Mind itself.
    const trouble = deps.asleep() ? unasked : await probe.ask()
    const failing = failure()
    if (ending.aborted || !failing) return
    if (trouble) await stillAway(trouble, trouble.reason ?? failing.reason)
    else await answered()
    await beat()
  }

  const stillAway = async ({ lasting, retryAfter = 0 }: Trouble, reason: string) => {
    rounds.clear()
    pace.leave(retryAfter)
    await notices.tell(reason)
    if (lasting) await execute({ type: 'FallSick', reason })
  }

  const answered = async () => {
    rounds.wordGiven()
    if (deps.waits()) await deps.tryTurn()
    // Nothing is left to try it with: its word has to do.
    else await execute({ type: 'RecoverOrgan', slot: 'thinking' })
  }

  const watch = async () => {
    while (!ending.aborted && failure()) {
      await pace.wait()
      if (!ending.aborted && failure()) await look().catch(deps.onError)
    }
    probe.end()
    rounds.clear()
    pace.leave(0)
  }

  const begin = () => {
    if (watching || ending.aborted || !failure()) return
    watching = watch().finally(() => {
      watching = null
      begin()
    })
  }

  const beat = async () => {
    begin()
    const failing = failure()
    // A clock that was put back is no reason not to look.
    if (failing && Math.abs(clock.now() - failing.since) >= untilSick)
      await execute({ type: 'FallSick', reason: failing.reason })
  }

  const follow = (event: PersonaEvent) => {
    if (event.type === 'TurnBegan') rounds.begun(event.channel)
    if (event.type === 'OrganFailed' && event.slot === 'thinking') pace.beginAnew()
    if ((event.type === 'OrganRecovered' || event.type === 'OrganReplaced') && event.slot === 'thinking') {
      notices.forget()
      rounds.answered()
      // Whatever is begun now has the Mind to itself.
      probe.end()
    }
    if (event.type === 'MessageHeard' && event.channel) {
      notices.addWaiting(event.channel)
      pace.spoken()
    }
  }

  for (const { channel, putBack } of waiting(persona().talk))
    if (channel && putBack === 0) notices.addWaiting(channel)
  return {
    follow: ({ entries }) => {
      for (const { event } of entries) follow(event)
      begin()
    },
    beat,
    failed: async ({ channel }, { message, retryAfter = 0 }) => {
      pace.heardOf()
      pace.leave(Math.max(retryAfter, pauseAfterRounds(rounds.failed(channel))))
      notices.mark(channel)
      await notices.tell(message)
    },
    isHopeless: ({ channel }) => rounds.isHopeless(channel),
    ended: async () => {
      await watching
    },
  }
}
