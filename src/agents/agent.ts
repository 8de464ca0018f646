/** One persona being served: it takes turns while something waits, and is told of what falls due. */

import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { Persona } from '../../projections/persona.ts'
import { type Inbox, type Turn, waiting } from '../../projections/talk.ts'
import { type Bus, listen } from '../bus.ts'
import { yieldNow } from '../flow/yielding.ts'
import type { Log } from '../log.ts'
import { askOneWord } from '../mind/one-word.ts'
import { fitting } from '../mind/prompt/recent-talk.ts'
import type { Tool } from '../mind/tools/tool.ts'
import { JournalUnavailable } from '../persona/gate.ts'
import type { Personas } from '../persona/personas.ts'
import { Refused } from '../persona/refusals.ts'
import type { Command } from '../persona/rules/decide.ts'
import type { Saying } from '../persona/rules/turn.ts'
import type { Clock } from '../time/clock.ts'
import { webChannelOf } from '../web-channel.ts'
import type { Exchange, Exchanged } from './converse.ts'
import { createDueEntries } from './due-entries.ts'
import { createExchanges } from './exchanges.ts'
import { createFeedings, type FeedingDeps, type History } from './feeding.ts'
import { createHealthMonitor } from './health-monitor.ts'
import { createNotices } from './notices.ts'
import { createSilenceWatch } from './silence-watch.ts'
import { createSleep, somethingWaits } from './sleep.ts'
import { takeTurn } from './take-turn.ts'
import type { TurnDeps } from './turn-deps.ts'
import type { Wiring } from './wiring.ts'

export interface Agent {
  readonly saying: Saying | null
  /** Looks at the clock: what is due, whether a failed Mind answers again, whether a day is over. What it begins goes on behind it; nothing is begun twice. */
  beat(): void
  /** Sleeps, and is awake again when it resolves. Refused `sleep_failed`. */
  sleep(): Promise<void>
  /** Answers a program, beside its turns. */
  converse(exchange: Exchange): Promise<Exchanged>
  /** Goes over what was talked about elsewhere, beside its turns. */
  feed(history: History): Promise<void>
  /** Cuts what it is at and ends its life; the turn in progress waits for the next one. */
  stop(): Promise<void>
}

export interface AgentDeps extends Wiring {
  readonly id: PersonaId
  readonly persona: Persona
  readonly personas: Personas
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Log
  readonly tools: readonly Tool[]
  readonly histories: FeedingDeps['histories']
  readonly random: () => number
  readonly newId: () => string
  /** What is waited for a Mind with. */
  readonly stopwatch: Stopwatch
  /** Nights are one persona's at a time. */
  readonly inBed: (night: () => Promise<void>) => Promise<void>
}

/** Milliseconds before it tries again what the disk refused. */
const diskPause = 1000
/** Milliseconds before it looks again at words that are damaged. */
const damagePause = 60_000

