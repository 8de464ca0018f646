/** Selects the talk to consolidate next, and groups the journal's messages into days. */

import type { Seq } from '../../../facts/fact-values.ts'
import { type EventOf, isIn } from '../../../facts/facts.ts'
import type { Entry, Journal } from '../../../facts/persona-journal.ts'
import { entryAt } from '../../../journal/log/keys.ts'
import { yielding } from '../../../packages/kit/flow/yielding.ts'
import { toDate } from '../../../packages/kit/time/local-time.ts'
import { getContent, getOwnWords, isByDaemon, isOwnVoice } from '../../../projections/message-parts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { getWaitingInboxes } from '../../../projections/talk.ts'
import { type PromptPart, type TokenBudget, tokensIn } from '../prompt/prompt-part.ts'
import { readPerceived } from '../prompt/recent-talk.ts'
import { getOverhead, type Span } from './consolidation-prompt.ts'
import { readDayEvents } from './day-events.ts'
import { toTalkLines } from './talk-lines.ts'
import { splitWords } from './word-match.ts'

/** Messages that still wait for an answer are consolidated later. */
const answeredUpTo = ({ talk }: Persona, upTo: Seq): Seq | 0 => {
  const oldestSeq = Math.min(...getWaitingInboxes(talk).map(({ oldest }) => oldest ?? Infinity))
  return Math.min(upTo, oldestSeq - 1, talk.turn ? talk.turn.stimuli.after : Infinity)
}

/** Max messages per span. */
const maxMessages = 2000
/** Share of the tokens for lines about plans. */
const shareOfEvents = 0.1

/**
 * Returns the oldest talk before `upTo` that is not consolidated yet and fits the budget. A span ends at the
 * end of a turn. Returns null if there is too little for a model call. `share`: the fraction of the budget to
 * use, below 1 after a failed consolidation.
 */
export const readSpan = async (
  journal: Journal,
  {
    persona,
    upTo,
    budget,
    zone,
    share,
  }: { persona: Persona; upTo: Seq | 0; budget: TokenBudget; zone: string; share: number },
): Promise<Pick<Span, 'entries' | 'perceptions' | 'events'> | null> => {
  const end = answeredUpTo(persona, upTo)
  const consolidatedSeq = persona.days.consolidated
  const maxTokens =
    Math.max(budget.consolidation - getOverhead({ persona, budget, zone }), budget.consolidation / 4) * share
  const entries: Entry[] = []
  let tokenEstimate = 0
  let isFull = false
  if (end > consolidatedSeq)
    for await (const entry of yielding(journal.read({ kind: 'talk', after: consolidatedSeq, upTo: end }))) {
      if (!isIn('talk', entry.event) || isByDaemon(entry.event) || persona.talk.hidden[entry.seq]) continue
      entries.push(entry)
      // Must not exceed the tokens of the entry in the prompt, which cuts long messages.
      tokenEstimate += Math.min(tokensIn(getContent(entry.event)), 500)
      isFull = tokenEstimate > maxTokens || entries.length === maxMessages
      if (isFull) break
    }
  if (entries.length === 0 || (!isFull && (await isUnasked(journal, entries)))) return null
  const perceptions = await readPerceived(journal, entries)
  const toLines = (entry: Entry) => toTalkLines(entry, { perceptions, zone })
  const eventTokens = maxTokens * shareOfEvents
  const fittingEntries = takeFitting(entries, maxTokens - eventTokens, toLines)
  const range = { after: consolidatedSeq, upTo: fittingEntries.at(-1)?.seq ?? consolidatedSeq }
  const events = await readDayEvents(journal, persona, range, { zone, maxTokens: eventTokens })
  return { entries: fittingEntries, perceptions, events }
}

/**
 * Greetings and messages that the daemon sent by itself teach nothing. They are consolidated together with
 * the next messages, which may answer them.
 */
const isUnasked = async (journal: Journal, entries: readonly Entry[]): Promise<boolean> => {
  for (const { event } of entries) {
    if (event.type !== 'MessageSpoken') return false
    const turnEvent = event.turn === null ? undefined : (await entryAt(journal, event.turn))?.event
    if (turnEvent?.type !== 'TurnBegan') continue
    const { after, upTo, due } = turnEvent.stimuli
    if (upTo > after || due.length > 0) return false
  }
  return true
}

/**
 * Takes as many whole turns from the start as fit. If no turn fits, takes as many messages as fit, at least
 * one.
 */
const takeFitting = (
  entries: readonly Entry[],
  maxTokens: number,
  lines: (entry: Entry) => readonly PromptPart[],
): readonly Entry[] => {
  let tokensLeft = maxTokens
  let wholeTurnsEnd = 0
  for (const [n, entry] of entries.entries()) {
    if (entry.type === 'MessageHeard' && entries[n - 1]?.type === 'MessageSpoken') wholeTurnsEnd = n
    for (const { text } of lines(entry)) tokensLeft -= tokensIn(text)
    if (tokensLeft < 0 && n > 0) return entries.slice(0, wholeTurnsEnd || n)
  }
  return entries
}

/** `date` is the local date, `YYYY-MM-DD`. */
export type Day = Omit<EventOf<'DayClosed'>, 'type' | 'after' | 'summary' | 'by' | 'borrowed'> & {
  readonly date: string
  readonly excerpt: string
  /** Words of others in the excerpt. */
  readonly borrowed: readonly string[]
  readonly messages: number
}

/** Returns the local dates since the last closed day, each with an excerpt of its messages. */
export const readDays = async (
  journal: Journal,
  persona: Persona,
  upTo: Seq,
  zone: string,
): Promise<readonly Day[]> => {
  const end = answeredUpTo(persona, upTo)
  const { closed } = persona.days
  const days = new Map<string, Day>()
  if (end > closed)
    for await (const { seq, at, event } of yielding(
      journal.read({ kind: 'talk', after: closed, upTo: end }),
    )) {
      if (!isIn('talk', event) || persona.talk.hidden[seq]) continue
      const date = toDate(at, zone)
      const day = days.get(date) ?? { date, upTo: seq, began: at, ended: at, ...noExcerpt, messages: 0 }
      days.set(date, {
        date,
        upTo: seq,
        began: Math.min(day.began, at),
        ended: Math.max(day.ended, at),
        ...(event.type === 'MessageHeard'
          ? excerptWith(day, event)
          : { excerpt: day.excerpt, borrowed: day.borrowed }),
        messages: day.messages + 1,
      })
    }
  // If the clock jumped back, a date can return later. Sort by position, not by date.
  return [...days.values()].sort((first, second) => first.upTo - second.upTo)
}

const maxExcerptLength = 600

const noExcerpt = { excerpt: '', borrowed: [] }

/**
 * Appends the user's own words, without words of others that they passed on. The name of a file stands for a
 * message without words. It counts as words of others, unless the file is the user's voice.
 */
const excerptWith = (
  { excerpt, borrowed }: Pick<Day, 'excerpt' | 'borrowed'>,
  event: EventOf<'MessageHeard'>,
): Pick<Day, 'excerpt' | 'borrowed'> => {
  const ownWords = getOwnWords(event)
  const words = (ownWords || event.media?.name || '').replace(/\s+/g, ' ').trim().slice(0, 120).toWellFormed()
  if (words === '' || excerpt.length > maxExcerptLength) return { excerpt, borrowed }
  const isNameOfFile = ownWords === '' && !isOwnVoice(event)
  return {
    excerpt: `${excerpt}${excerpt ? ' · ' : ''}“${words}”`,
    borrowed: isNameOfFile ? [...new Set([...borrowed, ...splitWords(words)])] : borrowed,
  }
}
