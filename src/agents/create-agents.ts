/**
 * Starts, stops and restarts the agents of all personas when a commit requests it. Steps of one persona run
 * one at a time.
 */

import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { PersonaId } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import { createLoader } from '../../packages/kit/flow/loader.ts'
import type { Log } from '../../packages/kit/log.ts'
import { ModelError } from '../../packages/models/models.ts'
import type { PageReader } from '../../packages/web-reading/page-reader.ts'
import type { WebSearch } from '../../packages/web-search/web-search.ts'
import { type Bus, listen, type PersonaCommit } from '../bus.ts'
import type { MailToolDeps } from '../mind/tools/check-mail.ts'
import type { ReadCalendarsDeps } from '../mind/tools/read-calendars.ts'
import type { Tool } from '../mind/tools/tool.ts'
import { Refused } from '../persona/refusals.ts'
import type { WebChannel } from '../web-channel.ts'
import type { Agent } from './agent.ts'
import type { Agents } from './agents.ts'
import type { WiringDeps } from './create-agent-deps.ts'
import { everyMinute } from './heartbeat.ts'
import { createLifecycleSteps, planStep, requestsStep } from './lifecycle-steps.ts'
import { createNightQueue, type NightQueue } from './night-queue.ts'
import { reach } from './organ-reach.ts'
import { createRunningAgents } from './running-agents.ts'
import { createWakingFailures, keepWaking, wakeAllUntilAwake, wakeUntilAwake } from './waking-failures.ts'

interface Deps extends WiringDeps {
  readonly bus: Bus
  readonly stopwatch: Stopwatch
  readonly web: WebChannel
  readonly log: Log
  /** Replaces all built-in tools. */
  readonly tools?: readonly Tool[]
  /** Lets the tools read web pages. Null if this is switched off. */
  readonly pageReader: PageReader | null
  /** Lets the tools search the web. Null if this is switched off. */
  readonly webSearch: WebSearch | null
  /** Lets the tools read subscribed calendars. Null: they cannot. */
  readonly subscribedCalendars: ReadCalendarsDeps | null
  /** Lets the tools read mail. Null: they cannot. */
  readonly mailboxes: MailToolDeps | null
  /** Prepares models on this machine when a client opens the web channel. Default: true. */
  readonly warmUp?: boolean
  /** Stops the tool server processes of the persona. Must not reject. */
  readonly rest?: (id: PersonaId) => Promise<void>
  /** In a cluster: returns true if this daemon hosts the persona. */
  readonly hosts?: (id: PersonaId) => boolean
  /** Default: eight random hex digits. */
  readonly newId?: () => string
  /** Called at every heartbeat with the ids of the running personas. Must not throw. */
  readonly pulse?: (ids: Iterable<PersonaId>) => void
}

/** Loads these modules when the first persona starts, so that they do not delay opening the port. */
const loadAgentModules = createLoader(() =>
  Promise.all([
    import('./agent.ts'),
    import('./create-agent-deps.ts'),
    import('../mind/tools/tool-table.ts'),
  ]),
)

/** Max time in ms that a caller waits for a persona that is starting or whose journal is being replaced. */
const maxWaitMs = 30_000

