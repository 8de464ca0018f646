/**
 * What is counted and looked at, as Prometheus text: the library for it is loaded when it is first asked for.
 */
import type { Registry } from 'prom-client'
import { counters, durations, gauges, tallied, type Watched } from './metric-table.ts'
import type { Cell, Series, Spread } from './series.ts'
import type { Tallies } from './tallies.ts'

export interface Metrics {
  /** The text, and its media type. */
  told(): Promise<{ readonly text: string; readonly type: string }>
}

/** Without a name of its own it is told under the metric's. */
type Line = Cell & { readonly metricName?: string }

interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly lines: () => readonly Line[]
}

export const createMetrics = (tallies: Tallies, watched: Watched): Metrics => {
  let opening: Promise<Registry> | undefined
  // Two at once would read each other's delays of the event loop half reset: they get the same text.
  let scraping: Promise<string> | undefined
  return {
    told: async () => {
      opening ??= openRegistry(metricsOf(tallies, watched))
      const registry = await opening
      scraping ??= registry.metrics().finally(() => (scraping = undefined))
      return { text: await scraping, type: registry.contentType }
    },
  }
}

/** Those of the process and of Node are the library's own, under the names that dashboards know. */
const openRegistry = async (metrics: readonly Metric[]): Promise<Registry> => {
  const { default: library } = await import('prom-client')
  const registry = new library.Registry()
  for (const { name, help, type, lines } of metrics) {
    // What is counted lies with us, and is handed over whenever the library asks, of whatever type it is.
    const get = async () => ({ name, help, type, values: lines() })
    registry.registerMetric(Object.assign(new library.Gauge({ name, help, registers: [] }), { get }))
  }
  library.collectDefaultMetrics({ register: registry })
  leaveOutUnmeasured(registry)
  return registry
}

/**
 * Until Node has measured a delay of the event loop, right after the start and after each scrape, their
 * minimum is the largest 64-bit integer and their mean is not a number. None of them is exposed then.
 */
const leaveOutUnmeasured = (registry: Registry): void => {
  const lags = registry
    .getMetricsAsArray()
    .map(({ name }) => ({ name, metric: registry.getSingleMetric(name) as Readable }))
    .filter(({ name }) => /^nodejs_eventloop_lag_(?!seconds)/.test(name))
    .map(({ name, metric }) => ({ name, metric, get: metric.get.bind(metric) }))
  const least = lags.find(({ name }) => name === 'nodejs_eventloop_lag_min_seconds')
  const isMeasured = async () => (await least?.get())?.values.every(({ value }) => value <= maxLagSeconds)
  for (const { metric, get } of lags)
    metric.get = async () => ({ ...(await get()), ...((await isMeasured()) ? {} : { values: [] }) })
}

/** The largest value that Node's histogram of delays can hold: an hour. */
const maxLagSeconds = 3600

interface Readable {
  get: () => Promise<{ readonly values: readonly { readonly value: number }[] }>
}

const metricsOf = ({ counts, took }: Tallies, watched: Watched): readonly Metric[] => [
  ...entriesOf(tallied).map(([key, help]) => counter(key, { help }, counts[key])),
  ...entriesOf(counters).map(([key, row]) => counter(key, row, counts[key])),
  ...entriesOf(durations).map(([key, { help, bounds }]): Metric => {
    const name = `daimon_${key}_seconds`
    const lines = () => took[key].read().flatMap((spread) => linesOf(name, bounds, spread))
    return { name, help, type: 'histogram', lines }
  }),
  ...entriesOf(gauges).map(([key, { help, type, read }]): Metric => {
    const lines = () => {
      const found = read(watched)
      return typeof found === 'number' ? [{ labels: {}, value: found }] : found
    }
    return { name: `daimon_${key}`, help, type: type ?? 'gauge', lines }
  }),
]

/** What a row without a unit counts is told as it is. */
const counter = (
  key: string,
  { help, scale = 1 }: { readonly help: string; readonly scale?: number },
  series: Series,
): Metric => ({
  ...{ name: `daimon_${key}_total`, help, type: 'counter' },
  lines: () => series.read().map(({ labels, value }) => ({ labels, value: value * scale })),
})

const linesOf = (
  name: string,
  bounds: readonly number[],
  { labels, within, count, sum }: Spread,
): readonly Line[] => [
  ...bounds.map((bound, n) => ({
    ...{ metricName: `${name}_bucket`, labels: { ...labels, le: String(bound) } },
    value: within[n] ?? count,
  })),
  { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
  { metricName: `${name}_sum`, labels, value: sum },
  { metricName: `${name}_count`, labels, value: count },
]

const entriesOf = <T extends object>(rows: T) => Object.entries(rows) as [keyof T & string, T[keyof T]][]
