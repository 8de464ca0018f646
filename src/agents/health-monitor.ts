/**
 * What is done while the Mind is away. A list of models proves nothing where it was talk that failed: the Mind is asked for one word, a handful of tokens,
 * until it answers that, and then for what waits; only an answer to that makes it well. Whoever waits is told, and after a while the persona is sick.
 */
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { Persona } from '../../projections/persona.ts'
import { inboxKey, type Turn, waiting } from '../../projections/talk.ts'
import type { Committed } from '../bus.ts'
import type { Unanswered } from '../mind/think.ts'
import type { Command } from '../persona/rules/decide.ts'
import type { Clock } from '../time/clock.ts'
import type { Notices } from './notices.ts'
import { createProbe, unasked } from './probe.ts'

export interface HealthMonitor {
  /** Must not throw. */
  heed(committed: Committed): void
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

const minute = 60_000
/** Milliseconds of failing before the persona is called sick. */
export const untilSick = 3 * minute
/** While somebody waits, the Mind is looked for this often; once nobody has spoken for so long, or nobody waits, less and less often. */
const often = 5000
const patient = 10 * minute
const seldom = 5 * minute
/** So often a turn fails beside a Mind that gives its word just before and just after. */
const mostRounds = 3

export const createHealthMonitor = (deps: Deps): HealthMonitor => {
  const { clock, persona, notices, execute, ending } = deps
  const probe = createProbe({ ...deps, onLate: () => nudge.abort() })
  let watching: Promise<void> | null = null
  let looked = Number.NEGATIVE_INFINITY
  /** Milliseconds that are waited for at least, once. */
  let least = 0
  let pause = often
  /** When somebody last spoke; whoever waits at the beginning counts as having just spoken. */
  let spoken = clock.now()
  /** Ends the pause: somebody speaks, or the Mind was heard of. What waits at the beginning does not wait for a pause. */
  let nudge = new AbortController()
  nudge.abort()
  /** The inbox whose turn failed since the last word of the Mind. */
  let blamed: string | null = null
  /** The inbox of the latest turn. */
  let current = inboxKey(persona().talk.turn?.channel ?? null)
  /** Turns of an inbox that failed although the Mind gave its word right after. */
  const rounds = new Map<string, number>()

  const failure = () => persona().life.failed.thinking

  const eager = () => deps.waits() && Math.abs(clock.now() - spoken) <= patient

  const rest = async () => {
    if (!deps.waits()) pause = Math.max(pause, minute)
    const signal = AbortSignal.any([ending, nudge.signal])
    await clock.wait(pause, signal)
    // A provider is believed, but not for hours: what it asks for is seldom how long it takes.
    const more = Math.min(least, eager() ? minute : seldom) - pause
    if (more > 0) await clock.wait(more, signal)
    least = 0
    if (nudge.signal.aborted) {
      nudge = new AbortController()
      const soon = Math.min(looked + often - clock.now(), often)
      if (soon > 0) await clock.wait(soon, ending)
    }
    pause = eager() ? often : Math.min(pause * 2, seldom)
  }

  const look = async () => {
    looked = clock.now()
    // A night asks the Mind itself.
    const trouble = deps.asleep() ? unasked : await probe.ask()
    const failing = failure()
    if (ending.aborted || !failing) return
    if (trouble) {
      blamed = null
      rounds.clear()
      least = trouble.retryAfter ?? 0
      const reason = trouble.reason ?? failing.reason
      await notices.tell(reason)
      if (trouble.lasting) await execute({ type: 'FallSick', reason })
    } else await answered()
    await beat()
  }

  const answered = async () => {
    if (blamed !== null) rounds.set(blamed, (rounds.get(blamed) ?? 0) + 1)
    blamed = null
    if (deps.waits()) await deps.tryTurn()
    // Nothing is left to try it with: its word has to do.
    else await execute({ type: 'RecoverOrgan', slot: 'thinking' })
  }

  const watch = async () => {
    while (!ending.aborted && failure()) {
      await rest()
      if (!ending.aborted && failure()) await look().catch(deps.onError)
    }
    probe.end()
    rounds.clear()
    blamed = null
    least = 0
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
    if (failing && Math.abs(clock.now() - failing.since) >= untilSick) await execute({ type: 'FallSick', reason: failing.reason })
  }

  const oweAll = () => {
    for (const { channel, putBack } of waiting(persona().talk)) if (channel && putBack === 0) notices.owe(channel)
  }

  oweAll()
  return {
    heed: ({ entries }) => {
      for (const { event } of entries) {
        if (event.type === 'TurnBegan') current = inboxKey(event.channel)
        if (event.type === 'OrganFailed' && event.slot === 'thinking') {
          looked = clock.now()
          pause = often
          nudge = new AbortController()
        }
        if ((event.type === 'OrganRecovered' || event.type === 'OrganReplaced') && event.slot === 'thinking') {
          notices.forget()
          // What was tried again and again has been answered: what comes next on that channel has its own tries.
          rounds.delete(current)
          // Whatever is begun now has the Mind to itself.
          probe.end()
        }
        if (event.type !== 'MessageHeard' || !event.channel) continue
        notices.owe(event.channel)
        spoken = clock.now()
        pause = often
        least = 0
        nudge.abort()
      }
      begin()
    },
    beat,
    failed: async (turn, { message, retryAfter = 0 }) => {
      const name = inboxKey(turn.channel)
      blamed = name
      looked = clock.now()
      // Where the Mind gives its word, the fault may lie in what is sent: that is not sent every five seconds.
      least = Math.max(retryAfter, often * 3 ** (rounds.get(name) ?? 0))
      notices.mark(turn.channel)
      await notices.tell(message)
    },
    isHopeless: ({ channel }) => (rounds.get(inboxKey(channel)) ?? 0) >= mostRounds,
    ended: async () => {
      await watching
    },
  }
}