export const createAgents = (deps: Deps): Agents => {
  const { personas, bus, clock, log, stopwatch, web, hosts = () => true } = deps
  const closing = new AbortController()
  // Each caller that waits for a start adds a listener. Node warns of a leak from the eleventh on.
  setMaxListeners(0, closing.signal)
  const nights = createNightQueue(clock)
  const failures = createWakingFailures({ personas, log, closing: closing.signal })
  const steps = createLifecycleSteps(failures.onFailure)
  const probeMind = (id: PersonaId) => probe(id, deps, closing.signal)

  const wake = async (id: PersonaId) => {
    const agent = await wakeAgent(id, nights, deps)
    failures.forget(id)
    return agent
  }
  const agents = createRunningAgents({ bus, log, wake })

  const stop = async (id: PersonaId) => {
    await agents.stop(id)
    await deps.rest?.(id)
    web.onStop(id)
  }

  const follow = async (id: PersonaId, events: readonly PersonaEvent[]) => {
    const step = planStep(events, agents.has(id))
    if (step === 'leave') return
    if (step === 'stop') return stop(id)
    // An explicit start or restart was committed after a successful probe of the model. Other facts need one
    // here.
    if (!events.some(({ type }) => type === 'StartAsked' || type === 'RestartAsked')) await probeMind(id)
    if (step === 'start') web.woke(id)
    await agents.start(id)
  }

  const unlistenCommits = listen(bus.commits, log, ({ id, entries }: PersonaCommit) => {
    if (entries[0]?.cause.by !== 'person') return
    const events = entries.map(({ event }) => event)
    if (requestsStep(events)) void steps.take(id, () => follow(id, events))
    if (events.at(-1)?.type === 'PersonaDeleted') void steps.take(id, async () => forget(id))
  })

  const unlistenSigns = listen(bus.signs, log, (sign) => {
    if (sign.type === 'gone') forget(sign.id)
    if (sign.type === 'well' && shouldRun(sign.id)) void wakeUntilAwake(sign.id, wakingDeps)
    if (sign.type === 'presence' && agents.has(sign.id) && personas.getRow(sign.id)?.trouble)
      void steps.take(sign.id, () => agents.stop(sign.id))
  })

  const forget = (id: PersonaId) => {
    void deps.rest?.(id)
    steps.forget(id)
    failures.forget(id)
  }

  const shouldRun = (id: PersonaId) => {
    const row = personas.getRow(id)
    const isWanted = row?.self.wanted === true && row.trouble === null && hosts(id)
    return isWanted && !agents.has(id) && !closing.signal.aborted
  }

  /** Personas that this daemon has not tried to start yet. */
  const untriedIds = new Set<PersonaId>()

  const tryToWake = (id: PersonaId) =>
    steps.take(id, async () => {
      untriedIds.delete(id)
      if (!shouldRun(id)) return
      await probeMind(id)
      web.woke(id)
      await agents.start(id)
    })

  /**
   * Resolves when no pending step could start the persona. During boot the persona is started ahead of the
   * others.
   */
  const waitForStart = async (id: PersonaId) => {
    await steps.outcome(id)
    if (!agents.has(id) && untriedIds.has(id)) await tryToWake(id)
  }

  const isAwake = async (id: PersonaId): Promise<boolean> => {
    if (agents.has(id)) return true
    const waitEnd = new AbortController()
    const arrivalDone = waitForStart(id).finally(() => waitEnd.abort())
    await Promise.race([
      arrivalDone,
      stopwatch.wait(maxWaitMs, AbortSignal.any([waitEnd.signal, closing.signal])),
    ])
    return agents.has(id)
  }

  const getRunningAgent = async (id: PersonaId): Promise<Agent> => {
    await isAwake(id)
    return agents.get(id)
  }

  /**
   * Runs `work` while the agent is stopped, as a step of the persona. `outcome`, and so `awake`, wait for its
   * end.
   */
  const rest = async <T>(
    id: PersonaId,
    work: () => Promise<T>,
    wakes: 'always' | 'on failure' = 'always',
  ): Promise<T> => {
    let workResult: Promise<T> | undefined
    const failure = await steps.take(id, async () => {
      const wasRunning = agents.has(id)
      if (wasRunning) await agents.stop(id)
      if (wasRunning) await deps.rest?.(id)
      workResult = work()
      const hasSucceeded = await workResult.then(
        () => true,
        () => false,
      )
      if (wasRunning && shouldRun(id) && (wakes === 'always' || !hasSucceeded)) await agents.start(id)
    })
    if (failure !== null && shouldRun(id)) void keepWaking(id, wakingDeps)
    if (!workResult) throw new Error(failure ?? 'the work did not begin')
    return workResult
  }

  const wakingDeps = {
    clock,
    shouldRun,
    tryToWake,
    closing: closing.signal,
    markSick: failures.markSick,
    isOfJournal: failures.isOfJournal,
  }

  const boot = async () => {
    await personas.ready
    const idsToStart = personas.all().flatMap(({ self: { id } }) => (shouldRun(id) ? [id] : []))
    for (const id of idsToStart) untriedIds.add(id)
    const wakeTask = wakeAllUntilAwake(idsToStart, wakingDeps)
    // After a long downtime all personas have a nightly consolidation to do. Measured: if the nights wait,
    // 100 personas run after 2.8 s instead of 5.4 s on the same busy machine.
    nights.waitFor(wakeTask)
    await wakeTask
  }

  const heartbeatEnd = everyMinute(clock, closing.signal, () => {
    deps.pulse?.(agents.ids())
    agents.beat()
  })

  return {
    isRunning: agents.has,
    wakingFailure: failures.getReason,
    fault: (id) => agents.find(id)?.fault ?? null,
    getSaying: (id) => agents.find(id)?.saying ?? null,
    awake: isAwake,
    sleep: async (id) => (await getRunningAgent(id)).sleep(),
    converse: async (id, exchange) => (await getRunningAgent(id)).converse(exchange),
    getResponses: (id) => agents.find(id)?.responses ?? null,
    speak: async (id, text, disconnectSignal) => (await getRunningAgent(id)).speak(text, disconnectSignal),
    feed: async (id, history) => (await getRunningAgent(id)).feed(history),
    warmUp: (id) => {
      if (deps.warmUp !== false) agents.find(id)?.warmUp()
    },
    onTyping: (id) => agents.find(id)?.onTyping(),
    tryMind: (id) => agents.find(id)?.tryMind(),
    probeMind,
    waitUntilSettled: async (id) => {
      const failure = await steps.outcome(id)
      return { running: agents.has(id), failed: failure }
    },
    rest,
    wakeIfWanted: (id) => wakeUntilAwake(id, wakingDeps),
    leave: async (id) => {
      await steps.take(id, () => stop(id))
      steps.forget(id)
      failures.forget(id)
    },
    boot: () => void boot().catch((err: unknown) => log.error({ err }, 'failed to start the personas')),
    close: async () => {
      closing.abort()
      unlistenCommits()
      unlistenSigns()
      await heartbeatEnd
      await steps.idle()
      await agents.stopAll()
    },
  }
}

