/**
 * The running agent of a persona. It takes turns while messages are waiting, delivers reminders and sleeps at
 * night.
 */

import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { Persona } from '../../projections/persona.ts'
import { getWaitingInboxes, listOpenApprovals } from '../../projections/talk.ts'
import { type Bus, listen } from '../bus.ts'
import { pingModel } from '../mind/ping-model.ts'
import type { Tool } from '../mind/tools/tool.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { Command } from '../persona/rules/decide.ts'
import type { Saying } from '../persona/rules/turn.ts'
import type { AgentLife } from './agent-deps.ts'
import { createApiChats, type Exchange, type ExchangeResult } from './api-chat.ts'
import { type BackgroundResponses, createBackgroundResponses } from './background-responses.ts'
import { createFaults, isUnexpected, type Work } from './faults.ts'
import { createHealthMonitor } from './health-monitor.ts'
import { createBeats } from './heartbeat.ts'
import { createHelpOffers } from './help-offers.ts'
import { createFeedings, type FeedingDeps, type History } from './import-history.ts'
import { createInitiatives } from './initiatives.ts'
import type { NightQueue } from './night-queue.ts'
import { createNotices } from './outage-notices.ts'
import { createReminders } from './reminders.ts'
import { createSilenceWatch } from './silence-watch.ts'
import { createSleep } from './sleep.ts'
import { createSpeech, type Speech } from './speech.ts'
import { createTurns } from './turn-taking.ts'
import { createWarmUp } from './warm-up.ts'

export interface Agent {
  readonly saying: Saying | null
  /** A sentence about the work that fails because of a defect in the daemon. Null if none fails. */
  readonly fault: string | null
  /**
   * Checks due reminders, probes a failed model and starts the nightly consolidation. Returns immediately.
   * Calls during a running check cause only one more check.
   */
  beat(): void
  /**
   * Runs the nightly consolidation. Resolves when the persona is active again. Rejects with `sleep_failed`.
   */
  sleep(): Promise<void>
  /** Answers an API client, independently of the turns. */
  converse(exchange: Exchange): Promise<ExchangeResult>
  /** Responses that API clients do not wait for. */
  readonly responses: Pick<BackgroundResponses, 'isRunning' | 'watch'>
  /** Says a text aloud for a client that plays it. */
  speak: Speech['speak']
  /** Imports an exported history, independently of the turns. */
  feed(history: History): Promise<number>
  /** Prepares a model on this machine for the next message. Returns immediately. */
  warmUp(): void
  /** The user types a message: the persona does not write by itself now. Returns immediately. */
  onTyping(): void
  /** Probes a failing Mind now instead of after the pause. Returns immediately. */
  tryMind(): void
  /** Aborts all work and ends this life. The turn in progress is resumed after the next start. */
  stop(): Promise<void>
}

export interface AgentDeps extends Omit<AgentLife, 'life' | 'read' | 'execute'> {
  readonly persona: Persona
  readonly personas: PersonaStore
  readonly bus: Bus
  readonly tools: readonly Tool[]
  readonly histories: FeedingDeps['histories']
  /** Clock for the timeouts of model calls. */
  readonly stopwatch: Stopwatch
  readonly nights: NightQueue
}

/** In ms. */
const dayMs = 24 * 3_600_000

