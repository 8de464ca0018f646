/**
 * Talk that fails while the models are listed as ever, and while they are not: what was said is kept, the
 * person is told, and it is answered once when all is well.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/time/clock.ts'
import { until } from '../calls.ts'
import type { Fault } from '../stand-ins/faults.ts'
import { each, type Her, openProviderHouse, type ProviderHouse } from './provider-house.ts'

/**
 * Seen failing, each of the first ten rows, with a list of models that makes a Mind well: the message is
 * given up after three turns in two minutes, and the status stays `active`. The rows with a `Retry-After` and
 * those that stall: with a notice that comes when the pause or the limit is over.
 */
interface Row {
  readonly fault: Fault
  /** Its models are listed no more, either. */
  readonly whole?: true
  /** It will not get better by itself. */
  readonly lasting?: true
  /** It never answers: the seconds that somebody waits for that are shorter here. */
  readonly stalls?: true
}

const inAnHour = new Date(Date.parse('2026-11-23T10:15:00+01:00') + 3_600_000 * 24).toUTCString()
const rows: Readonly<Record<string, Row>> = {
  'overload, 503': { fault: { what: 'status', status: 503 } },
  'overload, 529': { fault: { what: 'status', status: 529 } },
  'no credit, 402': { fault: { what: 'status', status: 402 }, lasting: true },
  'no quota, 429': {
    fault: { what: 'status', status: 429, words: 'You exceeded your current quota, please check your plan.' },
  },
  'a key that is good for lists alone, 401': { fault: { what: 'status', status: 401 }, lasting: true },
  'a stream that ends too early': { fault: { what: 'cut', how: 'cleanly', after: 2 } },
  'a stream that is torn': { fault: { what: 'cut', how: 'hard', after: 2 } },
  'an error inside a stream': { fault: { what: 'error in stream', after: 2, words: 'Overloaded' } },
  'come back in an hour': { fault: { what: 'status', status: 429, retryAfter: 3600 } },
  'come back tomorrow, as a date': { fault: { what: 'status', status: 503, retryAfter: inAnHour } },
  'a good status and then nothing': { fault: { what: 'stall', after: 0 }, stalls: true },
  'words, and then nothing': { fault: { what: 'stall', after: 2 }, stalls: true },
  'everything fails, 503': { fault: { what: 'status', status: 503 }, whole: true },
}

const second = 1000
const minute = 60 * second
const answer = 'one two three four five'
const isNotice = (line: string) =>
  /^assistant: I cannot think right now: \S.* What you said is kept, and I will answer when my mind is back\.$/.test(
    line,
  )

/** How much faster waiting for a Mind goes here: only where it never answers anyway. */
let speed = 1
const { wait } = systemClock()
const stopwatch = { wait: (ms: number, signal?: AbortSignal) => wait(ms / speed, signal) }

let house: ProviderHouse
let hers: readonly Her[]
test.before(async () => {
  house = await openProviderHouse({
    answer: () => answer,
    stopwatch,
    settle: async () => {
      for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve))
    },
  })
  hers = await house.born(['compatible', 'anthropic', 'gemini', 'xai', 'ollama'])
})
test.after(() => house.close())

const statusOf = async ({ id }: Her): Promise<string> =>
  (await house.get('/api/personas')).body.personas.find((one: { id: string }) => one.id === id).status

const all = (what: string, test: (her: Her) => boolean | Promise<boolean>): Promise<void> =>
  each(hers, async (her) => void (await until(`${her.kind}: ${what}`, async () => test(her))))

const strikes = async ({ fault, whole, lasting, stalls }: Row): Promise<void> => {
  const normal = { ...house.bounds }
  const before = new Map<Her, number>()
  await each(hers, async (her) => void before.set(her, (await her.talk()).length))
  const talkOf = async (her: Her) => (await her.talk()).slice(before.get(her))
  const failures = new Map(hers.map((her) => [her, her.facts('OrganFailed').length]))
  if (stalls) {
    speed = 20
    Object.assign(house.bounds, { firstByte: second, silence: second })
  }
  try {
    for (const { host } of hers) {
      if (whole) host.strike(fault)
      else host.strikeTalk(fault)
    }
    await each(hers, (her) => her.tell('Are you there?'))
    const began = house.clock.now()
    await house.passing(
      all('the notice', async (her) => (await talkOf(her)).some(isNotice)),
      1,
    )
    assert.ok(house.clock.now() - began < 10 * second, 'nobody waits for nothing')
    await house.passing(
      all('the failure', (her) => her.facts('OrganFailed').length > (failures.get(her) ?? 0)),
      1,
    )
    if (lasting) await all('sickness at once', async (her) => (await statusOf(her)) === 'sick')
    await house.clock.advance(15 * second)
    house.clock.leap(3 * minute)
    await house.clock.advance(minute)
    await all('sickness', async (her) => (await statusOf(her)) === 'sick')
    await each(hers, (her) => her.tell('Still there?'))
    house.clock.leap(60 * minute)
    await house.clock.advance(2 * minute)

    await each(hers, (her) => her.tell('And now?'))
    await house.clock.advance(6 * second)
    for (const { host } of hers) host.strike(null)
    const answered = async (her: Her) => (await talkOf(her)).at(-1) === `assistant: ${answer}`
    await house.until(
      'all to answer',
      async () => (await Promise.all(hers.map(answered))).every(Boolean),
      5 * second,
    )
    await house.clock.advance(2 * minute)
    await each(hers, async (her) => {
      const talk = await talkOf(her)
      assert.equal(
        talk.filter((line) => !isNotice(line)),
        ['person: Are you there?', 'person: Still there?', 'person: And now?', `assistant: ${answer}`],
      )
      const notices = talk.filter(isNotice).length
      assert.ok(notices >= 1 && notices <= 3, `${notices} notices`)
      assert.is(await statusOf(her), 'active')
    })
  } finally {
    speed = 1
    Object.assign(house.bounds, normal)
    for (const { host } of hers) host.strike(null)
  }
}

for (const [name, row] of Object.entries(rows))
  test(`${name}: all that was said is kept and answered once`, () => strikes(row))

test.run()
