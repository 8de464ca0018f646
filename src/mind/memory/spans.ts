/** What of its talk is to be gone over next, and what a day was, read from the journal. */

import type { Seq } from '../../../journal/facts/fact-values.ts'
import { type EventOf, isIn } from '../../../journal/facts/facts.ts'
import { entryAt } from '../../../journal/log/entry-at.ts'
import type { Entry, Journal } from '../../../journal/log/journal.ts'
import { yielding } from '../../../packages/kit/flow/yielding.ts'
import { dateOf } from '../../../packages/kit/time/local-time.ts'
import { contentOf, isQuestion, ownWordsOf } from '../../../projections/message-parts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { waiting } from '../../../projections/talk.ts'
import type { PromptPart } from '../prompt/prompt-part.ts'
import { readPerceived } from '../prompt/recent-talk.ts'
import { type TokenBudget, tokensIn } from '../prompt/token-budget.ts'
import { overheadOf, type Span } from './consolidate.ts'
import { linesOf } from './talk-lines.ts'

/** What still waits for an answer belongs to the talk that is to come. */
const answeredUpTo = ({ talk }: Persona, upTo: Seq): Seq | 0 => {
  const oldest = Math.min(...waiting(talk).map(({ oldest }) => oldest ?? Infinity))
  return Math.min(upTo, oldest - 1, talk.turn ? talk.turn.stimuli.after : Infinity)
}

/** Messages that are looked at for one span. */
const mostMessages = 2000

/**
 * The oldest talk not yet gone over that there is room for, up to a position; it ends where a turn does. Null
 * when there is none worth a call. `share`: of the budget, for talk that could not be gone over at once.
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
): Promise<Pick<Span, 'entries' | 'perceived'> | null> => {
  const end = answeredUpTo(persona, upTo)
  const after = persona.days.consolidated
  const most = Math.max(budget.consolidation - overheadOf(persona, budget), budget.consolidation / 4) * share
  const entries: Entry[] = []
  let roughly = 0
  let full = false
  if (end > after)
    for await (const entry of yielding(journal.read({ kind: 'talk', after, upTo: end }))) {
      if (!isIn('talk', entry.event) || isQuestion(entry.event)) continue
      entries.push(entry)
      // Never more than it is told as.
      roughly += Math.min(tokensIn(contentOf(entry.event)), 500)
      full = roughly > most || entries.length === mostMessages
      if (full) break
    }
  if (entries.length === 0 || (!full && (await isUnasked(journal, entries)))) return null
  const perceived = await readPerceived(journal, entries)
  return { entries: fittingOf(entries, most, (entry) => linesOf(entry, { perceived, zone })), perceived }
}

/**
 * A greeting and what the daemon told in its name teach nothing by themselves: they are gone over with what
 * is said next, which may answer them.
 */
const isUnasked = async (journal: Journal, entries: readonly Entry[]): Promise<boolean> => {
  for (const { event } of entries) {
    if (event.type !== 'MessageSpoken') return false
    const began = event.turn === null ? undefined : (await entryAt(journal, event.turn))?.event
    if (began?.type !== 'TurnBegan') continue
    const { after, upTo, due } = began.stimuli
    if (upTo > after || due.length > 0) return false
  }
  return true
}

/**
 * As many whole turns from the beginning as there is room for; where not one fits, as many messages; never
 * none.
 */
const fittingOf = (
  entries: readonly Entry[],
  most: number,
  lines: (entry: Entry) => readonly PromptPart[],
): readonly Entry[] => {
  let left = most
  let whole = 0
  for (const [n, entry] of entries.entries()) {
    if (entry.type === 'MessageHeard' && entries[n - 1]?.type === 'MessageSpoken') whole = n
    for (const { text } of lines(entry)) left -= tokensIn(text)
    if (left < 0 && n > 0) return entries.slice(0, whole || n)
  }
  return entries
}

/** The local date, `YYYY-MM-DD`. */
export type Day = Omit<EventOf<'DayClosed'>, 'type' | 'after' | 'summary' | 'by'> & {
  readonly date: string
  readonly excerpt: string
  readonly messages: number
}

/** The local dates since the last closed day, each with what was said on it, as an excerpt. */
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
      if (!isIn('talk', event)) continue
      const date = dateOf(at, zone)
      const day = days.get(date) ?? { date, upTo: seq, began: at, ended: at, excerpt: '', messages: 0 }
      const excerpt = event.type === 'MessageHeard' ? excerptWith(day.excerpt, event) : day.excerpt
      days.set(date, {
        date,
        upTo: seq,
        began: Math.min(day.began, at),
        ended: Math.max(day.ended, at),
        excerpt,
        messages: day.messages + 1,
      })
    }
  // A clock that jumps back gives a date twice: days end in the order of what was said.
  return [...days.values()].sort((one, other) => one.upTo - other.upTo)
}

const longestExcerpt = 600

/** Of the person's own words: what others said is not what they said on that day. */
const excerptWith = (excerpt: string, event: EventOf<'MessageHeard'>): string => {
  const words = (ownWordsOf(event) || event.media?.name || '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120)
    .toWellFormed()
  return words === '' || excerpt.length > longestExcerpt
    ? excerpt
    : `${excerpt}${excerpt ? ' · ' : ''}“${words}”`
}
