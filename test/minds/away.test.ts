/**
 * Talk that fails while the models are listed as ever, and while they are not: what was said is kept, the
 * person is told, and it is answered once when all is well.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { until } from '../calls.ts'
import { atOnce } from '../clock.ts'
import type { Fault } from '../stand-ins/faults.ts'
import { each, type Hosted, openProviderSetup, type ProviderSetup } from './provider-setup.ts'

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
  /^assistant: I cannot think right now: \S.* Your message is kept, and I will answer when my mind is back\.$/.test(
    line,
  )

/** How much faster waiting for a Mind goes here: only where it never answers anyway. */
let speed = 1
const { wait } = systemClock()
const stopwatch = { wait: (ms: number, signal?: AbortSignal) => wait(ms / speed, signal) }

let setup: ProviderSetup
let hosted: readonly Hosted[]
test.before(async () => {
  setup = await openProviderSetup({
    answer: () => answer,
    stopwatch,
    settle: atOnce,
  })
  hosted = await setup.born(['compatible', 'anthropic', 'gemini', 'xai', 'ollama'])
})
test.after(() => setup.close())

const statusOf = async ({ id }: Hosted): Promise<string> =>
  (await setup.get('/api/personas')).body.personas.find((one: { id: string }) => one.id === id).status

const all = (what: string, test: (ada: Hosted) => boolean | Promise<boolean>): Promise<void> =>
  each(hosted, async (ada) => void (await until(`${ada.kind}: ${what}`, async () => test(ada))))

const strikes = async ({ fault, whole, lasting, stalls }: Row): Promise<void> => {
  const normal = { ...setup.bounds }
  const before = new Map<Hosted, number>()
  await each(hosted, async (ada) => void before.set(ada, (await ada.talk()).length))
  const talkOf = async (ada: Hosted) => (await ada.talk()).slice(before.get(ada))
  const failures = new Map(hosted.map((ada) => [ada, ada.facts('OrganFailed').length]))
  if (stalls) {
    speed = 20
    Object.assign(setup.bounds, { firstByte: second, silence: second })
  }
  try {
    for (const { host } of hosted) {
      if (whole) host.strike(fault)
      else host.strikeTalk(fault)
    }
    await each(hosted, (ada) => ada.tell('Are you there?'))
    const began = setup.clock.now()
    await setup.passing(
      all('the notice', async (ada) => (await talkOf(ada)).some(isNotice)),
      1,
    )
    assert.ok(setup.clock.now() - began < 10 * second, 'nobody waits for nothing')
    await setup.passing(
      all('the failure', (ada) => ada.facts('OrganFailed').length > (failures.get(ada) ?? 0)),
      1,
    )
    if (lasting) await all('sickness at once', async (ada) => (await statusOf(ada)) === 'sick')
    await setup.clock.advance(15 * second)
    setup.clock.leap(3 * minute)
    await setup.clock.advance(minute)
    await all('sickness', async (ada) => (await statusOf(ada)) === 'sick')
    await each(hosted, (ada) => ada.tell('Still there?'))
    setup.clock.leap(60 * minute)
    await setup.clock.advance(2 * minute)

    await each(hosted, (ada) => ada.tell('And now?'))
    await setup.clock.advance(6 * second)
    for (const { host } of hosted) host.strike(null)
    const answered = async (ada: Hosted) => (await talkOf(ada)).at(-1) === `assistant: ${answer}`
    await setup.until(
      'all to answer',
      async () => (await Promise.all(hosted.map(answered))).every(Boolean),
      5 * second,
    )
    await setup.clock.advance(2 * minute)
    await each(hosted, async (ada) => {
      const talk = await talkOf(ada)
      assert.equal(
        talk.filter((line) => !isNotice(line)),
        ['person: Are you there?', 'person: Still there?', 'person: And now?', `assistant: ${answer}`],
      )
      const notices = talk.filter(isNotice).length
      assert.ok(notices >= 1 && notices <= 3, `${notices} notices`)
      assert.is(await statusOf(ada), 'active')
    })
  } finally {
    speed = 1
    Object.assign(setup.bounds, normal)
    for (const { host } of hosted) host.strike(null)
  }
}

for (const [name, row] of Object.entries(rows))
  test(`${name}: all that was said is kept and answered once`, () => strikes(row))

test.run()
