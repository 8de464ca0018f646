/** GET …/usage: the model calls, their cost, and the daily limit. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { createHome, createModelAnswered, createModelFailed, createUsage } from '../create-journal.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { isValid, type Schema } from './schema.ts'
import { type Answer, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)

/**
 * A persona in Berlin with calls on the day before and after the clock change, on the day itself, and today.
 */
let pastDaemon: TestDaemon
let home: string
const opus = { provider: 'anthropic', model: 'opus' } as const

test.before(async () => {
  home = await createHome([
    { at: '2026-10-24T23:59:59+02:00', events: [createUsage(1)] },
    { at: '2026-10-25T00:00:00+02:00', events: [createUsage(10)] },
    { at: '2026-10-25T02:30:00+02:00', events: [createUsage(100)] },
    { at: '2026-10-25T02:30:00+01:00', events: [createUsage(1000)] },
    { at: '2026-10-25T23:59:59+01:00', events: [createUsage(10_000)] },
    { at: '2026-10-26T00:00:00+01:00', events: [createUsage(100_000)] },
    {
      at: '2026-11-23T09:00:00+01:00',
      events: [
        createModelAnswered({ ...opus, price: { usd: 0.1, dated: '2026-11-01' } }),
        createModelAnswered({ ...opus, price: { usd: 0.2, dated: '2026-11-02' } }),
      ],
    },
    { at: '2026-11-23T09:00:01+01:00', events: [createModelFailed({ cause: 'api' })] },
  ])
  await writeFile(join(home, 'prices.json'), '{"dated":"2026-12-01","currency":"USD","models":{}}')
  pastDaemon = await startDaemon({
    home,
    clock: createFakeClock('2026-11-23T15:00:00+01:00', 'Europe/Berlin'),
  })
})
test.after(async () => {
  await pastDaemon.close()
  await rm(home, { recursive: true })
})

const getUsage = async (query = ''): Promise<Answer[1]> => {
  const { status, body } = await call(pastDaemon.url, 'GET', `/api/persona/ada/usage${query}`)
  assert.is(status, 200, JSON.stringify(body))
  return body
}
const getInput = async (query: string): Promise<number> => (await getUsage(query)).total.input

test('sums everything without a range, with the dates of the price lists', async () => {
  const { total, causes, days, from, to, today, prices } = await getUsage()
  assert.equal(total, {
    calls: 9,
    failed: 1,
    tries: 11,
    input: 111_131,
    output: 4,
    cached: 0,
    written: 0,
    images: 0,
    characters: 0,
    seconds: 0,
    searches: 0,
    ms: 830,
    usd: 0.3,
    unpriced: 6,
    dated: ['2026-11-01', '2026-11-02'],
  })
  assert.equal(
    causes.map(({ cause, calls, usd, dated }: Record<string, unknown>) => [cause, calls, usd, dated]),
    [
      ['turn', 8, 0.3, ['2026-11-01', '2026-11-02']],
      ['api', 1, null, []],
    ],
  )
  assert.equal(
    days.map(({ day, input }: Record<string, unknown>) => [day, input]),
    [
      ['2026-10-24', 1],
      ['2026-10-25', 11_110],
      ['2026-10-26', 100_000],
      ['2026-11-23', 20],
    ],
  )
  assert.equal([from, to], [null, null])
  assert.equal(today, { tokens: 24, ceiling: null, anew: '2026-11-24T00:00:00.000+01:00' })
  assert.equal(prices, { dated: '2026-12-01', own: true })
})

test('uses local days, also one of 25 hours, without the end of the range', async () => {
  assert.is(await getInput('?from=2026-10-25&to=2026-10-26'), 11_110)
  assert.is(await getInput('?from=2026-10-24&to=2026-10-25'), 1)
  assert.is(await getInput('?to=2026-10-25'), 1)
  assert.is(await getInput('?from=2026-10-26'), 100_020)
  assert.equal((await getUsage('?from=2026-10-25&to=2026-10-26')).days.length, 1)
})

// Fails if a repeated hour is read as its second occurrence.
test('reads an instant with its offset, or without one as the first occurrence of that local time', async () => {
  assert.is(await getInput('?from=2026-10-25T02:30&to=2026-10-26'), 11_100)
  assert.is(await getInput(`?from=${encodeURIComponent('2026-10-25T02:30:00+01:00')}&to=2026-10-26`), 11_000)
  assert.is(await getInput('?from=2026-10-25T02:30:00+01:00&to=2026-10-26'), 11_000)
  assert.is(await getInput('?from=2026-10-25T01:30:00Z&to=2026-10-26'), 11_000)
  assert.is(await getInput('?from=2026-10-25T01:30:00.001Z&to=2026-10-26'), 10_000)
  assert.is(await getInput('?from=2026-10-24T17:30:00-0800&to=2026-10-26'), 11_000)
})

