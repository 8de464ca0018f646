/** One persona being served: she takes turns while something waits, and is told of what falls due. */
import { Damaged } from '../../journal/errors.ts'
import type { PersonaId, Seq } from '../../journal/events.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Plan } from '../../projections/plans.ts'
import { type Turn, waiting } from '../../projections/talk.ts'
import { type Bus, listen } from '../bus.ts'
import { webChannelOf } from '../channels/web.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { fitting } from '../mind/talk.ts'
import type { Tool } from '../mind/tools/tool.ts'
import { instantOf, nextAfter } from '../mind/wall.ts'
import type { Command, Saying } from '../persona/commands.ts'
import { JournalUnavailable } from '../persona/gate.ts'
import type { Personas } from '../persona/personas.ts'
import { Refused } from '../persona/refusals.ts'
import type { Exchange, Exchanged } from './converse.ts'
import type { Equipment } from './equip.ts'
import { createExchanges } from './exchanges.ts'
import { ownWords, takeTurn } from './turn.ts'

export interface Agent {
  readonly saying: Saying | null
  /** Looks at the clock: what is due, and whether a failed Mind answers again. */
  beat(): Promise<void>
  /** Answers a program, beside her turns. */
  converse(exchange: Exchange): Promise<Exchanged>
  /** Cuts what she is at and ends her life; the turn in progress waits for the next one. */
  stop(): Promise<void>
}

export interface AgentDeps extends Equipment {
  readonly id: PersonaId
  readonly persona: Persona
  readonly personas: Personas
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Log
  readonly tools: readonly Tool[]
  readonly random: () => number
  readonly newId: () => string
  /** Asks at her Mind's door; rejects when it does not answer. */
  readonly knock: () => Promise<void>
}

/** Milliseconds before she tries again what the disk refused. */
const diskPause = 1000
/** Milliseconds before she looks again at words that are damaged. */
const damagePause = 60_000
const day = 24 * 60 * 60_000

export const createAgent = (deps: AgentDeps): Agent => {
  const { id, personas, bus, clock, log } = deps
  const { life } = deps.persona.life
  const ending = new AbortController()
  let persona = deps.persona
  let saying: Saying | null = null
  let turning: { readonly id: number; readonly cut: AbortController } | null = null
  let working: Promise<void> = Promise.resolve()
  let busy = false
  /** By the position of the plan, where it was looked up. */
  const whenPlanned = new Map<Seq, number>()

  const execute = (command: Command) => personas.execute(id, command, 'agent')
  const exchanges = createExchanges({ ...deps, life, execute, read: (look) => personas.read(id, look) }, ending.signal)

  /** The turn left open, or the next one of the channel that waits longest; none while her Mind is marked failed. */
  const next = async (): Promise<Turn | null> => {
    if (persona.life.failed.thinking) return null
    if (persona.talk.turn) return persona.talk.turn
    const inbox = waiting(persona.talk)[0]
    if (!inbox && persona.plans.due.length === 0) return null
    const upTo = inbox ? await personas.read(id, ({ journal }) => fitting(journal, inbox)) : 0
    await execute({ type: 'BeginTurn', life, channel: inbox ? inbox.channel : webChannelOf(id), upTo })
    return persona.talk.turn
  }

  const oneTurn = async (turn: Turn) => {
    const cut = new AbortController()
    turning = { id: turn.id, cut }
    bus.sign({ type: 'typing', id, on: true })
    try {
      await takeTurn(turn, {
        ...deps,
        life,
        execute,
        read: (look) => personas.read(id, look),
        keepPart: (bytes) => personas.keepPart(id, bytes),
        signal: AbortSignal.any([cut.signal, ending.signal]),
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
    } finally {
      turning = null
      saying = null
      bus.sign({ type: 'typing', id, on: false })
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
          await new Promise(setImmediate)
          continue
        }
        if (!(error instanceof JournalUnavailable)) log.error({ id, err: error }, 'a turn failed')
        // Damage that was found at writing ends her here: the host lays her down. What only cannot be read may stay so for long.
        await clock.wait(error instanceof Damaged ? damagePause : diskPause, ending.signal)
      }
    }
  }

  const wakeUp = () => {
    if (busy || ending.signal.aborted) return
    busy = true
    working = work().finally(() => {
      busy = false
      if (!ending.signal.aborted && somethingWaits()) wakeUp()
    })
  }

  const somethingWaits = () =>
    !persona.life.failed.thinking && (persona.talk.turn !== null || waiting(persona.talk).length > 0 || persona.plans.due.length > 0)

  const unlisten = listen(bus.commitsOf(id), log, (committed) => {
    persona = committed.persona
    if (turning && persona.talk.turn?.id !== turning.id) turning.cut.abort()
    wakeUp()
  })

  /** Late ones come once: the next occurrence is the first that is still to come. */
  const fallDue = async (plan: Plan, now: number) => {
    const next = plan.recurrence && { id: `p${deps.newId()}`, wall: nextAfter(plan.anchor, plan.zone, plan.recurrence, now) }
    await personas.execute(id, { type: 'FallDue', id: plan.id, next }, 'clock').catch((error: unknown) => {
      // Cancelled in this very moment.
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
    if (planned - now > day) await personas.execute(id, { type: 'PlanAnew', id: plan, wall: next }, 'clock')
  }

  /** A promise does not wait for a provider: what fell due is told in its own words while her Mind is away. */
  const tellDue = () => {
    const told = persona.plans.due.map((plan) => ({ id: plan.id, words: ownWords(plan) }))
    return execute({ type: 'TellDue', life, channel: webChannelOf(id), told })
  }

  const beat = async () => {
    if (ending.signal.aborted) return
    const now = clock.now()
    const wasFailed = persona.life.failed.thinking !== undefined
    if (wasFailed && persona.plans.due.length > 0 && !persona.talk.turn) await tellDue()
    for (const plan of Object.values(persona.plans.open)) if (instantOf(plan.wall, plan.zone) <= now) await fallDue(plan, now)
    for (const plan of Object.values(persona.plans.open)) await putBack(plan, now)
    if (!wasFailed) return
    const answers = await deps.knock().then(
      () => true,
      () => false,
    )
    if (answers) await personas.execute(id, { type: 'RecoverOrgan', slot: 'thinking' }, 'host')
  }

  /** What was heard between her waking and this listening was told to nobody here: her state as it is now knows it. */
  const catchUp = () =>
    personas.read(id, async (now) => {
      persona = now.persona
      wakeUp()
    })

  void catchUp().catch((error: unknown) => log.error({ id, err: error }, 'her state could not be read'))
  return {
    get saying() {
      return saying
    },
    beat: async () => {
      try {
        await beat()
      } catch (error) {
        if (!ending.signal.aborted && !(error instanceof Refused)) log.error({ id, err: error }, 'a heartbeat failed')
      }
    },
    converse: exchanges.converse,
    stop: async () => {
      ending.abort()
      unlisten()
      await Promise.all([working, exchanges.ended()])
      await execute({ type: 'EndLife', life }).catch((error: unknown) => {
        if (!(error instanceof Refused)) log.warn({ id, err: error }, 'the end of a life could not be written')
      })
    },
  }
}

const timeOf = async (journal: Journal, seq: Seq): Promise<number> => {
  for await (const { at } of journal.read({ after: seq - 1, upTo: seq })) return at
  throw new Damaged(seq, 'is missing')
}

const cutByPerson = (error: unknown) => error instanceof Error && error.name === 'AbortError'
