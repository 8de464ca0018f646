/**
 * The nightly work: consolidates the talk span by span and closes the day. Each step is on disk before the
 * next one begins.
 */

import type { Seq } from '../../facts/fact-values.ts'
import { unlessAborted } from '../../packages/kit/flow/abort-signals.ts'
import { toDate } from '../../packages/kit/time/local-time.ts'
import type { Persona } from '../../projections/persona.ts'
import { type Consolidation, parseConsolidation } from '../mind/memory/consolidation.ts'
import { buildConsolidationPrompt, type Span } from '../mind/memory/consolidation-prompt.ts'
import { type Day, readDays, readSpan } from '../mind/memory/spans.ts'
import { splitWords } from '../mind/memory/word-match.ts'
import { Unanswered } from '../mind/model-retries.ts'
import type { Organs } from '../mind/organ-calls.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { Command } from '../persona/rules/decide.ts'
import type { OrganCall } from '../persona/rules/organ-health.ts'
import type { AgentLife } from './agent-deps.ts'
import { type Faults, isUnexpected } from './faults.ts'
import { writeWithRetries } from './recording.ts'

export interface DayDeps extends AgentLife {
  readonly verify: PersonaStore['verify']
  /** Returns true if more urgent work is waiting. */
  readonly isUrgent: () => boolean
  /** The talk that could not be consolidated, and the number of tries. */
  readonly trouble: UnreadTalk
  readonly faults: Faults
  /** Aborts the work. */
  readonly signal: AbortSignal
}

/**
 * Mutable, kept in memory for one life. Each retry uses a smaller span; after the last one the talk is
 * skipped.
 */
interface UnreadTalk {
  after: Seq | 0
  tries: number
}

/** Share of the token budget for a span, by the number of failed tries. 0 means a single message. */
const budgetShares = [1, 1 / 2, 1 / 4, 1 / 16, 0]
const maxTries = 6

/**
 * `left`: no usable answer, or the daily token limit is reached. `more`: talk remains after the max number of
 * spans, or urgent work is waiting.
 */
export type ConsolidationResult = 'all' | 'left' | 'more'

/**
 * Consolidates the talk up to a position, in at most `maxSpans` spans. Throws `Unanswered` if the model is
 * unreachable, and the signal's reason.
 */
export const consolidateTalk = async (
  upTo: Seq | 0,
  maxSpans: number,
  deps: DayDeps,
): Promise<ConsolidationResult> => {
  const { zone } = deps.clock
  for (let spans = 0; ; spans++) {
    deps.signal.throwIfAborted()
    const isOver = deps.isUrgent() || spans >= maxSpans
    const next = await deps.read(async (reading) => {
      const { persona, journal } = reading
      const organs = deps.organs(persona, deps.signal)
      const budget = await organs.budget()
      const span = await readSpan(journal, {
        persona,
        upTo,
        budget,
        zone,
        share: budgetShares[countTries(persona, deps)] ?? 0,
      })
      return span && { organs, span: { ...span, budget, persona, zone }, spare: await deps.spare(reading) }
    })
    if (!next) return 'all'
    if (isOver) return 'more'
    if (!next.spare || !(await consolidateSpan(next.span, next.organs, deps))) return 'left'
  }
}

const countTries = ({ days }: Persona, { trouble }: DayDeps): number =>
  trouble.after === days.consolidated ? trouble.tries : 0

/**
 * Consolidates a span. Returns false if it has to be tried again later. An answer in the wrong format is
 * requested once more. Talk that fails in every try is skipped in the end.
 */
const consolidateSpan = async (span: Span, organs: Organs, deps: DayDeps): Promise<boolean> => {
  const { life, signal, trouble } = deps
  const { consolidated: consolidatedSeq } = span.persona.days
  const calls: OrganCall[] = []
  const write = (command: Command) => writeWithRetries(deps, () => deps.execute(command))
  const recordConsolidation = (result: Consolidation) =>
    write({
      type: 'Consolidate',
      life,
      after: consolidatedSeq,
      upTo: span.entries.at(-1)?.seq ?? 0,
      ...result,
      calls,
    })
  try {
    const lessons = await requestLessons(span, organs, deps, calls)
    if (lessons) {
      await recordConsolidation(lessons)
      deps.faults.clear('review')
      return true
    }
  } catch (error) {
    // Calls that were answered before the abort cost tokens.
    if (signal.aborted && calls.length > 0)
      await deps.execute({ type: 'RecordCalls', life, cause: 'consolidation', calls }).catch(() => undefined)
    if (signal.aborted) throw error
    if (isUnexpected(error)) deps.faults.add('review', error)
    else if (error instanceof Unanswered) calls.push({ failed: error.failed })
    else throw error
    if (error instanceof Unanswered && error.failed.kind !== 'refused') {
      await write({ type: 'RecordCalls', life, cause: 'consolidation', calls })
      throw error
    }
  }
  const tries = countTries(span.persona, deps) + 1
  Object.assign(trouble, { after: consolidatedSeq, tries })
  if (tries >= maxTries) {
    await recordConsolidation({ lessons: [], carry: null, summary: null, borrowed: [], initiatives: [] })
    return true
  }
  await write({ type: 'RecordCalls', life, cause: 'consolidation', calls })
  return false
}

