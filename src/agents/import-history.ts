/**
 * Imports the user's conversations with other AIs: the model consolidates an exported history, one
 * conversation after another. A conversation is recorded completely or not at all.
 */

import pLimit from 'p-limit'
import { readFed } from '../../packages/history-import/fed.ts'
import type { Histories, OpenHistory } from '../../packages/history-import/histories.ts'
import { type Conversation, isOfOthersAlone } from '../../packages/history-import/imported-conversation.ts'
import { unlessAborted } from '../../packages/kit/flow/abort-signals.ts'
import { sparingMemory } from '../../packages/kit/flow/heap-growth.ts'
import type { Bus } from '../bus.ts'
import {
  buildImportPrompt,
  type ImportLessons,
  nothingLearned,
  type Part,
  parseImport,
  partFrom,
} from '../mind/memory/consolidate-import.ts'
import { Unanswered } from '../mind/model-retries.ts'
import type { Organs } from '../mind/organ-calls.ts'
import { Refused } from '../persona/refusals.ts'
import type { OrganCall } from '../persona/rules/organ-health.ts'
import type { AgentLife } from './agent-deps.ts'
import { isUnexpected } from './faults.ts'

export interface History {
  /** Path of the export file. */
  readonly path: string
  /** The user's name for the file. */
  readonly name?: string | undefined
  /** The recovery phrase of an encrypted file. */
  readonly phrase?: string | undefined
  /** The encoding of the file, if the client named it. */
  readonly charset?: string | undefined
  /** The user's name in chats between people, if the file does not contain it. */
  readonly me?: string | undefined
  /** Hash of the file. */
  readonly sha256: string
  /** The other AI, as named by the user. */
  readonly source: string
  /** Positions of the conversations to import, counted from 1. Default: all. */
  readonly only?: ReadonlySet<number> | undefined
  /** Called for each guessed encoding. */
  readonly onNote?: ((note: string) => void) | undefined
  /** Aborts when the client has disconnected. */
  readonly disconnectSignal: AbortSignal
}

export interface Feedings {
  /**
   * Imports a history; imports run one at a time. Resolves with the number of conversations in the file.
   * Rejects with `Unreadable` before anything is imported, with `Unanswered` if the model is unreachable, and
   * with `spent` or `life_over`. Conversations that were imported before an error stay.
   */
  feed(history: History): Promise<number>
  /** Resolves when no import is running. Never rejects. */
  waitForEnd(): Promise<void>
}

export interface FeedingDeps extends AgentLife {
  readonly bus: Pick<Bus, 'sign'>
  readonly histories: Pick<Histories, 'open'>
}

/** `ending` aborts when the persona stops or restarts. */
export const createFeedings = (deps: FeedingDeps, ending: AbortSignal): Feedings => {
  const oneAtATime = pLimit(1)
  return {
    feed: async (history) => {
      if (ending.aborted) throw new Refused({ code: 'life_over' })
      const signal = AbortSignal.any([history.disconnectSignal, ending])
      try {
        const total = oneAtATime(() => sparingMemory(() => importHistory(history, deps, signal)))
        return await unlessAborted(total, signal)
      } catch (error) {
        throw ending.aborted && !history.disconnectSignal.aborted ? new Refused({ code: 'life_over' }) : error
      }
    },
    waitForEnd: () => oneAtATime(async () => {}),
  }
}

interface Refusals {
  last: Error | null
}

interface TakingDeps extends FeedingDeps {
  readonly refusals: Refusals
}

/** Min time in ms between two progress signs. */
const minSignIntervalMs = 100

/**
 * `open` reads the whole file before the first model call, so a file that is damaged further on imports
 * nothing.
 */
const importHistory = async (
  { path, name, phrase, charset, me, sha256, source, only, onNote }: History,
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
    charset,
    me,
    sha256,
    as: 'conversations',
    signal,
  })
  try {
    for (const text of history.notes) onNote?.(text)
    await importConversations(history, { source, only }, deps, signal)
    return history.total + history.leftOut
  } finally {
    await history.close()
  }
}

