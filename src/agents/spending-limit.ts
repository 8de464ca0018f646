/**
 * The daily token limit of a persona and its use so far. The use is read from the journal and cached while
 * the journal is open.
 */
import type { Seq } from '../../facts/fact-values.ts'
import { isIn } from '../../facts/facts.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { callsWithin, countTokens } from '../../projections/usage.ts'

interface SpendingContext {
  readonly journal: Pick<Journal, 'head' | 'read'>
  /** Time zone that decides when a day begins. */
  readonly zone: string
  /** Epoch ms. */
  readonly now: number
}

interface AskedUnder extends SpendingContext {
  /** Input and output tokens per day. Null means no limit. */
  readonly ceiling: number | null
}

/** Share of the limit that background work may use. The rest is reserved for talk. */
const backgroundShare = 0.8

interface Day {
  readonly from: number
  readonly to: number
}

/** Cache: the last computed day of each time zone. */
const dayCache = new Map<string, Day>()

/** Returns the begin and end of the local day that contains `now`, in epoch ms. */
export const dayAround = async (now: number, zone: string): Promise<Day> => {
  const last = dayCache.get(zone)
  if (last && last.from <= now && now < last.to) return last
  // Imported on demand: the time zone module takes longer to load than the rest of the start.
  const { toDate, toInstant } = await import('../../packages/kit/time/local-time.ts')
  const date = toDate(now, zone)
  const next = new Date(Date.parse(`${date}T00:00Z`) + 24 * 3_600_000).toISOString().slice(0, 10)
  const day = { from: toInstant(`${date}T00:00`, zone), to: toInstant(`${next}T00:00`, zone) }
  dayCache.set(zone, day)
  return day
}

/** Returns the tokens used today. Failed calls are not included, because their use is unknown. */
export const getSpentTokens = async ({ journal, zone, now }: SpendingContext): Promise<number> =>
  sumTokens(journal, await dayAround(now, zone))

/** Returns the tokens left for today. Null means no limit. */
export const getTokensLeft = async ({ ceiling: maxTokens, ...query }: AskedUnder): Promise<number | null> =>
  maxTokens === null ? null : Math.max(0, maxTokens - (await getSpentTokens(query)))

/** Returns true while background work may use tokens. */
export const mayWorkInBackground = async ({ ceiling: maxTokens, ...query }: AskedUnder): Promise<boolean> =>
  maxTokens === null || (await getSpentTokens(query)) < maxTokens * backgroundShare

/** Returns the message for the user if today's tokens are used up, or else null. */
export const overCeiling = async ({ ceiling: maxTokens, ...query }: AskedUnder): Promise<string | null> => {
  if (maxTokens === null) return null
  const usedTokens = await getSpentTokens(query)
  return usedTokens < maxTokens ? null : limitMessage(usedTokens, maxTokens, query)
}

const limitMessage = async (
  usedTokens: number,
  maxTokens: number,
  { now, zone }: SpendingContext,
): Promise<string> => {
  const { to } = await dayAround(now, zone)
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  }).format(to)
  const hour = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
  }).format(to)
  return `The tokens for today are used up: ${count(usedTokens)} of the ${count(maxTokens)} that DAIMON_DAILY_TOKENS allows on one day. Answers are possible again from ${day} at ${hour} (${zone}). Ask again then, or raise that setting and start the daemon again.`
}

const count = (tokens: number): string => tokens.toLocaleString('en-US')

interface TokenCount {
  readonly from: number
  readonly upTo: Seq | 0
  readonly tokens: number
}

const countCache = new WeakMap<SpendingContext['journal'], TokenCount>()

const sumTokens = async (journal: SpendingContext['journal'], window: Day): Promise<number> => {
  const { head } = journal
  const lastCount = countCache.get(journal)
  const sameDay = lastCount?.from === window.from ? lastCount : undefined
  const calls = sameDay
    ? journal.read({ kind: 'calls', after: sameDay.upTo, upTo: head.seq })
    : callsWithin(journal, window)
  let tokens = sameDay?.tokens ?? 0
  for await (const { at, event } of calls)
    if (isIn('calls', event) && at >= window.from && at < window.to) tokens += countTokens(event)
  countCache.set(journal, { from: window.from, upTo: head.seq, tokens })
  return tokens
}