const requestLessons = async (
  span: Span,
  organs: Organs,
  deps: DayDeps,
  calls: OrganCall[],
): Promise<Consolidation | null> => {
  for (const isRetry of [false, true]) {
    const { question, parts } = buildConsolidationPrompt(span, isRetry)
    const { value, used } = await unlessAborted(organs.ask('thinking', question, parts), deps.signal)
    calls.push({ used })
    const knowledge = parseConsolidation(value, span, deps.newId)
    if (knowledge) return knowledge
  }
  return null
}

/** Days per commit. After years of talk a single commit would be too large. */
const maxDaysPerCommit = 50

/**
 * Closes the past days (all days, if the user requests it), verifies the journal, writes the diary and
 * deletes old sent prompts. Throws `Refused` with `sleep_failed` if the journal is damaged, or the error of
 * the diary.
 */
export const closeDay = async (
  progress: ConsolidationResult,
  requestedBy: 'person' | 'clock',
  deps: Omit<DayDeps, 'isUrgent'>,
): Promise<void> => {
  const { id, life, clock, read, execute, verify, signal } = deps
  const { openDays, summary, carriedBorrowed } = await read(async ({ persona, journal }) => ({
    openDays: await readDays(journal, persona, persona.days.sleeping ?? journal.head.seq, clock.zone),
    summary: progress === 'all' ? (persona.days.summary?.text ?? '') : '',
    carriedBorrowed: persona.days.borrowed,
  }))
  const today = toDate(clock.now(), clock.zone)
  // The summary belongs to the day with the most messages.
  const longestDay = openDays.reduce<Day | null>(
    (longestSoFar, day) => (longestSoFar && longestSoFar.messages >= day.messages ? longestSoFar : day),
    null,
  )
  const days = openDays
    .filter(({ date }) => requestedBy === 'person' || date !== today)
    .map((day) => {
      const { date: _, messages: __, excerpt, ...span } = day
      return day === longestDay && summary
        ? { ...span, summary, by: 'mind' as const, borrowed: filterBorrowed(summary, carriedBorrowed) }
        : { ...span, summary: excerpt, by: 'excerpt' as const }
    })
  for (let n = 0; n < days.length; n += maxDaysPerCommit)
    await execute({ type: 'CloseDays', life, days: days.slice(n, n + maxDaysPerCommit) })
  signal.throwIfAborted()
  const { reason } = await unlessAborted(verify(id), signal)
  if (reason !== null) throw new Refused({ code: 'sleep_failed' })
  await signHead(deps)
  if (await read(async ({ persona }) => persona.days.untold))
    await unlessAborted(deps.writeDiary(signal), signal)
  await cleanUp(deps)
}

/** `carriedWords`: words of others in the summary and in the notes. Returns those in the summary. */
const filterBorrowed = (summary: string, carriedWords: readonly string[]): readonly string[] => {
  const borrowedWords = new Set(carriedWords.flatMap(splitWords))
  return [...new Set(splitWords(summary))].filter((word) => borrowedWords.has(word))
}

/** A failed signature is retried in the next night. Before the diary, which contains the log. */
const signHead = async ({ id, log, signHead, signal }: Omit<DayDeps, 'isUrgent'>): Promise<void> => {
  try {
    await unlessAborted(signHead(), signal)
  } catch (err) {
    signal.throwIfAborted()
    log.warn({ id, err }, 'failed to sign the head of a journal at night')
  }
}

/** A failed cleanup is retried in the next night. It does not prevent closing the day. */
const cleanUp = async ({ id, log, tidy, signal }: Omit<DayDeps, 'isUrgent'>): Promise<void> => {
  try {
    await unlessAborted(tidy(signal), signal)
  } catch (err) {
    signal.throwIfAborted()
    log.warn({ id, err }, 'failed to clean up a journal at night')
  }
}
