/** One row for each metric. Labels never contain text of users. */
import type { Tally } from '../../facts/fact.ts'
import { Status } from '../../facts/fact-values.ts'
import { version } from '../../packages/kit/version.ts'
import type { DurabilityTold } from '../health/durability-watch.ts'
import type { Projections, ProjectionView } from '../health/projections.ts'
import type { RosterRow } from '../persona/persona-store.ts'
import type { SubscriptionState } from '../subscriptions/subscriptions.ts'
import type { Cell } from './series.ts'

/** Sources of the gauges, read at each scrape. */
export interface MetricSources {
  readonly personas: { all(): readonly RosterRow[] }
  readonly agents: { isRunning(id: string): boolean }
  /** Number of connected WebSockets. */
  readonly sockets: () => number
  readonly connections: () => number
  /** Number of messages that are not delivered yet. */
  readonly outbox: () => number
  readonly subscriptions: () => readonly SubscriptionState[]
  /** Number of open journals. */
  readonly journals: () => number
  /** Number of log lines that could not be written. */
  readonly droppedLogLines: () => number
  readonly projections: Pick<Projections, 'listKnown'>
  /** The last report of the cluster. Null without a cluster. */
  readonly durability: () => DurabilityTold | null
}

/** Facts that are counted by their fields. */
export const tallyNames: Readonly<Record<Tally, string>> = {
  turns: 'Ended turns, by outcome.',
  sleeps: 'Ended nights and naps, by outcome.',
  tool_calls: 'Tool calls within turns, by success.',
  files_perceived: 'Files that came with messages, by outcome.',
  organ_failures: 'Failures of organs, by slot.',
}

/** `scale`: factor from the counted unit to the exposed one. */
export const counters = {
  facts: { help: 'Facts written, by type.' },
  model_calls: { help: 'Model calls, by provider, organ and cause.' },
  model_requests: { help: 'Requests to providers for these calls, including retries.' },
  model_failures: { help: 'Failed model calls, by provider and kind.' },
  model_tokens: { help: 'Tokens of model calls as reported, by provider, organ and direction.' },
  model_cached_tokens: { help: 'Input tokens from the cache of a provider, included in model_tokens.' },
  model_written_tokens: {
    help: 'Input tokens written to the cache of a provider, included in model_tokens.',
  },
  model_made: { help: 'Results that are not billed by tokens, by unit.' },
  model_cost_dollars: {
    help: 'Cost in US dollars, by the price list at the time of each call.',
    scale: 1e-9,
  },
  model_unpriced_calls: { help: 'Model calls without a known price.' },
  web_searches: { help: 'Searches of the web, by provider and outcome.' },
  subscription_facts: { help: 'Facts for subscriptions of other programs, by outcome.' },
  append_failures: { help: 'Writes of facts that failed or whose result is in doubt.' },
  http_responses: { help: 'Sent HTTP responses, by status.' },
} as const satisfies Readonly<Record<string, { readonly help: string; readonly scale?: number }>>
export type CounterName = keyof typeof counters

/** Histograms in seconds, with the bounds of their buckets. */
export const durations = {
  append: {
    help: 'Time of a journal append, including the sync.',
    bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  },
  model_call: {
    help: 'Time of a model call, by provider.',
    bounds: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320],
  },
} as const satisfies Readonly<Record<string, { readonly help: string; readonly bounds: readonly number[] }>>
export type DurationName = keyof typeof durations

interface Gauge {
  readonly help: string
  /** Default: gauge. */
  readonly type?: 'counter'
  readonly read: (sources: MetricSources) => number | readonly Cell[]
}

/** Exposes no value without a cluster. */
const clusterGauge =
  (read: (report: DurabilityTold) => number) =>
  ({ durability }: MetricSources): readonly Cell[] => {
    const report = durability()
    return report ? [{ labels: {}, value: read(report) }] : []
  }

export const gauges: Readonly<Record<string, Gauge>> = {
  build_info: {
    help: 'Always 1; the version of the daemon and of Node.',
    read: () => [{ labels: { version, node: process.version }, value: 1 }],
  },
  personas: { help: 'Personas of this daemon, by status.', read: ({ personas }) => byStatus(personas.all()) },
  personas_running: {
    help: 'Personas with a running agent.',
    read: ({ personas, agents }) => personas.all().filter(({ self }) => agents.isRunning(self.id)).length,
  },
  personas_wanted: {
    help: 'Personas that should run.',
    read: ({ personas }) => personas.all().filter(({ self }) => self.wanted).length,
  },
  personas_unwritable: {
    help: 'Personas whose journal cannot be written, or not even read.',
    read: ({ personas }) => personas.all().filter(({ trouble }) => trouble !== null).length,
  },
  journals_open: { help: 'Open journals.', read: ({ journals }) => journals() },
  outbox_waiting: {
    help: 'Messages that wait for delivery to a platform.',
    read: ({ outbox }) => outbox(),
  },
  projection_lag: {
    help: 'Facts that open projections have not applied yet, by projection.',
    read: ({ projections }) => sumBy(projections.listKnown(), ({ lag }) => lag ?? 0),
  },
  projections_stale: {
    help: 'Open projections with a fact that could not be applied, by projection.',
    read: ({ projections }) => sumBy(projections.listKnown(), ({ state }) => Number(state === 'stale')),
  },
  subscription_lag_facts: {
    help: 'Facts after the positions of all subscriptions of other programs.',
    read: ({ subscriptions }) => subscriptions().reduce((sum, { behind }) => sum + behind, 0),
  },
  subscription_dead_letters: {
    help: 'Batches that a webhook never accepted.',
    read: ({ subscriptions }) =>
      subscriptions().reduce((sum, { subscription }) => sum + subscription.dead.length, 0),
  },
  cluster_replicas: {
    help: 'Servers of the cluster that store each commit.',
    read: clusterGauge(({ replicas }) => replicas),
  },
  cluster_replicas_current: {
    help: 'Replicas that are in sync with their leader.',
    read: clusterGauge(({ current }) => current),
  },
  cluster_as_asked: {
    help: 'Whether all streams of the cluster are configured as this daemon requires: 1 or 0.',
    read: clusterGauge(({ differs }) => (differs.length === 0 ? 1 : 0)),
  },
  cluster_answer_age_seconds: {
    help: 'Time since the last report of the cluster.',
    read: clusterGauge(({ age }) => age),
  },
  sockets: { help: 'Connected WebSockets.', read: ({ sockets }) => sockets() },
  http_connections: { help: 'Open HTTP connections.', read: ({ connections }) => connections() },
  log_lines_dropped_total: {
    help: 'Log lines that could not be written.',
    type: 'counter',
    read: ({ droppedLogLines }) => droppedLogLines(),
  },
}

const sumBy = (
  views: readonly ProjectionView[],
  toNumber: (view: ProjectionView) => number,
): readonly Cell[] => {
  const sums = new Map<string, number>()
  for (const view of views) sums.set(view.name, (sums.get(view.name) ?? 0) + toNumber(view))
  return [...sums].map(([projection, value]) => ({ labels: { projection }, value }))
}

const byStatus = (all: readonly RosterRow[]): readonly Cell[] => {
  const counts = new Map<string, number>(Status.options.map((status) => [status, 0]))
  for (const { self } of all) counts.set(self.status, (counts.get(self.status) ?? 0) + 1)
  return [...counts].map(([status, value]) => ({ labels: { status }, value }))
}