export const createAgent = (deps: AgentDeps): Agent => {
  const { id, personas, bus, clock, log } = deps
  const { life } = deps.persona.life
  const ending = new AbortController()
  let persona = deps.persona
  let saying: Saying | null = null
  let turning: { readonly id: number; readonly cut: AbortController } | null = null
  let working: Promise<void> = Promise.resolve()
  let busy = false
  /** One turn is taken, though the Mind is marked as failed. */
  let trial = false
  let beating: Promise<void> | null = null
  /** A beat came while the one before it went on. */
  let owed = false

  const execute = (command: Command) => personas.execute(id, command, 'agent')
  const reading: TurnDeps['read'] = (look) => personas.read(id, look)
  const exchanges = createExchanges({ ...deps, life, execute, read: reading }, ending.signal)
  const feedings = createFeedings({ ...deps, life, execute, read: reading }, ending.signal)
  const due = createDueEntries({ ...deps, life, execute, persona: () => persona, failed: (error) => beatFailed(error) }, ending.signal)
  const notices = createNotices({ life, clock, execute })
  const silence = createSilenceWatch(deps.stopwatch)
  const ailing = createHealthMonitor({
    ...{ clock, stopwatch: deps.stopwatch, notices, ending: ending.signal },
    persona: () => persona,
    execute: (command) => personas.execute(id, command, 'host'),
    word: async (signal) => askOneWord((await deps.organs(persona, signal).mind()).mind, signal),
    asleep: () => rest.asleep,
    waits: () => persona.talk.turn !== null || (!rest.asleep && waiting(persona.talk).length > 0),
    tryTurn: async () => {
      trial = true
      wakeUp()
      while (busy) await working
      trial = false
    },
    onError: (error) => notTold(error),
  })
  const rest = createSleep(
    {
      ...{ ...deps, life, execute, read: reading, verify: personas.verify, persona: () => persona },
      turnEnded: async () => {
        while (busy) await working
      },
      onAwake: () => wakeUp(),
    },
    ending.signal,
  )

  const mayThink = () => trial || !persona.life.failed.thinking

  /** The turn left open, or the next one of the channel that waits longest; none while its Mind is marked failed, but for one that tries it. */
  const next = async (): Promise<Turn | null> => {
    if (!mayThink()) return null
    trial = false
    if (persona.talk.turn) return persona.talk.turn
    if (rest.asleep) return null
    const inbox = waiting(persona.talk)[0]
    if (!inbox && persona.plans.due.length === 0) return null
    rest.interrupt()
    const upTo = inbox ? await fittingUpTo(inbox) : 0
    await execute({ type: 'BeginTurn', life, channel: inbox ? inbox.channel : webChannelOf(id), upTo })
    return persona.talk.turn
  }

  const fittingUpTo = async (inbox: Inbox) => {
    const room = await deps.organs(persona, ending.signal).room()
    return personas.read(id, ({ journal }) => fitting(journal, inbox, room))
  }

  const oneTurn = async (turn: Turn) => {
    const cut = new AbortController()
    turning = { id: turn.id, cut }
    bus.sign({ type: 'typing', id, channel: turn.channel, on: true })
    try {
      const failed = await takeTurn(turn, {
        ...deps,
        life,
        execute,
        read: reading,
        keepPart: (bytes) => personas.keepPart(id, bytes),
        signal: AbortSignal.any([cut.signal, ending.signal]),
        silence,
        onSilent: (seconds) => void notices.tell(silentFor(seconds), turn.id).catch(notTold),
        isHopeless: () => ailing.isHopeless(turn),
        isTold: () => notices.isTold(turn.channel),
        saying: (now, delta) => {
          saying = now
          if (now)
            bus.sign({
              type: 'delta',
              id,
              channel: turn.channel,
              turn: turn.id,
              step: now.step,
              offset: now.text.length - delta.length,
              delta,
            })
        },
      })
      if (failed) await ailing.failed(turn, failed)
    } finally {
      turning = null
      saying = null
      bus.sign({ type: 'typing', id, channel: turn.channel, on: false })
    }
  }

  const work = async () => {
    while (!ending.signal.aborted) {
      try {
        const turn = await next()
        if (!turn) return
        await oneTurn(turn)
      } catch (error) {
        if (ending.signal.aborted) return
        if (error instanceof Refused && error.refusal.code === 'life_over') return
        // Cut by the person, or overtaken by a fact that is on its way: what waits after it decides.
        if (error instanceof Refused || cutByPerson(error)) {
          await yieldNow()
          continue
        }
        if (!(error instanceof JournalUnavailable)) log.error({ id, err: error }, 'a turn failed')
        // Damage that was found at writing ends it here: the host lays it down. What only cannot be read may stay so for long.
        await clock.wait(error instanceof Damaged ? damagePause : diskPause, ending.signal)
      }
    }
  }

  const wakeUp = () => {
    if (busy || ending.signal.aborted) return
    busy = true
    working = work().finally(() => {
      busy = false
      if (!ending.signal.aborted && hasTurn()) wakeUp()
    })
  }

  const hasTurn = () => mayThink() && (persona.talk.turn !== null || (!rest.asleep && somethingWaits(persona)))

  const unlisten = listen(bus.commitsOf(id), log, (committed) => {
    persona = committed.persona
    if (turning && persona.talk.turn?.id !== turning.id) turning.cut.abort()
    if (committed.entries.some(({ type }) => type === 'MessageHeard')) rest.interrupt()
    due.heard(committed.entries.map(({ event }) => event))
    ailing.heed(committed)
    wakeUp()
  })

  const notTold = (error: unknown) => {
    if (!ending.signal.aborted && !(error instanceof Refused)) log.warn({ id, err: error }, 'its trouble could not be told')
  }

  const beat = async () => {
    if (ending.signal.aborted) return
    await due.look()
    await ailing.beat()
    rest.beat()
  }

  const beats = async () => {
    while (owed && !ending.signal.aborted) {
      owed = false
      await beat().catch(beatFailed)
    }
  }

  const beatFailed = (error: unknown) => {
    if (!ending.signal.aborted && !(error instanceof Refused)) log.error({ id, err: error }, 'a heartbeat failed')
  }

  /** What was heard between its waking and this listening was told to nobody here: its state as it is now knows it. */
  const catchUp = () =>
    personas.read(id, async (now) => {
      persona = now.persona
      // A night that was cut off comes first.
      if (persona.days.sleeping !== null) rest.beat()
      void due.look().catch(beatFailed)
      wakeUp()
    })

  void catchUp().catch((error: unknown) => log.error({ id, err: error }, 'its state could not be read'))
  return {
    get saying() {
      return saying
    },
    beat: () => {
      owed = true
      beating ??= beats().finally(() => {
        beating = null
      })
    },
    sleep: () => rest.sleep('person'),
    converse: exchanges.converse,
    feed: feedings.feed,
    stop: async () => {
      ending.abort()
      unlisten()
      await Promise.all([working, beating, due.ended(), ailing.ended(), exchanges.ended(), feedings.ended(), rest.ended()])
      await execute({ type: 'EndLife', life }).catch((error: unknown) => {
        if (!(error instanceof Refused)) log.warn({ id, err: error }, 'the end of a life could not be written')
      })
    },
  }
}

const silentFor = (seconds: number) => `my mind has given no sign for ${seconds} s.`

const cutByPerson = (error: unknown) => error instanceof Error && error.name === 'AbortError'
