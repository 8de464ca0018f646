/** Prices of calls, from the built-in list and the home's own list. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Provider, type Usage } from '../../facts/fact-values.ts'
import type { Log } from '../../packages/kit/log.ts'
import { openPrices, type Priced, PriceList, type Prices } from '../../packages/models/prices.ts'
import { readConfig } from '../../src/config.ts'
import { temporary } from '../journal/engines.ts'

interface World {
  home: string
  prices: Prices
  readonly lines: { readonly level: string; readonly line: string }[]
  /** Writes the text as the home's price list. */
  write(text: string): Promise<void>
  own(models: object, dated?: string): Promise<void>
}

const lines: World['lines'] = []
const note = (level: string) => (fields: object, sentence: string) =>
  void lines.push({ level, line: `${sentence} ${JSON.stringify(fields)}` })
const log: Log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
const { urls } = readConfig({})

const test = suite<World>('prices', {
  home: '',
  prices: openPrices({ home: '/nowhere', urls, log }),
  lines: lines,
  write: async () => {},
  own: async () => {},
})

test.before.each(async (world) => {
  lines.length = 0
  world.home = await temporary()
  world.prices = openPrices({ home: world.home, urls, log })
  world.write = (text) => writeFile(join(world.home, 'prices.json'), text)
  world.own = (models, dated = '2026-12-01') =>
    world.write(JSON.stringify({ dated, currency: 'USD', models }))
})
test.after.each(({ home }) => rm(home, { recursive: true, force: true }))

const million = 1_000_000
const tokens = (input: number | null, output: number | null, cached: number | null = null): Usage => ({
  input,
  output,
  cached,
  made: null,
})
const makeUsage = (unit: 'image' | 'character' | 'second', count: number): Usage => ({
  ...tokens(null, null),
  made: { unit, count },
})
const call = (
  model: string,
  usage: Usage = tokens(million, million),
  provider: Priced['provider'] = 'openai',
  url: string | null = null,
) => ({
  provider,
  model,
  usage,
  url,
})
const usd = async ({ prices }: World, pricedCall: Priced): Promise<number | null> =>
  (await prices.getPrice(pricedCall))?.usd ?? null
const readPackagedPrices = async () =>
  JSON.parse(
    await readFile(join(import.meta.dirname, '..', '..', 'packages', 'models', 'prices.json'), 'utf8'),
  )

test('charges cached tokens and other input tokens at their own rates', async (world) => {
  await world.own({
    'openai/m': { input: 3, output: 15, cached: 0.3 },
    'openai/plain': { input: 3, output: 15 },
  })
  assert.is(await usd(world, call('m', tokens(million, 0))), 3)
  assert.is(await usd(world, call('m', tokens(million, 0, 400_000))), 1.92)
  assert.is(await usd(world, call('m', tokens(million, million, million))), 15.3)
  // A provider that reports more cached tokens than input tokens.
  assert.is(await usd(world, call('m', tokens(million, 0, 2 * million))), 0.3)
  assert.is(await usd(world, call('plain', tokens(million, 0, 400_000))), 3)
})

test('charges tokens written to a cache at their own rate', async (world) => {
  await world.own({
    'anthropic/m': { input: 4, output: 20, cached: 0.4, written: 5 },
    'anthropic/plain': { input: 4, output: 20, cached: 0.4 },
  })
  const price = (model: string, usage: Usage) => usd(world, call(model, usage, 'anthropic'))
  const usageTokens = { ...tokens(million, 0, 500_000), written: 400_000 }
  assert.is(await price('m', usageTokens), 0.4 + 0.2 + 2)
  assert.is(await price('plain', usageTokens), 0.4 + 0.2 + 1.6)
  // A provider that reports more of them than input tokens.
  assert.is(await price('m', { ...tokens(million, 0, 500_000), written: million }), 0.2 + 2.5)
})

test('charges cache writes of Anthropic at 1.25 times the price of input, in the shipped list', async () => {
  const { models } = PriceList.parse(await readPackagedPrices())
  const rows = Object.entries(models).filter(([name]) => name.startsWith('anthropic/'))
  assert.ok(rows.length > 10)
  for (const [name, rates] of rows)
    for (const { input = 0, written = 0 } of rates.long ? [rates, rates.long] : [rates])
      assert.ok(Math.abs(written - input * 1.25) < 1e-9, name)
})

