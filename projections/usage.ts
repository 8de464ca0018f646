/** Model usage and cost: sums over the facts of calls. */

import type { CallCause, Price, Provider, SearchProvider, Slot } from '../facts/fact-values.ts'
import type { EventIn, EventOf } from '../facts/facts.ts'
import type { Entry, Journal } from '../facts/persona-journal.ts'

/**
 * `calls`: number of requests. `failed`: those without an answer. `tries`: attempts at providers for all of
 * them.
 */
export interface Sum {
  readonly calls: number
  readonly failed: number
  readonly tries: number
  readonly input: number
  readonly output: number
  /** Input tokens that were read from a provider's cache. */
  readonly cached: number
  /** Input tokens that were written to it. */
  readonly written: number
  readonly images: number
  readonly characters: number
  readonly seconds: number
  /** Searches of the web, with failed ones. They are no calls. */
  readonly searches: number
  readonly ms: number
  /** Null if no answer had a price. */
  readonly usd: number | null
  /** Number of answers without a price. The cost of failed calls is unknown. */
  readonly unpriced: number
  /** Dates of the price lists that were used, oldest first. */
  readonly dated: readonly string[]
}

export interface Usage {
  readonly total: Sum
  readonly organs: readonly ({ readonly organ: Slot } & Sum)[]
  readonly models: readonly ({ readonly provider: Provider | null; readonly model: string } & Sum)[]
  readonly causes: readonly ({ readonly cause: CallCause } & Sum)[]
  /** By search provider. */
  readonly searches: readonly ({ readonly search: SearchProvider } & Sum)[]
  /** Local dates at the time of the calls, oldest first. */
  readonly days: readonly ({ readonly day: string } & Sum)[]
}

/** `from <= at < to`, in epoch ms; null is open. */
export interface Window {
  readonly from: number | null
  readonly to: number | null
}

/** A fact with a cost. */
export type Charged = EventIn<'calls'>

/** A call of a model. */
export type Call = Exclude<Charged, EventOf<'WebSearched'>>

const firstPage = 500

/**
 * Yields the calls of a window, unordered. Reads pages backwards until a whole page is older: clocks may
 * jump, so a single older call is not enough. The page size doubles, because without a valid index each page
 * scans the whole journal.
 */
export async function* callsWithin(
  journal: Pick<Journal, 'head' | 'read'>,
  window: Window,
): AsyncGenerator<Entry> {
  const { from, to } = { from: window.from ?? -Infinity, to: window.to ?? Infinity }
  let upTo = journal.head.seq
  for (let last = window.from === null ? upTo : firstPage; upTo > 0; last *= 2) {
    let first = upTo
    let earlierCount = 0
    let read = 0
    for await (const entry of journal.read({ kind: 'calls', upTo, last })) {
      if (read++ === 0) first = entry.seq
      if (entry.at < from) earlierCount++
      else if (entry.at < to) yield entry
    }
    if (read < last || earlierCount === read) return
    upTo = first - 1
  }
}

/** Returns the tokens of a call that the provider reported. */
export const countTokens = (call: Charged): number =>
  call.type === 'ModelAnswered' ? (call.usage.input ?? 0) + (call.usage.output ?? 0) : 0

/** A sum before it is formatted. Plain data, because closed days are stored like this. */
export interface Count extends Omit<Sum, 'usd'> {
  /** Billionths of a dollar, because integers add up exactly in any order. */
  readonly nanos: number
  readonly priced: boolean
}

/** Calls of one day with the same organ, model and cause, or searches at one provider. */
export type Row = Count &
  (
    | {
        readonly organ: Slot
        readonly provider: Provider | null
        readonly model: string
        readonly cause: CallCause
      }
    | { readonly search: SearchProvider; readonly cause: 'tool' }
  )

export type DayRow = Row & { readonly day: string }

/** Returns the row of a single call. */
export const toUsageRow = ({ at, offset }: Pick<Entry, 'at' | 'offset'>, call: Charged): DayRow => {
  const day = toDay(at, offset)
  if (call.type === 'WebSearched')
    return { day, search: call.provider, cause: 'tool', ...getCallCounts(call) }
  const { organ, provider, model, cause } = call
  return { day, organ, provider, model, cause, ...getCallCounts(call) }
}

