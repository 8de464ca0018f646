/**
 * Lets the persona write by itself. When a reason is due and the moment is right, one small model call
 * decides whether it writes. The decision and its message are one commit.
 */
import type { Channel } from '../../facts/fact-values.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { entryAt } from '../../journal/log/keys.ts'
import { unlessAborted } from '../../packages/kit/flow/abort-signals.ts'
import { localTimeAt, nextAfter, toDate, toInstant } from '../../packages/kit/time/local-time.ts'
import { listChats } from '../../projections/bot-channels.ts'
import { type Candidate, isSourced } from '../../projections/initiative.ts'
import { isByDaemon } from '../../projections/message-parts.ts'
import type { Persona } from '../../projections/persona.ts'
import { inboxKey } from '../../projections/talk.ts'
import {
  buildInitiativeQuestion,
  type InitiativeQuestion,
  listBorrowed,
  readInitiativeAnswer,
} from '../mind/memory/initiative-prompt.ts'
import { Unanswered } from '../mind/model-retries.ts'
import { readPerceived } from '../mind/prompt/recent-talk.ts'
import { Refused } from '../persona/refusals.ts'
import { findDue, type InitiativeMoment, maxLateMs, mayWrite } from '../persona/rules/initiative.ts'
import type { OrganCall } from '../persona/rules/organ-health.ts'
import { toWebChannel } from '../web-channel.ts'
import type { AgentLife } from './agent-deps.ts'
import { writeWithRetries } from './recording.ts'

export interface Initiatives {
  /** True while the persona decides. */
  readonly isBusy: boolean
  /** Removes old reasons, and starts a decision if it is time. Resolves when the decision has begun. */
  check(): Promise<void>
  /** The user began to type. */
  onTyping(): void
  /** Aborts the decision. It is made again later. */
  interrupt(): void
  /** Resolves when no decision is running. Never rejects. */
  waitForEnd(): Promise<void>
}

interface Deps extends AgentLife {
  readonly persona: () => Persona
  /** Returns true while the Mind works on something else. */
  readonly isMindBusy: () => boolean
  /** Receives the error of a decision. Must not throw. */
  readonly onError: (error: unknown) => void
}

/** Messages of the talk that the decision sees, besides the sources. */
const maxRecent = 10
/** Time in ms for which the user counts as typing after a sign of it. */
const typingMs = 15 * 60_000

export const createInitiatives = (deps: Deps, ending: AbortSignal): Initiatives => {
  const { clock, life, persona, execute } = deps
  let current: { readonly controller: AbortController; readonly task: Promise<void> } | null = null
  let typedAt = Number.NEGATIVE_INFINITY

  const getZone = () => persona().initiative.zone ?? clock.zone

  const getMoment = (): InitiativeMoment => {
    const now = clock.now()
    const zone = getZone()
    const today = toDate(now, zone)
    const { spoken } = persona().initiative
    return {
      now,
      wall: localTimeAt(now, zone),
      spokenToday: spoken.filter((at) => toDate(at, zone) === today).length,
    }
  }

  const getNext = ({ at, yearly }: Candidate): number | null => {
    if (!yearly) return null
    const zone = getZone()
    return toInstantOfNext(localTimeAt(at, zone), zone, clock.now())
  }

  /** Writes only if there is something to remove. */
  const tidy = async () => {
    const { initiative, talk } = persona()
    const { open } = initiative
    const expired = open.filter(({ at, resting }) => !resting && at < clock.now() - maxLateMs)
    const isGone = !open.every((candidate) => isSourced(candidate, talk))
    if (expired.length === 0 && !isGone) return
    const entries = expired.map((candidate) => ({
      id: candidate.id,
      at: candidate.at,
      next: getNext(candidate),
    }))
    await execute({ type: 'TidyInitiatives', life, expired: entries })
  }

  const isTime = (): boolean => {
    const sinceTypingMs = clock.now() - typedAt
    const isTyping = sinceTypingMs >= 0 && sinceTypingMs < typingMs
    return (
      !isTyping && !persona().life.failed.thinking && !deps.isMindBusy() && mayWrite(persona(), getMoment())
    )
  }

  const decide = async (candidate: Candidate, signal: AbortSignal) => {
    const { id, at } = candidate
    const settle = (
      outcome: 'spoke' | 'silent' | 'failed',
      calls: readonly OrganCall[],
      message: { readonly words: string; readonly borrowed: readonly string[] } | null = null,
    ) =>
      writeWithRetries({ ...deps, signal }, () =>
        execute({
          type: 'SettleInitiative',
          life,
          id,
          at,
          outcome,
          next: getNext(candidate),
          channel: getLastChannel(persona(), deps.id),
          words: message?.words ?? null,
          borrowed: message?.borrowed ?? [],
          calls,
        }),
      )
    try {
      const request = await readQuestion(candidate, getZone(), signal, deps)
      if (!request) return void (await settle('failed', []))
      const { input, organs } = request
      const { question, parts } = buildInitiativeQuestion(input)
      const { value, used } = await unlessAborted(organs.ask('thinking', question, parts), signal)
      const words = readInitiativeAnswer(value)
      if (words === null) await settle('silent', [{ used }])
      else await settle('spoke', [{ used }], { words, borrowed: listBorrowed(words, input, parts) })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof Unanswered)) throw error
      if (error.failed.kind === 'refused') await settle('failed', [{ failed: error.failed }])
      else
        await execute({ type: 'RecordCalls', life, cause: 'initiative', calls: [{ failed: error.failed }] })
    }
  }

  const begin = async () => {
    const candidate = findDue(persona(), clock.now())
    if (!candidate || !isTime() || !(await deps.read(deps.spare))) return
    const { id, at } = candidate
    const moment = getMoment()
    await execute({ type: 'ConsiderInitiative', life, id, at, next: getNext(candidate), moment })
    // The third unfinished decision was given up. Or a message arrived meanwhile.
    const isOpen = persona().initiative.open.some((entry) => entry.id === id && entry.at === at)
    if (!isOpen || current || ending.aborted || deps.isMindBusy() || persona().talk.turn) return
    const controller = new AbortController()
    const task = decide(candidate, AbortSignal.any([controller.signal, ending]))
      .catch(deps.onError)
      .finally(() => {
        current = null
      })
    current = { controller, task }
  }

  return {
    get isBusy() {
      return current !== null
    },
    check: async () => {
      if (ending.aborted || current || persona().initiative.level === 'off') return
      try {
        await tidy()
        await begin()
      } catch (error) {
        if (!(error instanceof Refused)) throw error
      }
    },
    onTyping: () => {
      typedAt = clock.now()
      current?.controller.abort()
    },
    interrupt: () => current?.controller.abort(),
    waitForEnd: async () => {
      await current?.task
    },
  }
}