export const createAgent = (deps: AgentDeps): Agent => {
  const { id, personas, bus, clock, log, stopwatch } = deps
  const { life } = deps.persona.life
  const ending = new AbortController()
  const { signal } = ending
  let persona = deps.persona

  const logUnlessEnded = (level: 'warn' | 'error', sentence: string) => (err: unknown) => {
    if (!signal.aborted && !(err instanceof Refused)) log[level]({ id, err }, sentence)
  }
  const noticeFailed = logUnlessEnded('warn', 'failed to send an outage notice')
  const helpFailed = logUnlessEnded('error', 'failed to offer help')
  const faults = createFaults({ id, log })
  const beatFailed = logUnlessEnded('error', 'a heartbeat failed')
  const onWorkFailed = (work: Work) => (error: unknown) =>
    !signal.aborted && isUnexpected(error) ? faults.add(work, error) : beatFailed(error)

  const read: AgentLife['read'] = (work) => personas.read(id, work)
  const execute = (command: Command) => personas.execute(id, command, 'agent')
  const parts = { ...deps, life, read, execute, faults, persona: () => persona }
  const exchanges = createApiChats(parts, signal)
  const responses = createBackgroundResponses({ ...parts, converse: exchanges.converse }, signal)
  const speech = createSpeech(parts, signal)
  const feedings = createFeedings(parts, signal)
  const reminders = createReminders({ ...parts, onFailure: onWorkFailed('reminder') }, signal)
  const notices = createNotices(parts)
  const helpOffers = createHelpOffers({ ...parts, onError: helpFailed }, signal)
  const turns = createTurns(
    {
      ...parts,
      notices,
      onNoticeError: noticeFailed,
      silence: createSilenceWatch(stopwatch),
      keepPart: (bytes) => personas.keepPart(id, bytes),
      health: () => health,
      sleep: () => sleep,
      warmUp: () => warmUp,
      initiatives: () => initiatives,
    },
    signal,
  )
  const warmUp = createWarmUp({ ...parts, sleep: () => sleep }, signal)
  const sleep = createSleep(
    {
      ...parts,
      verify: personas.verify,
      turnEnded: turns.waitForEnd,
      beginTurns: turns.begin,
      endInitiative: async () => {
        initiatives.interrupt()
        await initiatives.waitForEnd()
      },
    },
    signal,
  )
  const initiatives = createInitiatives(
    {
      ...parts,
      isMindBusy: () => sleep.asleep || sleep.isReviewing,
      onError: onWorkFailed('initiative'),
    },
    signal,
  )
  const health = createHealthMonitor({
    clock,
    stopwatch,
    notices,
    persona: () => persona,
    ending: signal,
    execute: (command) => personas.execute(id, command, 'host'),
    word: async (pingSignal) => pingModel((await deps.organs(persona, pingSignal).mind()).mind, pingSignal),
    asleep: () => sleep.asleep,
    waits: () =>
      persona.talk.turn !== null || (!sleep.holdsTurns && getWaitingInboxes(persona.talk).length > 0),
    tryTurn: turns.tryOne,
    onError: noticeFailed,
  })

  const stopListening = listen(bus.commitsFrom(id), log, (commit) => {
    persona = commit.persona
    // One that fails must not prevent the others: a message would not be answered.
    const followers = [
      () => turns.follow(commit),
      () => {
        if (!commit.entries.some(({ type }) => type === 'MessageHeard')) return
        sleep.interrupt()
        warmUp.interrupt()
        initiatives.interrupt()
      },
      () => reminders.follow(commit.entries.map(({ event }) => event)),
      () => health.follow(commit),
      () => helpOffers.follow(commit),
      () => responses.follow(commit),
      turns.begin,
    ]
    for (const follow of followers) {
      try {
        follow()
      } catch (error) {
        onWorkFailed('heartbeat')(error)
      }
    }
  })

  /** A request for approval that is open for a day counts as rejected. */
  const getExpiry = () => clock.now() - dayMs
  const mayExpire = () => listOpenApprovals(persona.talk).some(({ asked }) => asked < getExpiry())

  const runChecks = async () => {
    if (signal.aborted) return
    let hasFailed = false
    const steps = [
      async () => {
        if (mayExpire()) await execute({ type: 'ExpireApprovals', before: getExpiry() })
      },
      reminders.check,
      health.beat,
      initiatives.check,
      async () => {
        if (!initiatives.isBusy) sleep.beat()
      },
    ]
    for (const step of steps) {
      await step().catch((error: unknown) => {
        hasFailed = true
        onWorkFailed('heartbeat')(error)
      })
    }
    if (!hasFailed) faults.clear('heartbeat')
    // Retries a turn that failed to begin, for example after a read error.
    turns.begin()
  }
  const beats = createBeats(() => runChecks().catch(beatFailed), signal)

  /** Loads the current state. Commits between the start and the subscription were not seen. */
  const loadState = () =>
    personas.read(id, async (now) => {
      persona = now.persona
      // An interrupted night continues first.
      if (persona.days.sleeping !== null) sleep.beat()
      void reminders.check().catch(onWorkFailed('reminder'))
      helpOffers.check()
      responses.check(persona)
      turns.begin()
    })

  void loadState().catch((error: unknown) =>
    log.error({ id, err: error }, 'failed to read the state of a persona'),
  )
  return {
    get saying() {
      return turns.saying
    },
    get fault() {
      return faults.describe()
    },
    beat: beats.beat,
    sleep: () => sleep.sleep('person'),
    converse: exchanges.converse,
    responses,
    speak: speech.speak,
    feed: feedings.feed,
    warmUp: warmUp.begin,
    onTyping: initiatives.onTyping,
    tryMind: health.tryNow,
    stop: async () => {
      ending.abort()
      stopListening()
      await Promise.all(
        [
          turns,
          beats,
          reminders,
          health,
          exchanges,
          responses,
          speech,
          feedings,
          sleep,
          warmUp,
          initiatives,
          helpOffers,
        ].map((part) => part.waitForEnd()),
      )
      await execute({ type: 'EndLife', life }).catch((error: unknown) => {
        if (!(error instanceof Refused)) log.warn({ id, err: error }, 'failed to record the end of a life')
      })
    },
  }
}
