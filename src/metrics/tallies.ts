/** Counters that run from the start, independent of scrapes. */
import { type Tally, Tallies as tallyNames } from '../../facts/fact.ts'
import { getTraits, isIn, type PersonaEvent } from '../../facts/facts.ts'
import type { Log } from '../../packages/kit/log.ts'
import { type Charged, getCallCounts } from '../../projections/usage.ts'
import { type Bus, listen } from '../bus.ts'
import { getPlaceName } from '../health/marks.ts'
import { type CounterName, counters, type DurationName, durations } from './metric-table.ts'
import { createSeries, createSpreads, type Labels, type Series, type Spreads } from './series.ts'

export interface Tallies {
  readonly counts: Readonly<Record<Tally | CounterName, Series>>
  readonly took: Readonly<Record<DurationName, Spreads>>
  /** Number of open journals. */
  open: number
}

interface Deps {
  readonly bus: Pick<Bus, 'commits'>
  readonly log: Log
}

/** Subscribes to the commits for the lifetime of the bus. */
export const createTallies = ({ bus, log }: Deps): Tallies => {
  const tallies: Tallies = {
    counts: mapNames([...tallyNames, ...listNames(counters)], createSeries),
    took: mapNames(listNames(durations), (name) => createSpreads(durations[name].bounds)),
    open: 0,
  }
  // A counter without labels is exposed from the start.
  tallies.counts.append_failures.add({}, 0)
  listen(bus.commits, log, ({ entries }) => {
    for (const { event } of entries) countFact(tallies, event)
  })
  return tallies
}

const countFact = (tallies: Tallies, event: PersonaEvent): void => {
  const { counts } = tallies
  counts.facts.add({ type: event.type })
  const { counted } = getTraits(event.type)
  if (counted) counts[counted.as].add(toLabels(event, counted.by))
  if (isIn('calls', event)) countCall(tallies, event)
}

/** The fields in `by` have few possible values: strings or booleans. */
const toLabels = (event: PersonaEvent, labelNames: readonly string[]): Labels =>
  Object.fromEntries(labelNames.map((name) => [name, String(Reflect.get(event, name))]))

/** Model names are no labels, because users can enter any name. */
const countCall = ({ counts, took }: Tallies, call: Charged): void => {
  if (call.type === 'WebSearched') {
    const { provider, found } = call
    return counts.web_searches.add({ provider, outcome: found === null ? 'failed' : 'found' })
  }
  const { organ, cause } = call
  const provider = getPlaceName(call) ?? 'embedded'
  const count = getCallCounts(call)
  counts.model_calls.add({ provider, organ, cause })
  counts.model_requests.add({ provider }, count.tries)
  if (call.type === 'ModelFailed') return counts.model_failures.add({ provider, kind: call.kind })
  took.model_call.add({ provider }, call.ms / 1000)
  counts.model_tokens.add({ provider, organ, direction: 'input' }, count.input)
  counts.model_tokens.add({ provider, organ, direction: 'output' }, count.output)
  counts.model_cached_tokens.add({ provider, organ }, count.cached)
  counts.model_written_tokens.add({ provider, organ }, count.written)
  if (call.usage.made) counts.model_made.add({ provider, unit: call.usage.made.unit }, call.usage.made.count)
  if (count.priced) counts.model_cost_dollars.add({ provider, organ }, count.nanos)
  counts.model_unpriced_calls.add({ provider }, count.unpriced)
}

const listNames = <T extends object>(rows: T) => Object.keys(rows) as (keyof T & string)[]

const mapNames = <N extends string, T>(names: readonly N[], make: (name: N) => T): Record<N, T> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, T>