const toInstantOfNext = (wall: string, zone: string, now: number): number =>
  toInstant(nextAfter(wall, zone, 'yearly', now), zone)

/** Returns null if a source message is gone. */
const readQuestion = (
  candidate: Candidate,
  zone: string,
  signal: AbortSignal,
  { read, clock, organs: createOrgans }: Deps,
) =>
  read(async ({ persona, journal }) => {
    const organs = createOrgans(persona, signal)
    const sources = await readSources(journal, candidate)
    if (!sources) return null
    const recent = await readRecent(journal, persona, candidate)
    const perceptions = await readPerceived(journal, [...sources, ...recent])
    const budget = await organs.budget()
    const input: InitiativeQuestion = {
      persona,
      candidate,
      sources,
      recent,
      perceptions,
      budget,
      now: clock.now(),
      zone,
    }
    return { input, organs }
  })

const readSources = async (journal: Journal, { sources }: Candidate): Promise<readonly Entry[] | null> => {
  const entries: Entry[] = []
  for (const seq of sources) {
    const entry = await entryAt(journal, seq)
    if (!entry || entry.erased) return null
    entries.push(entry)
  }
  return entries
}

const readRecent = async (
  journal: Journal,
  { talk }: Persona,
  { sources }: Candidate,
): Promise<readonly Entry[]> => {
  const entries: Entry[] = []
  for await (const entry of journal.read({ kind: 'talk', last: maxRecent + sources.length })) {
    const { seq, event } = entry
    const isMessage = event.type === 'MessageHeard' || event.type === 'MessageSpoken'
    if (isMessage && !isByDaemon(event) && !talk.hidden[seq] && !sources.includes(seq)) entries.push(entry)
  }
  return entries.slice(-maxRecent)
}

/** Returns the channel of the user's last message, or the page if that chat is no longer connected. */
const getLastChannel = ({ talk, self }: Persona, id: string): Channel => {
  const inboxes = Object.values(talk.inboxes).filter(({ channel }) => channel !== null)
  const last = inboxes.reduce<(typeof inboxes)[0] | null>(
    (latestSoFar, inbox) => (latestSoFar && latestSoFar.heard > inbox.heard ? latestSoFar : inbox),
    null,
  )
  const web = toWebChannel(id)
  if (!last?.channel || last.channel.type === web.type) return web
  const chats = listChats(self.channels, talk.inboxes)
  const { channel } = last
  return chats.some((chat) => inboxKey(chat) === inboxKey(channel)) ? channel : web
}
