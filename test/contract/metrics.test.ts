/** GET /metrics: everything that is counted since the start, without any personal text. */
import { readFile } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Tallies } from '../../facts/fact.ts'
import { getTraits, isFact, type PersonaEvent, personaVocabulary } from '../../facts/facts.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { emptyHead } from '../../journal/log/head.ts'
import { memoryStores } from '../../journal/log/memory-store.ts'
import { createBus, type PersonaCommit } from '../../src/bus.ts'
import { counters, durations, gauges } from '../../src/metrics/metric-table.ts'
import { createTallies } from '../../src/metrics/tallies.ts'
import { watchJournals } from '../../src/metrics/watched-journals.ts'
import { call, pause } from '../calls.ts'
import { createModelAnswered, createModelFailed } from '../create-journal.ts'
import { startDaemon } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { ask, silent } from '../http/try.ts'
import { born, draft, factsByType, renamed } from '../journal/facts.ts'
import { listenTo } from '../listener.ts'
import { shareSetup } from './setup.ts'

const setup = shareSetup(test)

interface Line {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const getText = async () => (await setup.send({ path: '/metrics' })).text

/** Parses the lines. Fails if one is not in the text format of Prometheus. */
const parseLines = (text: string): readonly Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', , within = '', value = ''] = /^(\w+)(\{(.*)\})? (\S+)$/.exec(line) ?? []
      assert.ok(name, line)
      const labels = [...within.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, labelValue]) => [
        key,
        labelValue,
      ])
      return { name, labels: Object.fromEntries(labels), value: Number(value) }
    })

const scrape = async () => createCounter(await getText())

/** Sums the values under a name and these labels. */
const createCounter = (text: string) => {
  const lines = parseLines(text)
  return (name: string, labels: Line['labels'] = {}): number =>
    lines
      .filter((line) => line.name === name)
      .filter((line) => Object.entries(labels).every(([key, value]) => line.labels[key] === value))
      .reduce((sum, { value }) => sum + value, 0)
}

test('returns Prometheus text that is not cached, with the versions of the daemon and of Node', async () => {
  const { status, headers, text } = await setup.send({ path: '/metrics' })
  assert.equal(
    [status, headers['content-type'], headers['cache-control']],
    [200, 'text/plain; version=0.0.4; charset=utf-8', 'no-store'],
  )
  assert.ok(text.includes(`daimon_build_info{version="0.1.0",node="${process.version}"} 1\n`))
  assert.ok(text.endsWith('\n'))
})

test('is protected by the guard: refuses other methods and a link from another site', async () => {
  const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
  assert.is((await setup.send({ path: '/metrics', headers: { Host: 'evil.test' } })).status, 403)
  assert.is((await setup.send({ path: '/metrics', headers: link })).status, 403)
  const { status, headers } = await setup.send({ path: '/metrics', method: 'POST' })
  assert.equal([status, headers.allow], [405, 'GET'])
})

test('lists every metric of the table with help and type, even without a value', async () => {
  const text = await getText()
  const listedTypes = [...text.matchAll(/^# TYPE (daimon_\w+) (\w+)$/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  )
  const rows = [
    ...[...Tallies, ...Object.keys(counters)].map((name) => `daimon_${name}_total counter`),
    ...Object.keys(durations).map((name) => `daimon_${name}_seconds histogram`),
    ...Object.entries(gauges).map(([name, { type = 'gauge' }]) => `daimon_${name} ${type}`),
  ]
  assert.equal(listedTypes, rows)
  for (const row of rows) assert.match(text, new RegExp(`^# HELP ${row.split(' ')[0]} [A-Z].+\\.$`, 'm'))
  for (const name of ['process_resident_memory_bytes', 'process_start_time_seconds'])
    assert.match(text, `# TYPE ${name} gauge\n`)
})

/**
 * Checks strictly: the text format of Prometheus, version 0.0.4, and values that are plausible for a young
 * process.
 */
const checkText = (text: string) => {
  const types = new Map<string, string>()
  const seenSeries = new Set<string>()
  const buckets = new Map<string, number>()
  assert.ok(text.endsWith('\n'))
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, kind, metric = '', words = ''] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? []
    if (kind === 'TYPE') {
      assert.match(words, /^(counter|gauge|histogram|summary)$/)
      assert.not.ok(types.has(metric), line)
      types.set(metric, words)
    }
    if (kind !== undefined) continue
    const [, name = '', , within = '', valueText = ''] =
      /^([a-zA-Z_:][\w:]*)(\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)+)\})? (\S+)$/.exec(line) ?? []
    const base = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
    const type = types.get(base) ?? ''
    assert.match(type, /^(counter|gauge|histogram|summary)$/, `no type before ${line}`)
    const series = `${name}{${within}}`
    assert.not.ok(seenSeries.has(series), `twice: ${series}`)
    seenSeries.add(series)
    assert.match(valueText, /^-?\d+(\.\d+)?(e[+-]?\d+)?$/, line)
    const value = Number(valueText)
    if (type !== 'gauge') assert.ok(value >= 0, line)
    if (/_seconds(_sum)?$/.test(name) && !name.includes('start_time'))
      assert.ok(value >= 0 && value < 3600, line)
    if (name.endsWith('_bytes')) assert.ok(value >= 0 && value < 2 ** 50, line)
    if (name === 'process_start_time_seconds') assert.ok(Math.abs(value - Date.now() / 1000) < 86_400, line)
    if (name.endsWith('_bucket')) {
      const row = `${name}{${within.replace(/le="[^"]*",?/, '').replace(/,$/, '')}}`
      assert.ok(value >= (buckets.get(row) ?? 0), `falls: ${line}`)
      buckets.set(row, value)
    }
    if (name.endsWith('_count') && type === 'histogram')
      assert.is(value, buckets.get(`${base}_bucket{${within}}`), line)
  }
}

