/** What its models were asked, and what it cost: sums over the facts of calls, never kept. */

import type { CallCause, Provider, Slot } from '../journal/facts/fact-values.ts'
import { type EventIn, isIn } from '../journal/facts/facts.ts'
import type { Entry, Journal } from '../journal/log/journal.ts'

/**
 * `calls` counts what was asked, `failed` those of them that got no answer, `tries` how often a provider was
 * called for it all.
 */
export interface Sum {
  readonly calls: number
  readonly failed: number
  readonly tries: number
  readonly input: number
  readonly output: number
  /** Of the input, read from a provider's cache. */
  readonly cached: number
  readonly images: number
  readonly characters: number
  readonly seconds: number
  readonly ms: number
  /** Null where no answer had a price. */
  readonly usd: number | null
  /** Answers without a price; what failed calls cost nobody knows. */
  readonly unpriced: number
  /** Of the price lists it was charged by, oldest first. */
  readonly dated: readonly string[]
}

export interface Usage {
  readonly total: Sum
  readonly organs: readonly ({ readonly organ: Slot } & Sum)[]
  readonly models: readonly ({ readonly provider: Provider | null; readonly model: string } & Sum)[]
  readonly causes: readonly ({ readonly cause: CallCause } & Sum)[]
  /** Days as they were where the daemon lived then, oldest first. */
  readonly days: readonly ({ readonly day: string } & Sum)[]
}

/** `from <= at < to`, epoch milliseconds; null is open. */
export interface Window {
  readonly from: number | null
  readonly to: number | null
}

export type Call = EventIn<'calls'>

const firstPage = 500

/**
 * Calls of a window, in no order. Backwards from the last one in pages that double, up to a page that lies
 * before it throughout: clocks jump, so a single earlier call ends nothing. Where no index can be trusted
 * every page costs a walk through the journal, so there are few.
 */
export async function* callsWithin(
  journal: Pick<Journal, 'head' | 'read'>,
  window: Window,
): AsyncGenerator<Entry> {
  const { from, to } = { from: window.from ?? -Infinity, to: window.to ?? Infinity }
  let upTo = journal.head.seq
  for (let last = window.from === null ? upTo : firstPage; upTo > 0; last *= 2) {
    let first = upTo
    let older = 0
    let read = 0
    for await (const entry of journal.read({ kind: 'calls', upTo, last })) {
      if (read++ === 0) first = entry.seq
      if (entry.at < from) older++
      else if (entry.at < to) yield entry
    }
    if (read < last || older === read) return
    upTo = first - 1
  }
}

/** Tokens of a call, as far as they were told. */
export const tokensOf = (call: Call): number =>
  call.type === 'ModelAnswered' ? (call.usage.input ?? 0) + (call.usage.output ?? 0) : 0

export const sumUp = async (calls: AsyncIterable<Pick<Entry, 'at' | 'offset' | 'event'>>): Promise<Usage> => {
  const total = tally()
  const organs = new Map<string, Tallied<{ organ: Slot }>>()
  const models = new Map<string, Tallied<{ provider: Provider | null; model: string }>>()
  const causes = new Map<string, Tallied<{ cause: CallCause }>>()
  const days = new Map<string, Tallied<{ day: string }>>()
  for await (const { at, offset, event } of calls) {
    if (!isIn('calls', event)) continue
    const { organ, provider, model, cause } = event
    const day = dayOf(at, offset)
    total.add(event)
    under(organs, organ, { organ }).add(event)
    under(models, `${provider}/${model}`, { provider, model }).add(event)
    under(causes, cause, { cause }).add(event)
    under(days, day, { day }).add(event)
  }
  return {
    total: total.sum(),
    organs: sums(organs).sort(dearest),
    models: sums(models).sort(dearest),
    causes: sums(causes).sort(dearest),
    days: sums(days).sort((one, other) => (one.day < other.day ? -1 : 1)),
  }
}

/** Of the calls of one turn. */
export const sumOf = (calls: readonly Call[]): Sum => {
  const total = tally()
  for (const call of calls) total.add(call)
  return total.sum()
}

/** Shown to the millionth of a dollar. */
export const shownUsd = (usd: number): number => Math.round(usd * 1e6) / 1e6

/** `YYYY-MM-DD` on the wall: `at` in epoch milliseconds, `offset` in minutes east of UTC. */
const dayOf = (at: number, offset: number): string =>
  new Date(at + offset * 60_000).toISOString().slice(0, 10)

interface Tally {
  add(call: Call): void
  sum(): Sum
}

const made = { image: 'images', character: 'characters', second: 'seconds' } as const

const tally = (): Tally => {
  const count = {
    ...{
      calls: 0,
      failed: 0,
      tries: 0,
      input: 0,
      output: 0,
      cached: 0,
      images: 0,
      characters: 0,
      seconds: 0,
      ms: 0,
      unpriced: 0,
    },
  }
  // Billionths of a dollar: whole numbers add up exactly, in whatever order.
  let nanos = 0
  let priced = false
  const dated = new Set<string>()
  return {
    add: (call) => {
      count.calls++
      count.tries += call.calls
      count.ms += call.ms
      if (call.type === 'ModelFailed') {
        count.failed++
        return
      }
      const { usage, price } = call
      count.input += usage.input ?? 0
      count.output += usage.output ?? 0
      count.cached += usage.cached ?? 0
      if (usage.made) count[made[usage.made.unit]] += usage.made.count
      if (!price) {
        count.unpriced++
        return
      }
      priced = true
      nanos += Math.round(price.usd * 1e9)
      dated.add(price.dated)
    },
    sum: () => ({
      ...count,
      seconds: Math.round(count.seconds * 1000) / 1000,
      usd: priced ? shownUsd(nanos / 1e9) : null,
      dated: [...dated].sort(),
    }),
  }
}

type Tallied<K> = Tally & { readonly of: K }

const under = <K>(tallies: Map<string, Tallied<K>>, name: string, of: K): Tallied<K> => {
  const known = tallies.get(name)
  if (known) return known
  const fresh = { ...tally(), of }
  tallies.set(name, fresh)
  return fresh
}

const sums = <K>(tallies: ReadonlyMap<string, Tallied<K>>): (K & Sum)[] =>
  [...tallies.values()].map(({ of, sum }) => ({ ...of, ...sum() }))

/** The dearest first, then what used most. */
const dearest = (one: Sum, other: Sum): number =>
  (other.usd ?? 0) - (one.usd ?? 0) ||
  other.input + other.output - one.input - one.output ||
  other.calls - one.calls
