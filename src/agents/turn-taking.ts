/** Runs the turns of a persona, one after another, while messages or reminders are waiting. */

import type { PersonaId, Seq, Sha256 } from '../../facts/fact-values.ts'
import { eitherAborts } from '../../packages/kit/flow/abort-signals.ts'
import type { Persona } from '../../projections/persona.ts'
import { getWaitingInboxes, type Talk, type Turn } from '../../projections/talk.ts'
import type { Bus, PersonaCommit } from '../bus.ts'
import { findKnown } from '../mind/memory/known-statements.ts'
import { findLastFitting, readPerceived } from '../mind/prompt/recent-talk.ts'
import { createWindowChoice, listMessages } from '../mind/prompt/talk-window.ts'
import { measureItems } from '../mind/prompt/turn-prompt.ts'
import type { Tool } from '../mind/tools/tool.ts'
import { Refused } from '../persona/refusals.ts'
import type { Saying } from '../persona/rules/turn.ts'
import { toWebChannel } from '../web-channel.ts'
import type { AgentLife, TurnDeps } from './agent-deps.ts'
import type { Faults } from './faults.ts'
import type { HealthMonitor } from './health-monitor.ts'
import type { Initiatives } from './initiatives.ts'
import { hasWaitingWork } from './night.ts'
import { type Notices, toSilenceNotice } from './outage-notices.ts'
import type { SilenceWatch } from './silence-watch.ts'
import type { Sleep } from './sleep.ts'
import { takeTurn } from './take-turn.ts'
import { createTurnRetries } from './turn-retries.ts'
import { createTurnTrace } from './turn-trace.ts'
import type { WarmUp } from './warm-up.ts'

export interface Turns {
  readonly saying: Saying | null
  /** Starts the next turn unless one is running. */
  begin(): void
  /**
   * Tries one turn although the model is marked as failed. Resolves when the turn has ended, or if none
   * started.
   */
  tryOne(): Promise<void>
  /** Aborts the current turn if a fact has ended it or holds it until the model answers again. */
  follow(commit: PersonaCommit): void
  /** Resolves when no turn is running. Never rejects. */
  waitForEnd(): Promise<void>
}

interface Deps extends AgentLife {
  readonly bus: Pick<Bus, 'sign'>
  readonly tools: readonly Tool[]
  readonly keepPart: (bytes: Uint8Array) => Promise<Sha256>
  /** Returns the committed state. */
  readonly persona: () => Persona
  readonly silence: SilenceWatch
  readonly notices: Notices
  readonly health: () => Pick<HealthMonitor, 'isHopeless' | 'onTurnFailure'>
  readonly sleep: () => Pick<Sleep, 'holdsTurns' | 'interrupt'>
  readonly warmUp: () => Pick<WarmUp, 'interrupt'>
  readonly initiatives: () => Pick<Initiatives, 'interrupt'>
  readonly onNoticeError: (error: unknown) => void
  readonly faults: Faults
}