test('rounds sums without floating point errors', async (world) => {
  await world.own({ 'openai/m': { input: 0.1, output: 0.2 } })
  assert.is(await usd(world, call('m')), 0.3)
  assert.is(await usd(world, call('m', tokens(7, 1))), 0.0000009)
})

test('charges images, characters and seconds, and also tokens if the list has both', async (world) => {
  await world.own({
    'openai/draw': { image: 0.04 },
    'openai/say': { million_characters: 15 },
    'openai/hear': { minute: 0.006 },
    'openai/both': { image: 0.039, input: 0.3 },
  })
  assert.is(await usd(world, call('draw', makeUsage('image', 2))), 0.08)
  assert.is(await usd(world, call('say', makeUsage('character', 1000))), 0.015)
  assert.is(await usd(world, call('hear', makeUsage('second', 90))), 0.009)
  assert.is(
    await usd(world, call('both', { ...tokens(million, 1290), made: { unit: 'image', count: 1 } })),
    0.339,
  )
  assert.is(await usd(world, call('both', makeUsage('image', 1))), 0.039)
  assert.is(await usd(world, call('draw', makeUsage('second', 2))), null)
})

test('returns no price without a token count', async (world) => {
  await world.own({ 'openai/m': { input: 3, output: 15 } })
  assert.is(await usd(world, call('m', tokens(null, null))), null)
  assert.is(await usd(world, call('m', tokens(10, null))), null)
  assert.is(await usd(world, call('m', tokens(null, 10))), null)
  assert.is(await usd(world, call('m', tokens(0, 0))), 0)
})

test("charges a prompt beyond the list's limit as a long one", async (world) => {
  await world.own({
    'openai/m': {
      input: 1,
      output: 5,
      cached: 0.1,
      long: { over: 100_000, input: 2, output: 10, cached: 0.2 },
    },
  })
  assert.is(await usd(world, call('m', tokens(100_000, 1000))), 0.105)
  assert.is(await usd(world, call('m', tokens(100_001, 0))), 0.200002)
  assert.is(await usd(world, call('m', tokens(200_000, 1000, 200_000))), 0.05)
})

test('charges a snapshot as its family unless it has its own price', async (world) => {
  await world.own({
    'openai/gpt-x': { input: 2, output: 0 },
    'openai/gpt-x-2024-05-13': { input: 5, output: 0 },
    'anthropic/claude-x': { input: 3, output: 0 },
    'gemini/gemini-x': { input: 4, output: 0 },
    'xai/grok-x': { input: 6, output: 0 },
  })
  const listPrices = async (provider: Provider, ...models: readonly string[]) =>
    Promise.all(models.map((model) => usd(world, call(model, tokens(million, 0), provider))))
  assert.equal(
    await listPrices('openai', 'gpt-x', 'gpt-x-2024-08-06', 'gpt-x-2024-05-13', 'gpt-x-0613'),
    [2, 2, 5, 2],
  )
  assert.equal(await listPrices('anthropic', 'claude-x-20250514', 'claude-x-latest'), [3, 3])
  assert.equal(await listPrices('gemini', 'gemini-x-001', 'models/gemini-x'), [4, 4])
  assert.equal(await listPrices('xai', 'grok-x-0709'), [6])
})

test('never charges a model at the price of a model whose name is only a prefix', async (world) => {
  await world.own({ 'openai/gpt-x': { input: 2, output: 0 } })
  for (const model of [
    'gpt-x-mini',
    'gpt-x-audio-preview',
    'gpt-x-mini-2024-08-06',
    'gpt',
    'GPT-X',
    '',
    'constructor',
    '__proto__',
  ])
    assert.is(await usd(world, call(model)), null, model)
})

test('returns no price for local models', async (world) => {
  await world.own({
    'openai/llama': { input: 1, output: 1 },
    'local/llama': { input: 1, output: 1 },
    'null/llama': { input: 1, output: 1 },
  })
  assert.is(await usd(world, call('llama', tokens(million, million), null)), null)
  assert.is(await usd(world, call('embedded/practice', tokens(million, million), null)), null)
})

test('returns no price for a model that is not listed', async (world) => {
  for (const provider of Provider.options)
    assert.is(await usd(world, call('nobody-knows-it', tokens(1, 1), provider)), null)
})

