/** What is told to whoever watches the daemon: a row for each metric. Labels never hold anybody's words. */
import type { Tally } from '../../journal/facts/fact.ts'
import { Status } from '../../journal/facts/fact-values.ts'
import { version } from '../../packages/kit/version.ts'
import type { DurabilityTold } from '../health/durability-watch.ts'
import type { Listed } from '../persona/persona-store.ts'
import type { Cell } from './series.ts'

/** What is looked at when it is asked for. */
export interface Watched {
  readonly personas: { all(): readonly Listed[] }
  readonly agents: { running(id: string): boolean }
  /** Sockets of clients that are connected. */
  readonly sockets: () => number
  readonly connections: () => number
  /** Messages that wait for being sent. */
  readonly outbox: () => number
  /** Journals that are open. */
  readonly journals: () => number
  /** Lines of the log that could not be written. */
  readonly droppedLogLines: () => number
  /** How lasting the cluster is, as it told last; null where there is none. */
  readonly durability: () => DurabilityTold | null
}

/** Facts that are counted by their fields. */
export const tallied: Readonly<Record<Tally, string>> = {
  turns: 'Turns that ended, by outcome.',
  sleeps: 'Nights and naps that ended, by outcome.',
  tool_calls: 'Tools that were called within turns, by whether they could do it.',
  files_perceived: 'Files that came with messages, by what became of them.',
  organ_failures: 'Organs that stopped working, by slot.',
}

/** `scale`: what is counted, in the unit that is told. */
export const counters = {
  facts: { help: 'Facts written, by type.' },
  model_calls: { help: 'What models were asked, by provider, organ and cause.' },
  model_requests: { help: 'How often providers were called for that, tries included.' },
  model_failures: { help: 'What models were asked and did not answer, by provider and kind.' },
  model_tokens: { help: 'Tokens of models that were told, by provider, organ and direction.' },
  model_cached_tokens: { help: 'Input tokens that came from the cache of a provider; among the others too.' },
  model_made: { help: 'What is charged by something else than tokens, by unit.' },
  model_cost_dollars: { help: 'US dollars by the price list at the time of each call.', scale: 1e-9 },
  model_unpriced_calls: { help: 'Answers that have no price on the list.' },
  append_failures: { help: 'Writes of facts that the disk refused or left in doubt.' },
  http_responses: { help: 'HTTP responses that were sent, by status.' },
} as const satisfies Readonly<Record<string, { readonly help: string; readonly scale?: number }>>
export type CounterName = keyof typeof counters

/** Seconds, and what they are told by. */
export const durations = {
  append: {
    help: 'Time from handing facts to the journal until they are synced.',
    bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  },
  model_call: {
    help: 'Time a model took to answer, by provider.',
    bounds: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320],
  },
} as const satisfies Readonly<Record<string, { readonly help: string; readonly bounds: readonly number[] }>>
export type DurationName = keyof typeof durations

interface Gauge {
  readonly help: string
  /** A gauge by default. */
  readonly type?: 'counter'
  readonly read: (watched: Watched) => number | readonly Cell[]
}

/** Nothing is told of it where there is none. */
const ofCluster =
  (read: (told: DurabilityTold) => number) =>
  ({ durability }: Watched): readonly Cell[] => {
    const told = durability()
    return told ? [{ labels: {}, value: read(told) }] : []
  }

export const gauges: Readonly<Record<string, Gauge>> = {
  build_info: {
    help: 'Always 1; the version of the daemon and of Node.',
    read: () => [{ labels: { version, node: process.version }, value: 1 }],
  },
  personas: { help: 'Personas that live here, by status.', read: ({ personas }) => byStatus(personas.all()) },
  personas_running: {
    help: 'Personas that are served by an agent.',
    read: ({ personas, agents }) => personas.all().filter(({ self }) => agents.running(self.id)).length,
  },
  personas_wanted: {
    help: 'Personas that were asked to run.',
    read: ({ personas }) => personas.all().filter(({ self }) => self.wanted).length,
  },
  personas_unwritable: {
    help: 'Personas whose journal can only be read, or not even that.',
    read: ({ personas }) => personas.all().filter(({ trouble }) => trouble !== null).length,
  },
  journals_open: { help: 'Journals that are open.', read: ({ journals }) => journals() },
  outbox_waiting: {
    help: 'Messages known to wait for a platform to take them.',
    read: ({ outbox }) => outbox(),
  },
  cluster_replicas: {
    help: 'Servers of the cluster that keep each commit.',
    read: ofCluster(({ replicas }) => replicas),
  },
  cluster_replicas_current: {
    help: 'Of those, the ones that follow their leader now.',
    read: ofCluster(({ current }) => current),
  },
  cluster_as_asked: {
    help: 'Whether all streams of the cluster are as this daemon asks for them: 1 or 0.',
    read: ofCluster(({ differs }) => (differs.length === 0 ? 1 : 0)),
  },
  cluster_answer_age_seconds: {
    help: 'Time since the servers of the cluster told that.',
    read: ofCluster(({ age }) => age),
  },
  sockets: { help: 'WebSockets that are connected.', read: ({ sockets }) => sockets() },
  http_connections: { help: 'HTTP connections that are open.', read: ({ connections }) => connections() },
  log_lines_dropped_total: {
    help: 'Lines of the log that could not be written.',
    type: 'counter',
    read: ({ droppedLogLines }) => droppedLogLines(),
  },
}

const byStatus = (all: readonly Listed[]): readonly Cell[] => {
  const counts = new Map<string, number>(Status.options.map((status) => [status, 0]))
  for (const { self } of all) counts.set(self.status, (counts.get(self.status) ?? 0) + 1)
  return [...counts].map(([status, value]) => ({ labels: { status }, value }))
}