const importConversations = async (
  history: OpenHistory,
  { source, only }: Pick<History, 'source' | 'only'>,
  deps: FeedingDeps,
  signal: AbortSignal,
): Promise<void> => {
  const { id, clock, log } = deps
  const { leftOut } = history
  const total = only ? [...only].filter((position) => position <= history.total).length : history.total
  if (leftOut > 0) log.warn({ id, count: leftOut }, 'skipped conversations that are too large')
  const importedBefore = await deps.read(({ journal }) => readFed(journal))
  const counts = { done: 0, skipped: 0, odd: 0 }
  /**
   * Error of the last conversation that could not be imported: the model refused it, or the daemon failed.
   */
  const refusals: Refusals = { last: null }
  let signedAt = Number.NEGATIVE_INFINITY
  const publishProgress = (now: number) => {
    signedAt = now
    deps.bus.sign({ type: 'feeding', id, done: counts.done, total, skipped: counts.skipped })
  }
  publishProgress(clock.now())
  let index = 0
  try {
    for await (const conversation of history.conversations()) {
      index++
      if (only && !only.has(index)) continue
      if (importedBefore.has(conversation) || isOfOthersAlone(conversation)) counts.skipped++
      else if (await tryImport(conversation, source, { ...deps, refusals }, signal)) {
        importedBefore.add(conversation)
        await history.keptSome()
      } else counts.odd++
      counts.done++
      const now = clock.now()
      if (Math.abs(now - signedAt) >= minSignIntervalMs) publishProgress(now)
    }
    // If no conversation succeeded, the model rejects every request. The import fails with its error.
    if (refusals.last && counts.odd === counts.done - counts.skipped) throw refusals.last
  } finally {
    publishProgress(clock.now())
    const { done, skipped, odd } = counts
    log.info(
      { id, count: done - skipped - odd },
      `imported a history: ${done} of ${total}, ${skipped} known, ${odd} not understood`,
    )
  }
}

/** A defect in the daemon on one conversation must not prevent the others. */
const tryImport = async (
  conversation: Conversation,
  source: string,
  deps: TakingDeps,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    return await importConversation(conversation, source, deps, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!isUnexpected(error)) throw error
    deps.log.error({ id: deps.id, err: error }, 'importing a conversation failed in the daemon')
    deps.refusals.last = error instanceof Error ? error : new Error(String(error))
    return false
  }
}

/**
 * Max lessons per commit. With 300 characters each, in any script, they stay within the size limit of a
 * commit.
 */
const maxLessons = 300

/** Imports one conversation. Returns true if it was consolidated completely. */
const importConversation = async (
  conversation: Conversation,
  source: string,
  deps: TakingDeps,
  signal: AbortSignal,
): Promise<boolean> => {
  const { life, clock, execute } = deps
  const { zone } = clock
  const { id, title, updated, hash, messages } = conversation
  let lessonsSoFar: ImportLessons = nothingLearned
  let calls: readonly OrganCall[] = []
  for (let from = 0; from < messages.length; ) {
    for (const call of calls) await record(call, deps)
    signal.throwIfAborted()
    const { persona, spent } = await deps.read(async (reading) => ({
      persona: reading.persona,
      spent: await deps.getTokenLimit(reading),
    }))
    if (spent !== null) throw new Refused({ code: 'spent', reason: spent })
    // Text that was addressed to another AI is not stored. Only the lessons are.
    const organs = deps.organs(persona, signal, 'unkept')
    const part = partFrom(from, {
      persona,
      budget: await organs.budget(),
      conversation,
      source,
      zone,
      learned: lessonsSoFar,
    })
    const result = await requestLessons(part, organs, deps, signal)
    if (!result) return false
    lessonsSoFar = { ...result.learned, lessons: result.learned.lessons.slice(0, maxLessons) }
    calls = [result.call]
    from = part.upTo
  }
  const history = {
    source,
    conversation: id,
    title,
    updated,
    hash,
    messages: messages.length,
    summary: lessonsSoFar.summary,
  }
  // Recorded even if the client has disconnected: the conversation is consolidated and paid for.
  await execute({ type: 'FeedHistory', life, calls, history, lessons: lessonsSoFar.lessons })
  return true
}

/**
 * Asks the model for the lessons of a part. Returns null if two answers were unusable; their calls are
 * recorded. The returned `call` is not recorded yet.
 */
const requestLessons = async (
  part: Part,
  organs: Organs,
  deps: TakingDeps,
  signal: AbortSignal,
): Promise<{ readonly learned: ImportLessons; readonly call: OrganCall } | null> => {
  for (const isRetry of [false, true]) {
    try {
      const { value, used } = await unlessAborted(
        organs.ask('thinking', buildImportPrompt(part, isRetry), []),
        signal,
      )
      const result = parseImport(value, part, deps.newId)
      if (result) return { learned: result, call: { used } }
      await record({ used }, deps)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      await record({ failed: error.failed }, deps)
      if (error.failed.kind !== 'refused') throw error
      // The model refused this text. Other conversations may succeed.
      deps.refusals.last = error
      return null
    }
  }
  return null
}

const record = (call: OrganCall, { life, execute }: TakingDeps): Promise<unknown> =>
  execute({ type: 'RecordCalls', life, cause: 'history', calls: [call] })