// Fails with Node's event loop delays as the library exposes them: 9.2e9 s, and NaN.
test('returns valid and plausible text for the first, concurrent and later scrapes', async () => {
  const daemon = await startDaemon({ models: standIn() })
  const metrics = async () => (await ask(daemon.port, { path: '/metrics' })).text
  try {
    const first = await metrics()
    checkText(first)
    assert.not.match(first, /^nodejs_eventloop_lag_mean_seconds /m)
    for (const text of await Promise.all([metrics(), metrics(), metrics()])) checkText(text)
    await call(daemon.url, 'POST', '/api/persona/create', { name: 'Ada', thinking_model: 'llama' })
    for (let n = 0; n < 20; n++) checkText(await metrics())
    await pause(200)
    const laterText = await metrics()
    checkText(laterText)
    for (const name of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'])
      assert.match(laterText, new RegExp(`^nodejs_eventloop_lag_${name}_seconds \\d`, 'm'))
  } finally {
    await daemon.close()
  }
})

// Fails if the counters subscribe one second after the start.
test('counts a turn, its calls, facts and appends before the first scrape', async () => {
  const models = standIn()
  const daemon = await startDaemon({ models })
  try {
    const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'llama',
    })
    await call(daemon.url, 'POST', `/api/persona/${body.persona.id}/read?wait=20`, { message: 'hello' })
    const count = createCounter((await ask(daemon.port, { path: '/metrics' })).text)
    assert.is(count('daimon_turns_total', { outcome: 'answered' }), 1)
    assert.is(count('daimon_model_calls_total', { provider: 'local', organ: 'thinking', cause: 'turn' }), 1)
    assert.is(count('daimon_model_requests_total', { provider: 'local' }), 1)
    assert.ok(count('daimon_model_tokens_total', { organ: 'thinking', direction: 'input' }) > 0)
    assert.is(count('daimon_model_unpriced_calls_total', { provider: 'local' }), 1)
    assert.is(count('daimon_model_call_seconds_count', { provider: 'local' }), 1)
    for (const type of ['PersonaCreated', 'MessageHeard', 'TurnBegan', 'MessageSpoken', 'TurnEnded'])
      assert.is(count('daimon_facts_total', { type }), 1, type)
    assert.ok(count('daimon_append_seconds_count') >= 3)
    assert.ok(count('daimon_append_seconds_sum') > 0)
    assert.is(count('daimon_append_seconds_bucket', { le: '+Inf' }), count('daimon_append_seconds_count'))
    assert.is(count('daimon_append_failures_total'), 0)
    assert.is(count('daimon_http_responses_total', { status: '200' }), 2)
  } finally {
    await daemon.close()
  }
})

// Fails if failures are counted by their reason.
test('counts costs and failures by provider, organ and kind', () => {
  const bus = createBus()
  const tallies = createTallies({ bus, log: silent })
  const opus = { provider: 'anthropic', model: 'opus' } as const
  const commit = (event: PersonaEvent) => bus.publish({ entries: [{ event }] } as unknown as PersonaCommit)
  commit(createModelAnswered({ ...opus, price: { usd: 0.1, dated: '2026-11-01' } }))
  commit(createModelAnswered({ ...opus, price: { usd: 0.2, dated: '2026-11-01' } }))
  commit(createModelFailed({ ...opus, kind: 'barred' }))
  commit(createModelFailed({ ...opus, kind: 'unreachable' }))
  const { model_cost_dollars: modelCost, model_failures: failures } = tallies.counts
  assert.equal(modelCost.read(), [
    { labels: { provider: 'anthropic', organ: 'thinking' }, value: 300_000_000 },
  ])
  assert.equal(
    failures.read().map(({ labels, value }) => [labels.provider, labels.kind, value]),
    [
      ['anthropic', 'barred', 1],
      ['anthropic', 'unreachable', 1],
    ],
  )
})

