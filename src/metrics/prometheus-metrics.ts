/** Exposes all metrics as Prometheus text. The library is loaded at the first scrape. */
import type { Registry } from 'prom-client'
import { counters, durations, gauges, type MetricSources, tallyNames } from './metric-table.ts'
import type { Cell, Series, Spread } from './series.ts'
import type { Tallies } from './tallies.ts'

export interface Metrics {
  /** Returns the text and its media type. */
  render(): Promise<{ readonly text: string; readonly type: string }>
}

/** `metricName` replaces the name of the metric, for the parts of a histogram. */
type Line = Cell & { readonly metricName?: string }

interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly lines: () => readonly Line[]
}

export const createMetrics = (tallies: Tallies, sources: MetricSources): Metrics => {
  let opening: Promise<Registry> | undefined
  // Concurrent scrapes share one result. A scrape resets the event loop delays, so a second one would read
  // partial values.
  let scrapeTask: Promise<string> | undefined
  return {
    render: async () => {
      opening ??= openRegistry(toMetrics(tallies, sources))
      const registry = await opening
      scrapeTask ??= registry.metrics().finally(() => (scrapeTask = undefined))
      return { text: await scrapeTask, type: registry.contentType }
    },
  }
}

/** The default metrics of the library cover the process and Node, under names that common dashboards use. */
const openRegistry = async (metrics: readonly Metric[]): Promise<Registry> => {
  const { default: library } = await import('prom-client')
  const registry = new library.Registry()
  for (const { name, help, type, lines } of metrics) {
    // The values are counted here, and the library reads them at each scrape. A library Gauge can carry any
    // type.
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
  const minLag = lags.find(({ name }) => name === 'nodejs_eventloop_lag_min_seconds')
  const isMeasured = async () => (await minLag?.get())?.values.every(({ value }) => value <= maxLagSeconds)
  for (const { metric, get } of lags)
    metric.get = async () => ({ ...(await get()), ...((await isMeasured()) ? {} : { values: [] }) })
}

/** The largest value of Node's delay histogram, in seconds. */
const maxLagSeconds = 3600

interface Readable {
  get: () => Promise<{ readonly values: readonly { readonly value: number }[] }>
}

const toMetrics = ({ counts, took }: Tallies, sources: MetricSources): readonly Metric[] => [
  ...toEntries(tallyNames).map(([key, help]) => counter(key, { help }, counts[key])),
  ...toEntries(counters).map(([key, row]) => counter(key, row, counts[key])),
  ...toEntries(durations).map(([key, { help, bounds }]): Metric => {
    const name = `daimon_${key}_seconds`
    const lines = () => took[key].read().flatMap((spread) => toLines(name, bounds, spread))
    return { name, help, type: 'histogram', lines }
  }),
  ...toEntries(gauges).map(([key, { help, type, read }]): Metric => {
    const lines = () => {
      const value = read(sources)
      return typeof value === 'number' ? [{ labels: {}, value }] : value
    }
    return { name: `daimon_${key}`, help, type: type ?? 'gauge', lines }
  }),
]

const counter = (
  key: string,
  { help, scale = 1 }: { readonly help: string; readonly scale?: number },
  series: Series,
): Metric => ({
  name: `daimon_${key}_total`,
  help,
  type: 'counter',
  lines: () => series.read().map(({ labels, value }) => ({ labels, value: value * scale })),
})

const toLines = (
  name: string,
  bounds: readonly number[],
  { labels, within, count, sum }: Spread,
): readonly Line[] => [
  ...bounds.map((bound, n) => ({
    metricName: `${name}_bucket`,
    labels: { ...labels, le: String(bound) },
    value: within[n] ?? count,
  })),
  { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
  { metricName: `${name}_sum`, labels, value: sum },
  { metricName: `${name}_count`, labels, value: count },
]

const toEntries = <T extends object>(rows: T) => Object.entries(rows) as [keyof T & string, T[keyof T]][]