/** `ending` aborts when the persona stops or restarts. */
export const createTurns = (deps: Deps, ending: AbortSignal): Turns => {
  const { id, persona, sleep } = deps
  let current: { readonly id: Seq; readonly controller: AbortController } | null = null
  let currentSaying: Saying | null = null
  let workTask: Promise<void> = Promise.resolve()
  let isBusy = false
  let isTrialPending = false
  const failures = createTurnRetries(deps, ending)
  const chooseWindow = createWindowChoice()
  const trace = createTurnTrace(id)

  const mayThink = () => isTrialPending || !persona().life.failed.thinking || hasOtherMind(persona().talk)

  /**
   * Returns the open turn, or else begins one on the channel whose messages have waited longest. Returns null
   * while the model is marked as failed, unless this is a trial turn.
   */
  const beginNext = async (): Promise<Turn | null> => {
    if (!mayThink()) return null
    const isTrial = isTrialPending
    isTrialPending = false
    const { talk } = persona()
    if (talk.turn) return talk.turn
    if (sleep().holdsTurns || !hasWaitingWork(persona())) return null
    sleep().interrupt()
    deps.warmUp().interrupt()
    deps.initiatives().interrupt()
    if (failures.mayResume()) await failures.resume()
    else await beginTurn(deps, chooseWindow, ending)
    // An interrupted night may have marked the model as failed in the meantime. The turn then waits until a
    // probe of the model succeeds.
    return isTrial || mayThink() ? persona().talk.turn : null
  }

  const runTurn = async (turn: Turn) => {
    const controller = new AbortController()
    current = { id: turn.id, controller }
    const publishSaying = (now: Saying | null, delta: string) => {
      currentSaying = now
      // A failing subscriber must not end the turn.
      if (now) runQuietly(() => deps.bus.sign(toDelta(id, turn, now, delta)))
    }
    const signTyping = (isOn: boolean) =>
      runQuietly(() => deps.bus.sign({ type: 'typing', id, channel: turn.channel, on: isOn }))
    signTyping(true)
    try {
      const failure = await eitherAborts([controller.signal, ending], (signal) =>
        takeTurn(turn, turnDeps(turn, publishSaying, signal, deps)),
      )
      if (failure) await deps.health().onTurnFailure(turn, failure)
    } finally {
      current = null
      currentSaying = null
      signTyping(false)
    }
  }

  const runTurns = async () => {
    while (!ending.aborted) {
      try {
        await failures.giveUp()
        const turn = await trace.begin(beginNext)
        if (!turn) return
        await trace.run(turn, () => runTurn(turn))
        failures.clear()
      } catch (error) {
        if (ending.aborted || (error instanceof Refused && error.refusal.code === 'life_over')) return
        await failures.pause(error)
      }
    }
  }

  const runQuietly = (act: () => void) => {
    try {
      act()
    } catch (err) {
      deps.log.error({ id, err }, 'a listener of the turn failed')
    }
  }

  const hasTurn = () =>
    mayThink() && (persona().talk.turn !== null || (!sleep().holdsTurns && hasWaitingWork(persona())))

  const startTurn = () => {
    if (isBusy || ending.aborted) return
    isBusy = true
    workTask = runTurns().finally(() => {
      isBusy = false
      if (!ending.aborted && hasTurn()) startTurn()
    })
  }

  const waitForEnd = async () => {
    while (isBusy) await workTask
  }

  return {
    get saying() {
      return currentSaying
    },
    begin: startTurn,
    tryOne: async () => {
      isTrialPending = true
      startTurn()
      await waitForEnd()
      isTrialPending = false
    },
    follow: ({ entries }) => {
      failures.onCommit()
      trace.onCommit(entries)
      if (!current) return
      const { id } = current
      // A commit whose write was in doubt can be found on disk after the turn was resumed.
      const isHeld =
        persona().life.failed.thinking !== undefined &&
        entries.some(({ event }) => event.type === 'ModelFailed' && event.turn === id)
      if (isHeld || persona().talk.turn?.id !== id) current.controller.abort()
    },
    waitForEnd,
  }
}

/** Returns true if the next answer comes from another model than the Mind. */
const hasOtherMind = (talk: Talk): boolean =>
  (talk.turn ?? getWaitingInboxes(talk)[0])?.otherMind !== undefined

/**
 * Takes all messages that fit into the prompt from the channel that has waited longest. If only reminders are
 * due, the turn begins on the web channel.
 */
const beginTurn = async (
  { id, life, persona, organs, read, execute, clock, search, log }: Deps,
  chooseWindow: ReturnType<typeof createWindowChoice>,
  ending: AbortSignal,
): Promise<void> => {
  const inbox = getWaitingInboxes(persona().talk)[0]
  const budget = await organs(persona(), ending).budget()
  const upTo = inbox ? await read(({ journal }) => findLastFitting(journal, inbox, budget)) : 0
  const window = await read(({ persona, journal }) =>
    chooseWindow(journal, persona, budget.talk, async (items) => {
      const perceptions = await readPerceived(journal, listMessages(items))
      // Files are opened only when a prompt is sent.
      return measureItems({
        persona,
        items,
        turn: 0,
        zone: clock.zone,
        budget,
        perceptions,
        files: new Map(),
      })
    }),
  )
  const knownSeqs = inbox
    ? await read((reading) =>
        findKnown(reading, { inbox, upTo, window, budget, zone: clock.zone, search }),
      ).catch((err: unknown) => {
        log.warn({ id, err }, 'failed to find statements for a message')
        return []
      })
    : []
  const channel = inbox ? inbox.channel : toWebChannel(id)
  await execute({ type: 'BeginTurn', life, channel, upTo, window, known: knownSeqs })
}

const turnDeps = (turn: Turn, saying: TurnDeps['saying'], signal: AbortSignal, deps: Deps): TurnDeps => ({
  ...deps,
  saying,
  signal,
  onSilent: (seconds) =>
    void deps.notices.notify(toSilenceNotice(seconds), turn.id).catch(deps.onNoticeError),
  isHopeless: () => deps.health().isHopeless(turn),
  isTold: () => deps.notices.isNotified(turn.channel),
})

const toDelta = (id: PersonaId, { id: turn, channel }: Turn, { step, text }: Saying, delta: string) =>
  ({ type: 'delta', id, channel, turn, step, offset: text.length - delta.length, delta }) as const
