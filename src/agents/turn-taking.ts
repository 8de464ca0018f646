/** Its turns, one after another for as long as something waits. */
import type { PersonaId, Seq, Sha256 } from '../../journal/facts/fact-values.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Persona } from '../../projections/persona.ts'
import { resumable, type Turn, waiting } from '../../projections/talk.ts'
import type { Bus, Committed } from '../bus.ts'
import { eitherAborts } from '../flow/either-aborts.ts'
import { yieldNow } from '../flow/yielding.ts'
import { fitting } from '../mind/prompt/recent-talk.ts'
import type { Tool } from '../mind/tools/tool.ts'
import { Refused } from '../persona/refusals.ts'
import type { Saying } from '../persona/rules/turn.ts'
import { JournalUnavailable } from '../persona/unavailable.ts'
import { webChannelOf } from '../web-channel.ts'
import type { HealthMonitor } from './health-monitor.ts'
import { somethingWaits } from './night.ts'
import type { Notices } from './notices.ts'
import type { SilenceWatch } from './silence-watch.ts'
import type { Sleep } from './sleep.ts'
import { takeTurn } from './take-turn.ts'
import type { TurnDeps } from './turn-deps.ts'
import type { AgentLife } from './wiring.ts'

export interface Turns {
  readonly saying: Saying | null
  /** Takes what waits, if it does not already. */
  begin(): void
  /** One turn, though the Mind is marked as failed. Resolves when it is over, or none began. */
  tryOne(): Promise<void>
  /** Cuts the turn in progress where a fact has ended it, or holds it until its Mind answers again. */
  follow(committed: Committed): void
  /** Resolves when no turn goes on. Never rejects. */
  ended(): Promise<void>
}

interface Deps extends AgentLife {
  readonly bus: Pick<Bus, 'sign'>
  readonly tools: readonly Tool[]
  readonly keepPart: (bytes: Uint8Array) => Promise<Sha256>
  /** As it is on disk. */
  readonly persona: () => Persona
  readonly silence: SilenceWatch
  readonly notices: Notices
  readonly health: () => Pick<HealthMonitor, 'isHopeless' | 'failed'>
  readonly sleep: () => Pick<Sleep, 'asleep' | 'interrupt'>
  readonly notTold: (error: unknown) => void
}

/** Milliseconds before it tries again what the disk refused. */
const diskPause = 1000
/** Milliseconds before it looks again at words that are damaged. */
const damagePause = 60_000

/** `ending` aborts when its life is over. */
export const createTurns = (deps: Deps, ending: AbortSignal): Turns => {
  const { id, persona, sleep } = deps
  let current: { readonly id: Seq; readonly cut: AbortController } | null = null
  let saying: Saying | null = null
  let working: Promise<void> = Promise.resolve()
  let busy = false
  let trial = false

  const mayThink = () => trial || !persona().life.failed.thinking

  /**
   * The turn left open, or the next one of the channel that waits longest; none while its Mind is marked
   * failed, but for one that tries it.
   */
  const next = async (): Promise<Turn | null> => {
    if (!mayThink()) return null
    const tried = trial
    trial = false
    const { talk } = persona()
    if (talk.turn) return talk.turn
    if (sleep().asleep || !somethingWaits(persona())) return null
    sleep().interrupt()
    if (resumable(talk)) await deps.execute({ type: 'ResumeTurn', life: deps.life })
    else await beginTurn(deps, ending)
    // A night that could not reach the Mind may have marked it meanwhile: then the turn waits, and the Mind
    // is asked for a word first.
    return tried || mayThink() ? persona().talk.turn : null
  }

  const take = async (turn: Turn) => {
    const cut = new AbortController()
    current = { id: turn.id, cut }
    const stopTyping = typing(turn, deps)
    const say = (now: Saying | null, delta: string) => {
      saying = now
      if (now) deps.bus.sign(deltaOf(id, turn, now, delta))
    }
    try {
      const failed = await eitherAborts([cut.signal, ending], (signal) =>
        takeTurn(turn, turnDeps(turn, say, signal, deps)),
      )
      if (failed) await deps.health().failed(turn, failed)
    } finally {
      current = null
      saying = null
      stopTyping()
    }
  }

  const work = async () => {
    while (!ending.aborted) {
      try {
        const turn = await next()
        if (!turn) return
        await take(turn)
      } catch (error) {
        if (ending.aborted || (error instanceof Refused && error.refusal.code === 'life_over')) return
        await afterFailure(error, deps, ending)
      }
    }
  }

  const hasTurn = () =>
    mayThink() && (persona().talk.turn !== null || (!sleep().asleep && somethingWaits(persona())))

  const begin = () => {
    if (busy || ending.aborted) return
    busy = true
    working = work().finally(() => {
      busy = false
      if (!ending.aborted && hasTurn()) begin()
    })
  }

  const ended = async () => {
    while (busy) await working
  }

  return {
    get saying() {
      return saying
    },
    begin,
    tryOne: async () => {
      trial = true
      begin()
      await ended()
      trial = false
    },
    follow: ({ entries }) => {
      if (!current) return
      const { id } = current
      // What was in doubt is found on disk after the turn was taken up anew.
      const held =
        persona().life.failed.thinking !== undefined &&
        entries.some(({ event }) => event.type === 'ModelFailed' && event.turn === id)
      if (held || persona().talk.turn?.id !== id) current.cut.abort()
    },
    ended,
  }
}

/**
 * With all that waits on the channel that waits longest, as far as it fits. What fell due alone is told on
 * the web channel.
 */
const beginTurn = async (
  { id, life, persona, organs, read, execute }: Deps,
  ending: AbortSignal,
): Promise<void> => {
  const inbox = waiting(persona().talk)[0]
  const budget = inbox && (await organs(persona(), ending).budget())
  const upTo = budget ? await read(({ journal }) => fitting(journal, inbox, budget)) : 0
  await execute({ type: 'BeginTurn', life, channel: inbox ? inbox.channel : webChannelOf(id), upTo })
}

const turnDeps = (turn: Turn, saying: TurnDeps['saying'], signal: AbortSignal, deps: Deps): TurnDeps => ({
  ...deps,
  saying,
  signal,
  onSilent: (seconds) =>
    void deps.notices.tell(`my mind has given no sign for ${seconds} s.`, turn.id).catch(deps.notTold),
  isHopeless: () => deps.health().isHopeless(turn),
  isTold: () => deps.notices.isTold(turn.channel),
})

/** Tells who watches the channel; what it returns tells them that it is over. */
const typing = ({ channel }: Turn, { id, bus }: Deps): (() => void) => {
  bus.sign({ type: 'typing', id, channel, on: true })
  return () => bus.sign({ type: 'typing', id, channel, on: false })
}

const deltaOf = (id: PersonaId, { id: turn, channel }: Turn, { step, text }: Saying, delta: string) =>
  ({ type: 'delta', id, channel, turn, step, offset: text.length - delta.length, delta }) as const

/** Waits until it makes sense to look anew at what waits. */
const afterFailure = async (error: unknown, { id, clock, log }: Deps, ending: AbortSignal): Promise<void> => {
  // Cut by the person, or overtaken by a fact that is on its way: what waits after it decides.
  if (error instanceof Refused || (error instanceof Error && error.name === 'AbortError')) return yieldNow()
  if (!(error instanceof JournalUnavailable)) log.error({ id, err: error }, 'a turn failed')
  // Damage that was found at writing ends it here: the host stops it. What only cannot be read may stay so
  // for long.
  await clock.wait(error instanceof Damaged ? damagePause : diskPause, ending)
}