test('applies the built-in list only to the vendors’ own addresses', async (world) => {
  const sonnet = call('claude-sonnet-4-5', tokens(million, 0), 'anthropic')
  const mini = call('gpt-4o-mini', tokens(million, 0))
  assert.equal(await world.prices.getPrice(sonnet), { usd: 3, dated: (await readPackagedPrices()).dated })
  assert.is(await usd(world, { ...mini, url: 'https://api.openai.com/v1' }), 0.15)
  for (const url of [
    'http://localhost:1234/v1',
    'https://openrouter.ai/api/v1',
    'https://api.openai.com.example.org',
    'no address',
  ])
    assert.is(await usd(world, { ...mini, url }), null, url)
  assert.is(await usd(world, { ...sonnet, url: 'https://proxy.example.org' }), null)
  // A configured address is not a vendor's address, either.
  const movedPrices = openPrices({
    home: world.home,
    urls: readConfig({ OPENAI_BASE_URL: 'http://localhost:1234' }).urls,
    log,
  })
  assert.is(await movedPrices.getPrice(mini), null)
  assert.is((await movedPrices.getPrice({ ...mini, url: 'https://api.openai.com' }))?.usd, 0.15)
})

test('applies the home’s own list to any address', async (world) => {
  await world.own({ 'openai/gpt-4o-mini': { input: 1, output: 0 }, 'openai/qwen': { input: 0.5, output: 0 } })
  assert.is(await usd(world, call('qwen', tokens(million, 0), 'openai', 'http://localhost:1234/v1')), 0.5)
  assert.is(
    await usd(world, call('gpt-4o-mini', tokens(million, 0), 'openai', 'https://proxy.example.org')),
    1,
  )
})

test('prefers the home’s own list for each model, and returns the date of the list', async (world) => {
  assert.equal(await world.prices.dated(), { dated: (await readPackagedPrices()).dated, own: false })
  await world.own({ 'openai/gpt-4o-mini': { input: 1, output: 0 } }, '2026-12-24')
  assert.equal(await world.prices.getPrice(call('gpt-4o-mini', tokens(million, 0))), {
    usd: 1,
    dated: '2026-12-24',
  })
  assert.equal(await world.prices.getPrice(call('gpt-4o', tokens(million, 0))), {
    usd: 2.5,
    dated: (await readPackagedPrices()).dated,
  })
  assert.equal(await world.prices.dated(), { dated: '2026-12-24', own: true })
})

test('applies a new, changed or removed list from the next call on', async (world) => {
  const ask = () => usd(world, call('gpt-4o-mini', tokens(million, 0)))
  assert.is(await ask(), 0.15)
  await world.own({ 'openai/gpt-4o-mini': { input: 1, output: 0 } })
  assert.is(await ask(), 1)
  await world.own({ 'openai/gpt-4o-mini': { input: 2, output: 0 } })
  assert.is(await ask(), 2)
  await rm(join(world.home, 'prices.json'))
  assert.is(await ask(), 0.15)
  assert.equal(
    world.lines.map(({ level }) => level),
    ['info', 'info'],
  )
})

// Verified to fail if the file's timestamp is not kept on an error: every call then logs the error again.
test('logs a broken list once without its content, and uses the built-in list', async (world) => {
  const ask = () => usd(world, call('gpt-4o-mini', tokens(million, 0)))
  const secret = 'sk-0123456789'
  const entry = (rates: object) =>
    JSON.stringify({ dated: '2026-12-01', currency: 'USD', models: { 'openai/gpt-4o-mini': rates } })
  const brokenLists = [
    ...['', 'null', '[]', `{"${secret}`, `"${secret}"`, '{"dated":"2026-12-01"}', '\0\0\0\0'],
    ...[{ input: '1' }, { input: -1 }, { imput: 1 }, { input: null }, { image: [] }].map(entry),
    entry({ input: 1 }).replace('USD', 'EUR'),
    entry({ input: 1 }).replace('2026-12-01', 'yesterday'),
    entry({ input: 1 }).replace('"input":1', '"input":1e999'),
  ]
  for (const text of brokenLists) {
    world.lines.length = 0
    await world.write(text)
    assert.equal([await ask(), await ask(), await ask()], [0.15, 0.15, 0.15], text)
    assert.is(world.lines.length, 1, text)
    assert.is(world.lines[0]?.level, 'warn')
    assert.match(world.lines[0]?.line ?? '', /^prices\.json in the home cannot be used/)
    assert.not.match(world.lines[0]?.line ?? '', secret)
  }
  assert.equal((await world.prices.dated()).own, false)
  await world.own({ 'openai/gpt-4o-mini': { input: 1, output: 0 } })
  assert.is(await ask(), 1)
})

