/**
 * Model calls that fail while the model list still works, and while it fails, too. Messages are kept, the
 * user is notified, and each message is answered once after recovery.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { waitFor } from '../calls.ts'
import { drainQueue } from '../clock.ts'
import type { Fault } from '../stand-ins/faults.ts'
import { forEachHost, type HostedPersona, openProviderSetup, type ProviderSetup } from './provider-setup.ts'

/**
 * Verified to fail for the first ten rows if a working model list marks the Mind as healthy: the message was
 * given up after three turns in two minutes, and the status stayed `active`. Verified to fail for the rows
 * with `Retry-After` and for stalls if the notice waits until the pause or the time limit is over.
 */
interface Row {
  readonly fault: Fault
  /** The model list fails, too. */
  readonly isWhole?: true
  /** The error is permanent until the user changes something. */
  readonly lasting?: true
  /** The model never answers. The time limits are shortened for these rows. */
  readonly stalls?: true
}

const inADay = new Date(Date.parse('2026-11-23T10:15:00+01:00') + 3_600_000 * 24).toUTCString()
const rows: Readonly<Record<string, Row>> = {
  'overload, 503': { fault: { what: 'status', status: 503 } },
  'overload, 529': { fault: { what: 'status', status: 529 } },
  'no credit, 402': { fault: { what: 'status', status: 402 }, lasting: true },
  'no quota, 429': {
    fault: { what: 'status', status: 429, words: 'You exceeded your current quota, please check your plan.' },
  },
  'a key that is valid only for model lists, 401': { fault: { what: 'status', status: 401 }, lasting: true },
  'a stream that ends too early': { fault: { what: 'cut', mode: 'cleanly', after: 2 } },
  'a stream whose connection breaks': { fault: { what: 'cut', mode: 'hard', after: 2 } },
  'an error inside a stream': { fault: { what: 'error in stream', after: 2, words: 'Overloaded' } },
  'Retry-After of an hour': { fault: { what: 'status', status: 429, retryAfter: 3600 } },
  'Retry-After of a day, as a date': { fault: { what: 'status', status: 503, retryAfter: inADay } },
  'status 200 without a body': { fault: { what: 'stall', after: 0 }, stalls: true },
  'a stream that stalls after some text': { fault: { what: 'stall', after: 2 }, stalls: true },
  'all calls fail, 503': { fault: { what: 'status', status: 503 }, isWhole: true },
}

const second = 1000
const minute = 60 * second
const answer = 'one two three four five'
const isNotice = (line: string) =>
  /^assistant: The model (?:does not answer: \S.*|has not answered for \d+ s\.) Your message is kept; the answer follows when the model is back\.$/.test(
    line,
  )

/** Speed factor of the stopwatch. Above 1 only for rows in which the model never answers. */
let speed = 1
const { wait } = systemClock()
const stopwatch = { wait: (ms: number, signal?: AbortSignal) => wait(ms / speed, signal) }

let setup: ProviderSetup
let allPersonas: readonly HostedPersona[]
/** The personas of the current row. */
let personas: readonly HostedPersona[]
test.before(async () => {
  setup = await openProviderSetup({
    answer: () => answer,
    stopwatch,
    settle: drainQueue,
  })
  allPersonas = await setup.born(['compatible', 'anthropic', 'gemini', 'xai', 'ollama'])
})
test.after(() => setup.close())

const getStatus = async ({ id }: HostedPersona): Promise<string> =>
  (await setup.get('/api/personas')).body.personas.find((persona: { id: string }) => persona.id === id).status

const untilAll = (event: string, test: (ada: HostedPersona) => boolean | Promise<boolean>): Promise<void> =>
  forEachHost(personas, async (ada) => void (await waitFor(`${ada.kind}: ${event}`, async () => test(ada))))

const checkRow = async ({ fault, isWhole, lasting, stalls }: Row): Promise<void> => {
  const normal = { ...setup.bounds }
  const requestsBefore = new Map<HostedPersona, number>()
  await forEachHost(personas, async (ada) => void requestsBefore.set(ada, (await ada.talk()).length))
  const getTalk = async (ada: HostedPersona) => (await ada.talk()).slice(requestsBefore.get(ada))
  const failures = new Map(personas.map((ada) => [ada, ada.facts('OrganFailed').length]))
  if (stalls) {
    speed = 20
    Object.assign(setup.bounds, { firstByte: second, silence: second })
  }
  const repair = () => {
    // A fast stopwatch also shortens the time in which a journal must be opened.
    speed = 1
    Object.assign(setup.bounds, normal)
    for (const { host } of personas) host.strike(null)
  }
  try {
    for (const { host } of personas) {
      if (isWhole) host.strike(fault)
      else host.strikeTalk(fault)
    }
    await forEachHost(personas, (ada) => ada.tell('Are you there?'))
    const startedAt = setup.clock.now()
    await setup.passing(
      untilAll('the notice', async (ada) => (await getTalk(ada)).some(isNotice)),
      1,
    )
    assert.ok(setup.clock.now() - startedAt < 10 * second, 'the notice came too late')
    await setup.passing(
      untilAll('the failure', (ada) => ada.facts('OrganFailed').length > (failures.get(ada) ?? 0)),
      1,
    )
    if (lasting) await untilAll('immediate sickness', async (ada) => (await getStatus(ada)) === 'sick')
    await setup.clock.advance(15 * second)
    setup.clock.leap(3 * minute)
    await setup.clock.advance(minute)
    await untilAll('sickness', async (ada) => (await getStatus(ada)) === 'sick')
    await forEachHost(personas, (ada) => ada.tell('Still there?'))
    setup.clock.leap(60 * minute)
    await setup.clock.advance(2 * minute)

    await forEachHost(personas, (ada) => ada.tell('And now?'))
    await setup.clock.advance(6 * second)
    repair()
    const isAnswered = async (ada: HostedPersona) => (await getTalk(ada)).at(-1) === `assistant: ${answer}`
    await setup.waitForEvent(
      'all to answer',
      async () => (await Promise.all(personas.map(isAnswered))).every(Boolean),
      5 * second,
    )
    await setup.clock.advance(2 * minute)
    await forEachHost(personas, async (ada) => {
      const talk = await getTalk(ada)
      assert.equal(
        talk.filter((line) => !isNotice(line)),
        ['person: Are you there?', 'person: Still there?', 'person: And now?', `assistant: ${answer}`],
      )
      const notices = talk.filter(isNotice).length
      assert.ok(notices >= 1 && notices <= 3, `${notices} notices`)
      assert.is(await getStatus(ada), 'active')
    })
  } finally {
    repair()
  }
}

for (const [n, [name, row]] of Object.entries(rows).entries())
  test(`${name}: keeps all messages and answers them once`, () => {
    // Two of the five providers for each row, and every provider for five of the rows.
    personas = allPersonas.filter((_, place) => place === n % 5 || place === (n + 2) % 5)
    return checkRow(row)
  })

test.run()