/** Sums rows in any order. */
export const sumUp = async (rows: AsyncIterable<DayRow>): Promise<Usage> => {
  let total = noCalls
  const organs = new Map<string, Counted<{ organ: Slot }>>()
  const models = new Map<string, Counted<{ provider: Provider | null; model: string }>>()
  const causes = new Map<string, Counted<{ cause: CallCause }>>()
  const searches = new Map<string, Counted<{ search: SearchProvider }>>()
  const days = new Map<string, Counted<{ day: string }>>()
  for await (const row of rows) {
    const { cause, day } = row
    total = plus(total, row)
    addToGroup(causes, cause, { cause }, row)
    addToGroup(days, day, { day }, row)
    if ('search' in row) {
      addToGroup(searches, row.search, { search: row.search }, row)
      continue
    }
    const { organ, provider, model } = row
    addToGroup(organs, organ, { organ }, row)
    addToGroup(models, `${provider}/${model}`, { provider, model }, row)
  }
  return {
    total: toSum(total),
    organs: sums(organs).sort(byCost),
    models: sums(models).sort(byCost),
    causes: sums(causes).sort(byCost),
    searches: sums(searches).sort(byCost),
    days: sums(days).sort((a, b) => (a.day < b.day ? -1 : 1)),
  }
}

/** Sums the calls of one turn. */
export const sumOfCalls = (calls: readonly Charged[]): Sum =>
  toSum(calls.reduce((sum, call) => plus(sum, getCallCounts(call)), noCalls))

/** Rounds to a millionth of a dollar. */
export const shownUsd = (usd: number): number => Math.round(usd * 1e6) / 1e6

/** Returns the local date `YYYY-MM-DD`. `at` in epoch ms, `offset` in minutes east of UTC. */
const toDay = (timeMs: number, offset: number): string =>
  new Date(timeMs + offset * 60_000).toISOString().slice(0, 10)

const noCalls: Count = {
  calls: 0,
  failed: 0,
  tries: 0,
  input: 0,
  output: 0,
  cached: 0,
  written: 0,
  images: 0,
  characters: 0,
  seconds: 0,
  searches: 0,
  ms: 0,
  unpriced: 0,
  nanos: 0,
  priced: false,
  dated: [],
}

const madeFields = { image: 'images', character: 'characters', second: 'seconds' } as const

export const getCallCounts = (call: Charged): Count => {
  if (call.type === 'WebSearched') return { ...noCalls, searches: 1, ...getPriceCounts(call.price) }
  const attempt = { ...noCalls, calls: 1, tries: call.calls, ms: call.ms }
  if (call.type === 'ModelFailed') return { ...attempt, failed: 1 }
  const { usage, price } = call
  return {
    ...attempt,
    input: usage.input ?? 0,
    output: usage.output ?? 0,
    cached: usage.cached ?? 0,
    written: usage.written ?? 0,
    ...(usage.made && { [madeFields[usage.made.unit]]: usage.made.count }),
    ...(price ? getPriceCounts(price) : { unpriced: 1 }),
  }
}

const getPriceCounts = (price: Price | null): Partial<Count> =>
  price === null ? {} : { nanos: Math.round(price.usd * 1e9), priced: true, dated: [price.dated] }

/** Field by field, here and below. Measured: a loop over field names takes 2.5 times as long. */
export const plus = (a: Count, b: Count): Count => ({
  calls: a.calls + b.calls,
  failed: a.failed + b.failed,
  tries: a.tries + b.tries,
  input: a.input + b.input,
  output: a.output + b.output,
  cached: a.cached + b.cached,
  written: a.written + b.written,
  images: a.images + b.images,
  characters: a.characters + b.characters,
  seconds: a.seconds + b.seconds,
  searches: a.searches + b.searches,
  ms: a.ms + b.ms,
  unpriced: a.unpriced + b.unpriced,
  nanos: a.nanos + b.nanos,
  priced: a.priced || b.priced,
  dated: mergeDates(a.dated, b.dated),
})

const mergeDates = (dates: readonly string[], otherDates: readonly string[]): readonly string[] => {
  const newDates = otherDates.filter((date) => !dates.includes(date))
  return newDates.length > 0 ? [...dates, ...newDates] : dates
}

const toSum = (count: Count): Sum => ({
  calls: count.calls,
  failed: count.failed,
  tries: count.tries,
  input: count.input,
  output: count.output,
  cached: count.cached,
  written: count.written,
  images: count.images,
  characters: count.characters,
  seconds: Math.round(count.seconds * 1000) / 1000,
  searches: count.searches,
  ms: count.ms,
  unpriced: count.unpriced,
  usd: count.priced ? shownUsd(count.nanos / 1e9) : null,
  dated: [...count.dated].sort(),
})

interface Counted<K> {
  readonly key: K
  count: Count
}

const addToGroup = <K>(counts: Map<string, Counted<K>>, name: string, key: K, row: Count): void => {
  const entry = counts.get(name)
  if (entry) entry.count = plus(entry.count, row)
  else counts.set(name, { key, count: plus(noCalls, row) })
}

const sums = <K>(counts: ReadonlyMap<string, Counted<K>>): (K & Sum)[] =>
  [...counts.values()].map(({ key, count }) => ({ ...key, ...toSum(count) }))

/** Most expensive first, then most tokens, then most calls. */
const byCost = (a: Sum, b: Sum): number =>
  (b.usd ?? 0) - (a.usd ?? 0) || b.input + b.output - a.input - a.output || b.calls - a.calls