test('treats a folder in its place as a broken list', async (world) => {
  await mkdir(join(world.home, 'prices.json'))
  assert.is(await usd(world, call('gpt-4o-mini', tokens(million, 0))), 0.15)
  assert.match(world.lines[0]?.line ?? '', 'it is no file')
})

test('logs the position of a typo', async (world) => {
  await world.own({ 'openai/m': { imput: 1 } })
  await world.prices.dated()
  assert.match(world.lines[0]?.line ?? '', 'imput')
  assert.match(world.lines[0]?.line ?? '', 'openai/m')
})

test('accepts unknown fields and a byte order mark', async (world) => {
  const list = {
    dated: '2026-12-01',
    currency: 'USD',
    sources: ['my bill'],
    note: 'mine',
    models: { 'openai/m': { input: 1, output: 0 } },
  }
  await world.write(`\uFEFF${JSON.stringify(list)}`)
  assert.is(await usd(world, call('m', tokens(million, 0))), 1)
})

test('does not wait for a slow disk, and keeps the known prices', async (world) => {
  await world.own({ 'openai/m': { input: 1, output: 0 } })
  let timeOut = () => {}
  const time = new Promise<void>((resolve) => {
    timeOut = resolve
  })
  const stopwatch = { wait: () => time }
  const prices = openPrices({ home: world.home, urls, log, stopwatch })
  const ask = async () => (await prices.getPrice(call('m', tokens(million, 0))))?.usd
  assert.is(await ask(), 1)
  timeOut()
  await rm(join(world.home, 'prices.json'))
  assert.is(await ask(), 1)
  assert.is(await ask(), 1)
  assert.equal(world.lines.filter(({ level }) => level === 'warn').length, 1)
})

test('prices many concurrent calls equally', async (world) => {
  await world.own({ 'openai/m': { input: 1, output: 0 } })
  const all = await Promise.all(Array.from({ length: 50 }, () => usd(world, call('m', tokens(million, 0)))))
  assert.equal([...new Set(all)], [1])
})

test('compares the price of a model with others in one word', async (world) => {
  const { prices } = world
  const level = (provider: Priced['provider'], model: string, url: string | null = null) =>
    prices.getLevel({ provider, model, url })
  assert.is(await level('openai', 'gpt-5-nano-2025-08-07'), 'cheap')
  assert.is(await level('anthropic', 'claude-sonnet-5-5'), 'moderate')
  assert.is(await level('anthropic', 'claude-opus-5-5'), 'expensive')
  assert.is(await level('openai', 'gpt-of-nobody'), null)
  assert.is(await level('openai', 'whisper-1'), null, 'it has no token price')
  assert.is(await level('openai', 'gpt-5', 'https://openrouter.ai/api'), null)
  assert.is(await level(null, 'gpt-5'), null)
  await world.own({ 'openai/gpt-of-nobody': { input: 100, output: 200 } })
  assert.is(await level('openai', 'gpt-of-nobody'), 'expensive')
})

test('ships a valid list with known providers, plausible rates, sources and a date', async () => {
  const list = await readPackagedPrices()
  const { dated, models } = PriceList.parse(list)
  assert.ok(Date.parse(dated) < Date.now())
  assert.ok(list.sources.length >= 4)
  const providers = new Set(Object.keys(models).map((name) => name.split('/')[0]))
  assert.equal([...providers].sort(), [...Provider.options].sort())
  for (const [name, { input, output, cached, long }] of Object.entries(models)) {
    assert.match(name, /^[a-z]+\/[a-z0-9.-]+$/)
    if (input !== undefined) assert.ok(output !== undefined && output > input && (cached ?? 0) < input, name)
    if (long)
      assert.ok(
        (long.input ?? 0) > (input ?? 0) &&
          (long.output ?? 0) > (output ?? 0) &&
          (long.cached ?? 0) > (cached ?? 0),
        name,
      )
  }
})

test.run()
