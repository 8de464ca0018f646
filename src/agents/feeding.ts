/**
 * What the person talked about with others becomes its own: a history gone over, a conversation at a time,
 * each of them whole or not at all.
 */

import pLimit from 'p-limit'
import { readFed } from '../../packages/history-import/fed.ts'
import type { Histories, OpenHistory } from '../../packages/history-import/histories.ts'
import { type Conversation, isOfOthersAlone } from '../../packages/history-import/imported-conversation.ts'
import { sparingMemory } from '../../packages/kit/flow/heap-growth.ts'
import { unlessAborted } from '../../packages/kit/flow/unless-aborted.ts'
import type { Bus } from '../bus.ts'
import {
  askElsewhere,
  type Learned,
  nothingLearned,
  type Part,
  partFrom,
  readElsewhere,
} from '../mind/memory/consolidate-import.ts'
import type { Organs } from '../mind/organ-calls.ts'
import { Unanswered } from '../mind/think.ts'
import { Refused } from '../persona/refusals.ts'
import type { OrganCall } from '../persona/rules/life.ts'
import { isUnexpected } from './faults.ts'
import type { AgentLife } from './wiring.ts'

export interface History {
  /** A file that an AI exported. */
  readonly path: string
  /** As the person calls the file. */
  readonly name?: string | undefined
  /** The words that open it, where it is locked. */
  readonly phrase?: string | undefined
  /** The name of the user in chats between people, if the file does not say it. */
  readonly me?: string | undefined
  /** Of the file. */
  readonly sha256: string
  /** Which AI, as the person calls it. */
  readonly source: string
  /** Places of its conversations, the first is 1; without it all of them. */
  readonly only?: ReadonlySet<number> | undefined
  /** Told of each encoding that was guessed. */
  readonly onNote?: ((note: string) => void) | undefined
  /** Aborts once nobody waits for it any more. */
  readonly gone: AbortSignal
}

export interface Feedings {
  /**
   * One after the other; resolves when all of it is gone over, with how many conversations are in the file.
   * `Unreadable`, and then nothing of it was; `Unanswered` where its Mind cannot be reached; Refused `spent`,
   * or `life_over` where its life ended first; what was gone over before stays.
   */
  feed(history: History): Promise<number>
  /** Resolves when nothing of it goes on. Never rejects. */
  ended(): Promise<void>
}

export interface FeedingDeps extends AgentLife {
  readonly bus: Pick<Bus, 'sign'>
  readonly histories: Pick<Histories, 'open'>
}

/** `ending` aborts when its life is over. */
export const createFeedings = (deps: FeedingDeps, ending: AbortSignal): Feedings => {
  const alone = pLimit(1)
  return {
    feed: async (history) => {
      if (ending.aborted) throw new Refused({ code: 'life_over' })
      const signal = AbortSignal.any([history.gone, ending])
      try {
        const fed = alone(() => sparingMemory(() => goOver(history, deps, signal)))
        return await unlessAborted(fed, signal)
      } catch (error) {
        throw ending.aborted && !history.gone.aborted ? new Refused({ code: 'life_over' }) : error
      }
    },
    ended: () => alone(async () => {}),
  }
}

interface Refusals {
  last: Error | null
}

interface TakingDeps extends FeedingDeps {
  readonly refused: Refusals
}

/** Milliseconds between two signs of how far it is. */
const betweenSigns = 100

/** All of it was read once before a model is asked about any: what is damaged further on teaches nothing. */
const goOver = async (
  { path, name, phrase, me, sha256, source, only, onNote }: History,
  deps: FeedingDeps,
  signal: AbortSignal,
): Promise<number> => {
  signal.throwIfAborted()
  const { id } = deps
  const history = await deps.histories.open({
    id,
    path,
    name,
    phrase,
    me,
    sha256,
    as: 'conversations',
    signal,
  })
  try {
    for (const note of history.notes) onNote?.(note)
    await takeAll(history, { source, only }, deps, signal)
    return history.total + history.leftOut
  } finally {
    await history.close()
  }
}

