/** The host of all agents: commits ask, it starts, stops and restarts, one step at a time for each persona. */

import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import pLimit from 'p-limit'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import { type Bus, type Committed, listen } from '../bus.ts'
import { pathless } from '../files/pathless.ts'
import { type Backoff, pauseAfter } from '../flow/backoff.ts'
import { createKeyedMutex } from '../flow/keyed-mutex.ts'
import type { Log } from '../log.ts'
import type { Tool } from '../mind/tools/tool.ts'
import { ModelError } from '../models/models.ts'
import { Refused } from '../persona/refusals.ts'
import type { WebChannel } from '../web-channel.ts'
import type { Agent } from './agent.ts'
import type { Agents, Settled } from './agents.ts'
import { untilSick } from './health-monitor.ts'
import { asks, plan } from './lifecycle-plan.ts'
import { reach, type WiringDeps, wire } from './wiring.ts'

interface Deps extends WiringDeps {
  readonly bus: Bus
  readonly stopwatch: Stopwatch
  readonly web: WebChannel
  readonly log: Log
  /** Instead of all it has. */
  readonly tools?: readonly Tool[]
  /** Instead of eight random hex digits. */
  readonly newId?: () => string
  /** Told at every heartbeat whom it serves. Must not throw. */
  readonly pulse?: (ids: Iterable<PersonaId>) => void
}

/** Loaded when the first of them wakes: the port does not wait for it. */
const serving = () => {
  served ??= Promise.all([import('./agent.ts'), import('../mind/tools/all.ts')])
  return served
}
let served: Promise<[typeof import('./agent.ts'), typeof import('../mind/tools/all.ts')]> | undefined

const minute = 60_000
/** Before a waking that failed at the daemon's start is tried again. */
const wakingAgain: Backoff = { first: 5000, longest: 5 * minute }
const wakingAtOnce = 16
/** Milliseconds for which nights wait until all have been tried to be woken. */
const longestWaking = minute
/** Milliseconds after which the next one may go to bed. */
const longestNight = 15 * minute