// Fails if failed appends are counted among the others.
test('counts an append that the disk refuses as a failure', async () => {
  const journals = openPersonaJournals({ stores: memoryStores(), witness: async () => undefined })
  const tallies = createTallies({ bus: createBus(), log: silent })
  const watchedJournals = watchJournals(journals, tallies)
  const journal = await watchedJournals.create('ada', draft(born))
  await journal.append([draft(renamed('Eva'))], journal.head)
  let isRefused = false
  // The wrong head.
  await journal.append([draft(renamed('Mia'))], emptyHead).catch(() => (isRefused = true))
  assert.ok(isRefused)
  assert.is(tallies.counts.append_failures.read()[0]?.value, 1)
  assert.is(tallies.took.append.read()[0]?.count, 1)
  assert.is(tallies.open, 1)
  await journal.close()
  await journal.close()
  assert.is(tallies.open, 0)
})

test('sorts the buckets of a histogram up to its count', async () => {
  await setup.born()
  const lines = parseLines(await getText()).filter(({ name }) => name === 'daimon_append_seconds_bucket')
  const values = lines.map(({ value }) => value)
  assert.is(values.length, durations.append.bounds.length + 1)
  assert.equal(
    values,
    [...values].sort((a, b) => a - b),
  )
})

// Fails if a closed journal is not subtracted.
test('counts personas, running personas, sockets and open journals', async () => {
  const metricsBefore = await scrape()
  const id = await setup.born()
  const listener = await listenTo(setup.daemon.url, `/ws/${id}`)
  const current = await scrape()
  const getIncrease = (name: string, labels?: Line['labels']) =>
    current(name, labels) - metricsBefore(name, labels)
  assert.equal(
    ['daimon_personas', 'daimon_personas_running', 'daimon_personas_wanted', 'daimon_sockets'].map((name) =>
      getIncrease(name),
    ),
    [1, 1, 1, 1],
  )
  assert.is(getIncrease('daimon_personas', { status: 'active' }), 1)
  assert.ok(current('daimon_journals_open') >= 1 && current('daimon_http_connections') >= 1)
  assert.is(current('daimon_outbox_waiting'), 0)
  listener.leave()
  await setup.post(`/api/persona/${id}/stop`)
  const stoppedMetrics = await scrape()
  assert.is(stoppedMetrics('daimon_personas_running'), metricsBefore('daimon_personas_running'))
  await setup.post(`/api/persona/${id}/delete`)
  const afterDelete = await scrape()
  assert.is(afterDelete('daimon_personas'), metricsBefore('daimon_personas'))
  assert.is(afterDelete('daimon_journals_open'), current('daimon_journals_open') - 1)
})

test('contains no id, name, key or text of a user', async () => {
  const personaPath = await setup.home({
    name: 'Zuleika',
    thinking_model: 'sk-typed-into-the-wrong-field',
    thinking_api_key: 'sk-hidden',
  })
  await setup.say(personaPath, 'my password is xyzzy')
  const text = await getText()
  for (const secretText of ['Zuleika', 'sk-', 'xyzzy', personaPath.split('/').at(-1) ?? ''])
    assert.not.ok(text.includes(secretText), secretText)
})

test('counts facts only by fields with a fixed set of values', () => {
  for (const event of Object.values(factsByType)) {
    assert.ok(isFact(event.type))
    for (const field of getTraits(event.type).counted?.by ?? []) {
      const otherEvent = { ...event, [field]: 'whatever somebody writes' }
      assert.not.ok(personaVocabulary.read(otherEvent), `${event.type}.${field}`)
    }
  }
})

test('lists the same metrics in docs/reference/metrics.md', async () => {
  const docs = await readFile(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8')
  const documentedNames = [...docs.matchAll(/^\| `(daimon_\w+)` \| (?:counter|histogram|gauge) /gm)].map(
    ([, name]) => name,
  )
  const exportedNames = [...(await getText()).matchAll(/^# TYPE (daimon_\w+) /gm)].map(([, name]) => name)
  assert.equal(documentedNames.sort(), exportedNames.sort())
})

interface Panel {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly targets?: readonly { readonly expr: string }[]
  readonly gridPos: { readonly x: number; readonly w: number }
}

// Fails after a metric is renamed.
test('uses only existing metrics in the queries of the dashboard', async () => {
  await setup.say(await setup.home(), 'hello')
  await getText() // Node's event loop delays are included from the second scrape on.
  const text = await getText()
  const names = new Set(parseLines(text).map(({ name }) => name))
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const end of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) names.add(name + end)
  const dashboard = JSON.parse(
    await readFile(new URL('../../docs/reference/grafana-dashboard.json', import.meta.url), 'utf8'),
  )
  const panels: readonly Panel[] = dashboard.panels
  assert.is(new Set(panels.map(({ id }) => id)).size, panels.length)
  for (const { title, type, targets = [], gridPos } of panels) {
    assert.ok(gridPos.x + gridPos.w <= 24, title)
    assert.is(targets.length > 0, type !== 'row', title)
    for (const { expr } of targets) {
      const usedNames = expr.match(/\b(?:daimon|process|nodejs)_\w+/g) ?? []
      assert.ok(usedNames.length > 0, expr)
      for (const name of usedNames) assert.ok(names.has(name), `${title}: ${name}`)
    }
  }
  for (const { query } of dashboard.templating.list)
    assert.ok(query === 'prometheus' || /daimon_build_info/.test(query.query))
})

test.run()