const takeAll = async (
  history: OpenHistory,
  { source, only }: Pick<History, 'source' | 'only'>,
  deps: FeedingDeps,
  signal: AbortSignal,
): Promise<void> => {
  const { id, clock, log } = deps
  const { leftOut } = history
  const total = only ? [...only].filter((place) => place <= history.total).length : history.total
  if (leftOut > 0)
    log.warn({ id, count: leftOut }, 'conversations of a history are too large, and were left out')
  const before = await deps.read(({ journal }) => readFed(journal))
  const far = { done: 0, skipped: 0, odd: 0 }
  /** Why the last conversation that was not understood failed: its Mind refused it, or the daemon failed. */
  const refused: Refusals = { last: null }
  let told = Number.NEGATIVE_INFINITY
  const tell = (now: number) => {
    told = now
    deps.bus.sign({ type: 'feeding', id, done: far.done, total, skipped: far.skipped })
  }
  tell(clock.now())
  let place = 0
  try {
    for await (const conversation of history.conversations()) {
      place++
      if (only && !only.has(place)) continue
      if (before.has(conversation) || isOfOthersAlone(conversation)) far.skipped++
      else if (await takeUnlessFaulty(conversation, source, { ...deps, refused }, signal)) {
        before.add(conversation)
        await history.keptSome()
      } else far.odd++
      far.done++
      const now = clock.now()
      if (Math.abs(now - told) >= betweenSigns) tell(now)
    }
    // One that refuses whatever it is asked answers with errors.
    if (refused.last && far.odd === far.done - far.skipped) throw refused.last
  } finally {
    tell(clock.now())
    const { done, skipped, odd } = far
    log.info(
      { id, count: done - skipped - odd },
      `a history was fed: ${done} of ${total}, ${skipped} known, ${odd} not understood`,
    )
  }
}

/** A conversation on which the daemon fails must not prevent the others. */
const takeUnlessFaulty = async (
  conversation: Conversation,
  source: string,
  deps: TakingDeps,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    return await take(conversation, source, deps, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!isUnexpected(error)) throw error
    deps.log.error({ id: deps.id, err: error }, 'a conversation of a history failed in the daemon')
    deps.refused.last = error instanceof Error ? error : new Error(String(error))
    return false
  }
}

/**
 * In one commit together, whatever is in them: with 300 characters each, in any script, it stays within the
 * limit of one.
 */
const mostStatements = 300

/** Whether it was gone over, all of it. */
const take = async (
  conversation: Conversation,
  source: string,
  deps: TakingDeps,
  signal: AbortSignal,
): Promise<boolean> => {
  const { life, clock, execute } = deps
  const { zone } = clock
  const { id, title, updated, hash, messages } = conversation
  let learned: Learned = nothingLearned
  let calls: readonly OrganCall[] = []
  for (let from = 0; from < messages.length; ) {
    for (const call of calls) await record(call, deps)
    signal.throwIfAborted()
    const { persona, spent } = await deps.read(async (reading) => ({
      persona: reading.persona,
      spent: await deps.ceiling(reading),
    }))
    if (spent !== null) throw new Refused({ code: 'spent', reason: spent })
    // Words that were said to somebody else are kept nowhere but in what it makes of them.
    const organs = deps.organs(persona, signal, 'unkept')
    const part = partFrom(from, {
      persona,
      budget: await organs.budget(),
      conversation,
      source,
      zone,
      learned,
    })
    const more = await learn(part, organs, deps, signal)
    if (!more) return false
    learned = { ...more.learned, lessons: more.learned.lessons.slice(0, mostStatements) }
    calls = [more.call]
    from = part.upTo
  }
  const history = {
    source,
    conversation: id,
    title,
    updated,
    hash,
    messages: messages.length,
    summary: learned.summary,
  }
  // Whoever is gone by now: it was gone over, and is paid for.
  await execute({ type: 'FeedHistory', life, calls, history, lessons: learned.lessons })
  return true
}

/**
 * `call` is not recorded yet. Null where no answer could be used, twice; each is paid for, whatever comes of
 * it.
 */
const learn = async (
  part: Part,
  organs: Organs,
  deps: TakingDeps,
  signal: AbortSignal,
): Promise<{ readonly learned: Learned; readonly call: OrganCall } | null> => {
  for (const again of [false, true]) {
    try {
      const { value, used } = await unlessAborted(
        organs.ask('thinking', askElsewhere(part, again), []),
        signal,
      )
      const learned = readElsewhere(value, part, deps.newId)
      if (learned) return { learned, call: { used } }
      await record({ used }, deps)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      await record({ failed: error.failed }, deps)
      if (error.failed.kind !== 'refused') throw error
      // About these words alone: another conversation may do.
      deps.refused.last = error
      return null
    }
  }
  return null
}

const record = (call: OrganCall, { life, execute }: TakingDeps): Promise<unknown> =>
  execute({ type: 'RecordCalls', life, cause: 'history', calls: [call] })
