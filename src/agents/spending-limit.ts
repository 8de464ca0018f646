/**
 * How many tokens it may use on a day, and what it has used of them: read from its journal, and while that is
 * open only what is new.
 */
import type { Seq } from '../../journal/facts/fact-values.ts'
import { isIn } from '../../journal/facts/facts.ts'
import type { Journal } from '../../journal/log/journal.ts'
import { callsWithin, tokensOf } from '../../projections/usage.ts'

interface Asked {
  readonly journal: Pick<Journal, 'head' | 'read'>
  /** Days begin at midnight there. */
  readonly zone: string
  /** Epoch milliseconds. */
  readonly now: number
}

interface AskedUnder extends Asked {
  /** Tokens a day, what goes in and what comes out; null: as many as it likes. */
  readonly ceiling: number | null
}

/** Work that nobody waits for leaves the rest to talk. */
const backgroundShare = 0.8

interface Day {
  readonly from: number
  readonly to: number
}

/** The one that was asked for last in each zone. */
const days = new Map<string, Day>()

/** The local day that an instant lies in, as instants. */
export const dayAround = async (now: number, zone: string): Promise<Day> => {
  const last = days.get(zone)
  if (last && last.from <= now && now < last.to) return last
  // Asked late: what knows the zones takes longer to load than the rest of a start.
  const { dateOf, instantOf } = await import('../../packages/kit/time/local-time.ts')
  const date = dateOf(now, zone)
  const next = new Date(Date.parse(`${date}T00:00Z`) + 24 * 3_600_000).toISOString().slice(0, 10)
  const day = { from: instantOf(`${date}T00:00`, zone), to: instantOf(`${next}T00:00`, zone) }
  days.set(zone, day)
  return day
}

/** Tokens of the day so far. What failed calls used nobody knows. */
export const spent = async ({ journal, zone, now }: Asked): Promise<number> =>
  tokensWithin(journal, await dayAround(now, zone))

/** Tokens it may still use on the day; null: as many as it likes. */
export const left = async ({ ceiling, ...asked }: AskedUnder): Promise<number | null> =>
  ceiling === null ? null : Math.max(0, ceiling - (await spent(asked)))

/** Whether it may still work at what nobody waits for: that stops before talk has to. */
export const mayWorkInBackground = async ({ ceiling, ...asked }: AskedUnder): Promise<boolean> =>
  ceiling === null || (await spent(asked)) < ceiling * backgroundShare

/** What it says instead of thinking once its day's tokens are used up; null while they are not. */
export const overCeiling = async ({ ceiling, ...asked }: AskedUnder): Promise<string | null> => {
  if (ceiling === null) return null
  const used = await spent(asked)
  return used < ceiling ? null : said(used, ceiling, asked)
}

const said = async (used: number, ceiling: number, { now, zone }: Asked): Promise<string> => {
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
  return `I have used up my tokens for today: ${count(used)} of the ${count(ceiling)} that DAIMON_DAILY_TOKENS allows me on one day. I begin anew on ${day} at ${hour} (${zone}). Please ask me again then, or raise that setting and start the service again.`
}

const count = (tokens: number): string => tokens.toLocaleString('en-US')

interface Counted {
  readonly from: number
  readonly upTo: Seq | 0
  readonly tokens: number
}

const known = new WeakMap<Asked['journal'], Counted>()

const tokensWithin = async (journal: Asked['journal'], window: Day): Promise<number> => {
  const { head } = journal
  const counted = known.get(journal)
  const sameDay = counted?.from === window.from ? counted : undefined
  const calls = sameDay
    ? journal.read({ kind: 'calls', after: sameDay.upTo, upTo: head.seq })
    : callsWithin(journal, window)
  let tokens = sameDay?.tokens ?? 0
  for await (const { at, event } of calls)
    if (isIn('calls', event) && at >= window.from && at < window.to) tokens += tokensOf(event)
  known.set(journal, { from: window.from, upTo: head.seq, tokens })
  return tokens
}