export const createAgents = (deps: Deps): Agents => {
  const { personas, models, bus, clock, log } = deps
  const agents = new Map<PersonaId, Agent>()
  const steps = createKeyedMutex()
  /** How the last step asked of each persona went: why it failed, or null. */
  const outcomes = new Map<PersonaId, Promise<string | null>>()
  /** Why it last could not be woken. */
  const told = new Map<PersonaId, string>()
  const closing = new AbortController()
  // One listener for each who waits to be woken; Node warns of a leak from the eleventh on.
  setMaxListeners(0, closing.signal)

  const probeMind = async (id: PersonaId) => {
    const listed = personas.listed(id)
    if (!listed) throw new Refused({ code: 'persona_unknown' })
    // Whatever its Mind says: what cannot be written cannot live.
    if (listed.trouble !== null) throw new ModelError(listed.trouble)
    const mind = listed.self.organs.thinking
    if (!mind) throw new ModelError('The persona has no Mind.')
    const { ask, wrapper } = await reach(personas, id, 'thinking', mind)
    await models.probe(ask, wrapper, closing.signal)
  }

  const nights = pLimit(1)
  const inBed = (night: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      void nights(() => {
        const mine = night()
        mine.then(resolve, reject)
        // A night that takes for ever keeps nobody else awake.
        return forAtMost(longestNight, mine)
      })
    })
  /** Resolves once the work has ended, however it ended, or the time is over. */
  const forAtMost = async (ms: number, work: Promise<unknown>) => {
    const over = new AbortController()
    const ended = work.catch(() => undefined).finally(() => over.abort())
    await Promise.race([ended, clock.wait(ms, over.signal)])
  }

  const wake = async (id: PersonaId) => {
    const [{ createAgent }, { allTools }] = await serving()
    const { persona } = await personas.execute(id, { type: 'Wake' }, 'host')
    const agent = createAgent({
      ...deps,
      ...wire(id, deps),
      tools: deps.tools ?? allTools,
      id,
      persona,
      inBed,
      newId: deps.newId ?? (() => randomBytes(4).toString('hex')),
    })
    agents.set(id, agent)
    told.delete(id)
    agent.beat()
    log.info({ id }, 'awake')
  }

  const lay = async (id: PersonaId) => {
    const agent = agents.get(id)
    if (!agent) return
    agents.delete(id)
    await agent.stop()
    log.info({ id }, 'stopped')
  }

  const present = async (id: PersonaId, change: () => Promise<void>) => {
    try {
      await change()
    } finally {
      bus.sign({ type: 'presence', id })
    }
  }

  const take = async (id: PersonaId, events: readonly PersonaEvent[]) => {
    const step = plan(events, agents.has(id))
    if (step === 'leave') return
    if (step === 'stop') {
      await present(id, () => lay(id))
      deps.web.stopped(id)
      return
    }
    // A start or restart that was asked for by name is written only once the door has answered.
    if (!events.some(({ type }) => type === 'StartAsked' || type === 'RestartAsked')) await probeMind(id)
    if (step === 'start') deps.web.woke(id)
    await present(id, async () => {
      await lay(id)
      await wake(id)
    })
  }

  /** Never rejects: resolves with why it failed, or null. */
  const inTurn = (id: PersonaId, step: () => Promise<void>): Promise<string | null> => {
    const outcome = steps.run(id, async () => {
      try {
        await step()
        return null
      } catch (error) {
        return failing(id, error)
      }
    })
    outcomes.set(id, outcome)
    return outcome
  }

  const failing = async (id: PersonaId, error: unknown): Promise<string> => {
    const reason =
      error instanceof ModelError ? error.message : pathless(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    // The daemon is closing, or it was told otherwise meanwhile: that is no failure of its own.
    if (closing.signal.aborted || error instanceof Refused) return reason
    log.warn({ id, reason }, 'a persona could not be woken')
    // One who was asked to run and cannot: whoever asks for it by name is told instead.
    if (error instanceof ModelError && error.lasting && personas.listed(id)?.self.wanted) await sicken(id, reason)
    // Told once, however often it is tried: the audit is not a place for a clock.
    if (told.get(id) !== reason)
      await personas
        .execute(id, { type: 'FailWaking', reason }, 'host')
        .catch((err: unknown) => log.warn({ id, err }, 'a failed waking could not be written'))
    told.set(id, reason)
    return reason
  }

  const unlisten = listen(bus.commits, log, ({ id, entries }: Committed) => {
    if (entries[0]?.cause.by !== 'person') return
    const events = entries.map(({ event }) => event)
    if (asks(events)) void inTurn(id, () => take(id, events))
    if (events.at(-1)?.type === 'PersonaDeleted') void inTurn(id, async () => forget(id))
  })

  const forget = (id: PersonaId) => {
    outcomes.delete(id)
    told.delete(id)
  }

  const unwatch = listen(bus.signs, log, (sign) => {
    if (sign.type === 'gone') forget(sign.id)
    if (sign.type === 'presence' && agents.has(sign.id) && personas.listed(sign.id)?.trouble)
      void inTurn(sign.id, () => present(sign.id, () => lay(sign.id)))
  })

  const shouldRun = (id: PersonaId) => {
    const listed = personas.listed(id)
    return listed?.self.wanted === true && listed.trouble === null && !agents.has(id) && !closing.signal.aborted
  }

  const tryToWake = (id: PersonaId) =>
    inTurn(id, async () => {
      if (!shouldRun(id)) return
      await probeMind(id)
      deps.web.woke(id)
      await present(id, () => wake(id))
    })

  const keepTrying = async (id: PersonaId) => {
    const since = clock.now()
    for (let failures = 1; shouldRun(id); failures++) {
      await clock.wait(pauseAfter(failures, wakingAgain), closing.signal)
      const reason = await tryToWake(id)
      if (reason !== null && clock.now() - since >= untilSick && shouldRun(id)) await sicken(id, reason)
    }
  }

  /** Said once: one who is sick already stays so. */
  const sicken = (id: PersonaId, reason: string) =>
    personas.execute(id, { type: 'FallSick', reason }, 'host').catch((err: unknown) => {
      if (!(err instanceof Refused)) log.warn({ id, err }, 'its sickness could not be written')
    })

  const takeUp = async (id: PersonaId) => {
    // What must be tried again waits outside: it does not keep the others from their turn.
    if ((await tryToWake(id)) !== null) void keepTrying(id)
  }

  const boot = async () => {
    await personas.ready
    const asleep = personas.all().flatMap(({ self: { id } }) => (shouldRun(id) ? [id] : []))
    const waking = pLimit(wakingAtOnce).map(asleep, takeUp)
    // ⏱ After a while away all have a night before them: 100 personas run after 2.8 s instead of 5.4, on the same busy machine, where the nights wait.
    void nights(forAtMost, longestWaking, waking)
    await waking
  }

  const heartbeat = async () => {
    while (!closing.signal.aborted) {
      await clock.wait(minute - (clock.now() % minute), closing.signal)
      if (closing.signal.aborted) return
      deps.pulse?.(agents.keys())
      // Not waited for: a door that is slow to answer keeps no other from its beat.
      for (const agent of agents.values()) agent.beat()
    }
  }

  const beating = heartbeat()

  return {
    running: (id) => agents.has(id),
    unwoken: (id) => told.get(id) ?? null,
    saying: (id) => agents.get(id)?.saying ?? null,
    sleep: async (id) => {
      const agent = agents.get(id)
      if (!agent) throw new Refused({ code: 'not_active' })
      await agent.sleep()
    },
    converse: async (id, exchange) => {
      const agent = agents.get(id)
      if (!agent) throw new Refused({ code: 'not_active' })
      return agent.converse(exchange)
    },
    feed: async (id, history) => {
      const agent = agents.get(id)
      if (!agent) throw new Refused({ code: 'not_active' })
      await agent.feed(history)
    },
    probeMind,
    settled: async (id): Promise<Settled> => {
      for (;;) {
        const outcome = outcomes.get(id)
        const failed = await outcome
        if (outcome === outcomes.get(id)) return { running: agents.has(id), failed: failed ?? null }
      }
    },
    takeUp,
    boot: () => void boot().catch((err: unknown) => log.error({ err }, 'waking failed')),
    close: async () => {
      closing.abort()
      unlisten()
      unwatch()
      await beating
      await steps.idle()
      await Promise.all([...agents.keys()].map(lay))
    },
  }
}