const wakeAgent = async (id: PersonaId, nights: NightQueue, deps: Deps): Promise<Agent> => {
  const [{ createAgent }, { wire }, { toolsWith }] = await loadAgentModules()
  const { persona } = await deps.personas.execute(id, { type: 'Wake' }, 'host')
  const {
    personas,
    pageReader,
    webSearch,
    subscribedCalendars,
    mailboxes,
    newId = () => randomBytes(4).toString('hex'),
  } = deps
  const search = webSearch && { webSearch, readKey: personas.secret }
  const { tools = toolsWith(pageReader, search, subscribedCalendars, mailboxes) } = deps
  return createAgent({ ...deps, ...wire(id, deps), id, persona, tools, newId, nights })
}

/** Throws ModelError if the model does not answer or the journal cannot be written. */
const probe = async (id: PersonaId, { personas, models }: Deps, signal: AbortSignal): Promise<void> => {
  const row = personas.getRow(id)
  if (!row) throw new Refused({ code: 'persona_unknown' })
  // A persona whose journal cannot be written must not start, even if its model answers.
  if (row.trouble !== null) throw new ModelError(row.trouble)
  const mind = row.self.organs.thinking
  if (!mind) throw new ModelError('The persona has no Mind.')
  const { ask, wrapper } = await reach(personas, id, 'thinking', mind)
  await models.probe(ask, wrapper, signal)
}