test('returns zeros for an inverted or an empty range', async () => {
  for (const query of [
    '?from=2026-10-26&to=2026-10-25',
    '?from=2026-10-25&to=2026-10-25',
    '?from=2027-01-01',
    '?to=1999-12-31',
  ]) {
    const { total, organs, models, causes, days, from } = await getUsage(query)
    assert.equal([total.calls, total.input, total.usd, total.dated], [0, 0, null, []], query)
    assert.equal([organs, models, causes, days], [[], [], [], []])
    assert.is(from, /from=([^&]*)/.exec(query)?.[1] ?? null)
  }
})

test('refuses an invalid date in either end', async () => {
  const wrong =
    '|yesterday|2026|2026-13-01|2026-02-30|2026-10-25T25:00|2026-10-25T10|10:00|2026-10-25 10:00|1767225600|2026-W01|٢٠٢٦-١٠-٢٥|2026-10-25T10:00+99:99'
  for (const text of wrong.split('|'))
    for (const end of ['from', 'to']) {
      const { status, body } = await call(
        pastDaemon.url,
        'GET',
        `/api/persona/ada/usage?${end}=${encodeURIComponent(text)}`,
      )
      assert.equal([status, body], [400, { detail: 'from and to must be ISO dates' }], `${end}=${text}`)
    }
})

test('returns 404 for a missing persona', async () => {
  assert.equal(await setup.get('/api/persona/nobody/usage'), unknownPersona)
  assert.equal(await setup.get('/api/persona/nobody/usage?from=never'), unknownPersona)
})

test('counts the model calls of a reply', async () => {
  const personaPath = await setup.home({ thinking_model: 'embedded/practice' })
  assert.is((await setup.get(`${personaPath}/usage`))[1].total.calls, 0)
  await setup.say(personaPath, 'hello')
  const [, { total, models, causes }] = await setup.get(`${personaPath}/usage`)
  assert.is(total.failed, 0)
  assert.ok(total.calls >= 1)
  assert.equal([models[0].provider, models[0].model, causes[0].cause], [null, 'embedded/practice', 'turn'])
})

test('returns bodies that match the API description', async () => {
  const [, { paths, components }] = await setup.get('/openapi.json')
  const operation = paths['/api/persona/{persona_id}/usage'].get
  const schema: Schema = operation.responses['200'].content['application/json'].schema
  assert.ok(isValid(schema, await getUsage(), components.schemas))
  assert.equal(Object.keys(operation.responses), ['200', '400', '403', '404', '422'])
})

test('replies without a model call at its daily limit and answers again the next day', async () => {
  const models = standIn()
  const clock = createFakeClock('2026-11-23T15:00:00+01:00', 'Europe/Berlin')
  const daemon = await startDaemon({ models, clock, env: { DAIMON_DAILY_TOKENS: '4' } })
  let thoughts = 0
  models.think = async () => void thoughts++
  try {
    const creation = await call(daemon.url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'llama',
    })
    const personaPath = `/api/persona/${creation.body.persona.id}`
    const ask = async (message: string) => {
      const { body } = await call(daemon.url, 'POST', `${personaPath}/read?wait=20`, { message })
      return String(body.reply?.content)
    }
    assert.equal([await ask('one'), await ask('two')], ['You said: one', 'You said: two'])
    const reply = await ask('three')
    for (const part of ['4 of the 4', 'DAIMON_DAILY_TOKENS', 'Tuesday 24 November']) assert.match(reply, part)
    assert.is(thoughts, 2)
    const { body } = await call(daemon.url, 'GET', `${personaPath}/usage`)
    assert.equal([body.today.tokens, body.today.ceiling], [4, 4])
    clock.setTime(Date.parse('2026-11-24T00:00:00+01:00'))
    assert.match(await ask('four'), /^You said: \(Tuesday 24 November 2026, 00:00.*\)\nfour$/)
    await waitFor(
      'the new day in the sums',
      async () => (await call(daemon.url, 'GET', `${personaPath}/usage`)).body.today.tokens === 2,
    )
  } finally {
    await daemon.close()
  }
})

test.run()
