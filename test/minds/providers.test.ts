/**
 * Provider faults, through the whole daemon: the number of calls, the notices to the user, and that no
 * message is lost.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { calm } from '../models/cloud-stage.ts'
import { createElsewhere, type Fault } from '../stand-ins/faults.ts'
import { clouds, type Kind, keyOf, kinds, otherKeyOf } from './hosts.ts'
import {
  each,
  type Hosted,
  openProviderSetup,
  type ProviderSetup,
  type SetupOptions,
  secretWord,
  within,
} from './provider-setup.ts'

/**
 * Verified to fail in these cases: four calls; an extra call after the last; calls that are not counted;
 * `Retry-After` ignored or unlimited; pauses that do not grow or ignore a stop; a wrong key is retried;
 * redirects are followed; a redirect or an unreachable model consumes the messages; the Mind is not marked as
 * failed; a new attempt does not restart the streamed text; answers of unlimited size; keys in a provider's
 * error text are not redacted.
 */
const answer = 'one two three four five'
const inSetup = (play: (setup: ProviderSetup) => Promise<void>, options: SetupOptions = {}): Promise<void> =>
  within({ answer: () => answer, ...options }, play)

interface Row {
  /** Null if the host is offline. */
  readonly fault: Fault | null
  readonly at: readonly Kind[]
  /** Number of calls that fail. Default: all. */
  readonly times?: number
  /** Number of calls to the provider per message. */
  readonly calls: number
  /** Result of the turn: an answer, or the kind of failure. */
  readonly comes: 'an answer' | 'unreachable' | 'barred' | 'refused'
  readonly says?: RegExp
  /** Number of times the streamed text starts, if it is deterministic. */
  readonly begun?: number
  /** Min duration of the turn in ms. */
  readonly waits?: number
  /** Network limits that end the call. */
  readonly limits?: Partial<ProviderSetup['bounds']>
}

const shortLimits = { firstByte: 400, silence: 300, whole: 700 }
const small = { size: 64 * 1024 }
const timeoutPattern = /no answer came within 0\.4 s|it fell silent for 0\.3 s|took longer than 0\.7 s/
const serverError = { what: 'status', status: 500 } as const
const busy = { what: 'status', status: 429 } as const

const rows: Readonly<Record<string, Row>> = {
  'an offline host': {
    fault: null,
    at: ['compatible', 'ollama'],
    calls: 3,
    comes: 'unreachable',
    says: /nothing answers there/,
  },
  'a connection that is reset': {
    fault: { what: 'reset' },
    at: ['openai', 'gemini'],
    calls: 3,
    comes: 'unreachable',
    says: /the connection was cut/,
  },
  'status 200 without a body': {
    fault: { what: 'stall', after: 0 },
    at: ['anthropic', 'openai'],
    calls: 3,
    comes: 'unreachable',
    says: timeoutPattern,
    limits: shortLimits,
  },
  'an answer that stalls': {
    fault: { what: 'stall', after: 4 },
    at: ['xai', 'ollama'],
    calls: 3,
    comes: 'unreachable',
    says: timeoutPattern,
    limits: shortLimits,
  },
  'an answer that arrives too slowly': {
    fault: { what: 'drip', bytes: 1, every: 50 },
    at: ['anthropic', 'compatible'],
    calls: 3,
    comes: 'unreachable',
    says: timeoutPattern,
    limits: shortLimits,
  },
  'too many calls, Retry-After of 7 s': {
    fault: { ...busy, retryAfter: 7 },
    at: ['gemini', 'xai', 'ollama'],
    calls: 2,
    comes: 'unreachable',
    says: /too busy .*429/,
    waits: 7000,
  },
  'too many calls': {
    fault: busy,
    at: ['anthropic', 'compatible'],
    calls: 3,
    comes: 'unreachable',
    says: /too busy .*429/,
  },
  'a provider that fails, and quotes the key': {
    fault: { ...serverError, words: 'Your key KEY (Bearer KEY) is fine.' },
    at: kinds,
    calls: 3,
    comes: 'unreachable',
    says: /failed \(500.*\*\*\*/,
  },
  'endless text': {
    fault: { what: 'endless' },
    at: ['openai', 'gemini'],
    calls: 1,
    comes: 'refused',
    says: /longer than .* Ask for less/,
    limits: small,
  },
  'an endless compressed answer': {
    fault: { what: 'bomb' },
    at: ['anthropic', 'xai'],
    calls: 1,
    comes: 'refused',
    says: /longer than .* Ask for less/,
    limits: small,
  },
  'an answer that is not JSON': {
    fault: { what: 'garbled' },
    at: ['anthropic', 'gemini'],
    calls: 2,
    comes: 'unreachable',
    says: /cannot be read\. Check the address/,
  },
  'a captive portal page': {
    fault: { what: 'page' },
    at: ['openai', 'xai'],
    calls: 2,
    comes: 'unreachable',
    says: /cannot be read\. Check the address/,
  },
  'JSON of another form': {
    fault: { what: 'answer', json: { hello: 'world' } },
    at: ['gemini', 'compatible'],
    calls: 2,
    comes: 'unreachable',
    says: /cannot be read|broke off/,
  },
  'a stream that ends too early, twice': {
    fault: { what: 'cut', how: 'cleanly', after: 4 },
    at: ['anthropic', 'ollama'],
    calls: 2,
    comes: 'unreachable',
    says: /broke off its answer/,
    begun: 1,
  },
  'a stream whose connection breaks': {
    fault: { what: 'cut', how: 'hard', after: 4 },
    at: ['gemini', 'xai'],
    calls: 3,
    comes: 'unreachable',
    says: /the connection was cut/,
  },
  'an error inside a stream': {
    fault: { what: 'error in stream', after: 4, words: 'Overloaded. Your key KEY is fine.' },
    at: kinds,
    calls: 3,
    comes: 'unreachable',
    says: /Overloaded/,
    begun: 3,
  },
  'a provider that fails twice': {
    fault: serverError,
    at: ['gemini', 'compatible'],
    times: 2,
    calls: 3,
    comes: 'an answer',
    begun: 1,
  },
  'a provider that is busy once': {
    fault: { ...busy, retryAfter: 7 },
    at: ['openai', 'ollama'],
    times: 1,
    calls: 2,
    comes: 'an answer',
    waits: 7000,
  },
  'an error in its first stream': {
    fault: { what: 'error in stream', after: 4, words: 'Overloaded' },
    at: ['anthropic', 'xai'],
    times: 1,
    calls: 2,
    comes: 'an answer',
    begun: 2,
  },
  'a stream that ends too early once': {
    fault: { what: 'cut', how: 'cleanly', after: 4 },
    at: ['openai', 'gemini'],
    times: 1,
    calls: 2,
    comes: 'an answer',
    begun: 1,
  },
  'a complete answer instead of a stream': {
    fault: { what: 'whole' },
    at: ['anthropic', 'compatible'],
    calls: 1,
    comes: 'an answer',
    begun: 1,
  },
}

const noTurn = { outcome: 'none', words: [], begun: 0, lasted: 0 }
const outcomes = {
  'an answer': 'answered',
  unreachable: 'unreachable',
  barred: 'unreachable',
  refused: 'refused',
} as const
const first = `Are you there, ${secretWord}?`

/**
 * Injects the fault, checks calls, notices and facts, removes the fault and checks the recovery. Restores the
 * daemon even if a check fails.
 */
const checkRow = async (setup: ProviderSetup, row: Row): Promise<void> => {
  const personas = await setup.born(row.at)
  try {
    await checkFault(setup, row, personas)
  } catch (error) {
    await repair(setup, row, personas).catch(() => undefined)
    throw error
  } finally {
    await each(personas, async (persona) => void (await persona.post('stop')))
  }
}

const repair = async (setup: ProviderSetup, row: Row, personas: readonly Hosted[]): Promise<void> => {
  for (const { host } of personas) await (row.fault ? host.strike(null) : host.comeBack())
  Object.assign(setup.bounds, calm)
}

const checkFault = async (setup: ProviderSetup, row: Row, personas: readonly Hosted[]): Promise<void> => {
  const before = new Map(personas.map(({ id, host }) => [id, host.asked().length]))
  const countRequests = ({ id, host }: Hosted) => host.asked().length - (before.get(id) ?? 0)
  Object.assign(setup.bounds, row.limits)
  for (const { host } of personas)
    await (row.fault ? host.strike(insertKey(row.fault, host.kind), row.times) : host.leave())
  const turns = new Map<string, Awaited<ReturnType<Hosted['say']>>>()
  await setup.passing(
    each(personas, async (persona) => void turns.set(persona.id, await persona.say(first))),
    // Small steps if the row does not wait: a heartbeat would probe the endpoint of personas that have
    // already failed. Larger steps otherwise, since each call takes real time and the first retries need
    // their time limit.
    row.waits ? 100 : 1,
  )

  const notices = new Map<string, string>()
  await each(personas, async (persona) => {
    assert.is(countRequests(persona), row.fault ? row.calls : 0, 'number of calls to the provider')
    const { outcome, words, begun, lasted } = turns.get(persona.id) ?? noTurn
    assert.equal([outcome, words.length], [outcomes[row.comes], 1], words.join('\n'))
    notices.set(persona.id, String(words[0]))
    if (row.comes === 'an answer') assert.is(words[0], answer)
    else assertPlain(persona, String(words[0]), row)
    if (row.begun !== undefined) assert.is(begun, row.begun, 'number of starts of the text')
    assert.ok(lasted >= (row.waits ?? 0), `it took only ${lasted} ms`)
    await waitFor('every connection to close', () => persona.host.open() === 0)
    assertFacts(persona, row)
  })
  const { body } = await setup.get('/api/personas')
  // Permanent errors make the persona sick immediately. It still receives messages.
  const expected = row.comes === 'barred' ? 'sick' : 'active'
  const awake = body.personas.filter(
    ({ status, running }: { status: string; running: boolean }) => status === expected && running,
  )
  assert.is(awake.length, personas.length)

  await repair(setup, row, personas)
  const isKept = row.comes === 'unreachable' || row.comes === 'barred'
  const counts = new Map(personas.map((persona) => [persona.id, countRequests(persona)]))
  if (isKept) await setup.until('all to answer', () => personas.every(isAnswered))
  await setup.passing(
    each(personas, async (persona) => assert.equal((await persona.say('And now?')).words, [answer])),
  )
  await each(personas, async (persona) => {
    const lateAnswer = isKept ? [`assistant: ${answer}`] : []
    const conversation = [
      `person: ${first}`,
      `assistant: ${notices.get(persona.id)}`,
      ...lateAnswer,
      'person: And now?',
      `assistant: ${answer}`,
    ]
    assert.equal(await persona.talk(), conversation)
    assert.is(
      countRequests(persona) - (counts.get(persona.id) ?? 0),
      isKept ? 2 : 1,
      'one call for each message after the repair',
    )
  })
}

/** Inserts the real key into the provider's error text. */
const insertKey = (fault: Fault, kind: Kind): Fault =>
  'words' in fault && fault.words ? { ...fault, words: fault.words.replaceAll('KEY', keyOf(kind)) } : fault

const isAnswered = ({ listener }: Hosted): boolean =>
  listener.frames.some(({ type, content }) => type === 'chat_message' && content === answer)

/** Checks that a notice is one line with the address and advice, without internal details. */
const assertPlain = ({ host }: Hosted, words: string, { comes, says }: Row): void => {
  const form =
    comes === 'refused'
      ? /^The model did not answer this: \S.*\.$/
      : /^The model does not answer: \S.*\. Your message is kept; the answer follows when the model is back\.$/
  assert.match(words, form)
  assert.ok(words.includes(host.address), words)
  assert.not.match(words, /undefined|null|Error|AI_|[{}\n]|secret/)
  assert.ok(words.length < 700, words)
  if (says) assert.match(words, says)
}

const assertFacts = (persona: Hosted, { comes, calls }: Row): void => {
  const failed = persona.facts('ModelFailed').map(({ kind, calls, reason }) => [kind, calls, reason])
  const [organ] = persona.facts('OrganFailed')
  const [modelAnswer] = persona.facts('ModelAnswered')
  if (comes === 'an answer')
    return assert.equal([modelAnswer?.calls, failed.length, organ], [calls, 0, undefined])
  const reason = persona.facts('TurnEnded')[0]?.reason
  assert.equal(failed, [[comes, calls, reason]])
  assert.equal(organ, comes === 'refused' ? undefined : { slot: 'thinking', reason })
}

/** One daemon for all rows. */
let setup: ProviderSetup
test.before(async () => {
  setup = await openProviderSetup({ answer: () => answer })
})

for (const [name, row] of Object.entries(rows))
  test(`${name}: ${row.calls} calls, ${row.comes}`, () => checkRow(setup, row))

test('calls a host that redirects once, and sends neither key nor text to the new address', async () => {
  const otherServer = await createElsewhere()
  const fault = { what: 'redirect', to: otherServer.url } as const
  const row: Row = {
    fault,
    at: kinds,
    calls: 1,
    comes: 'barred',
    says: /sends the call elsewhere.*Check the address/,
  }
  await checkRow(setup, row).finally(() => void otherServer.close())
  assert.equal(otherServer.seen, [])
})

test('leaves no key in replies, logs and files after all rows', () => setup.close())

// Verified to fail if the daemon waits a minute twice: a pause that long needs a notice. The clock does not
// move here.
test('notifies the user immediately if Retry-After exceeds a few seconds', () =>
  inSetup(async (setup) => {
    const personas = await setup.born(['anthropic', 'gemini', 'ollama'])
    for (const { host } of personas) host.strike({ ...busy, retryAfter: 10 })
    await each(personas, async (persona) => assert.is((await persona.say('Hello')).outcome, 'unreachable'))
  }))

test('stop ends the pause before a retry, and the next start answers the message', () =>
  inSetup(async (setup) => {
    const personas = await setup.born(['anthropic', 'ollama'])
    await each(personas, async (persona) => {
      const before = persona.host.asked().length
      persona.host.strike({ ...busy, retryAfter: 6 }, 1)
      await persona.tell(first)
      await waitFor('the first try', () => persona.host.asked().length > before && persona.host.open() === 0)
      // The clock does not move, so only the stop can end the pause.
      assert.equal((await persona.post('stop')).body, { status: 'stopped' })
      assert.equal((await persona.post('start')).body, { status: 'started' })
      await waitFor('an answer', () => isAnswered(persona))
      assert.is(persona.host.asked().length - before, 2)
    })
  }))

test('delete fails after a timeout if the runtime is silent, and the persona keeps working', () =>
  inSetup(
    async (setup) => {
      const [persona] = await setup.born(['ollama'])
      if (!persona) return assert.unreachable()
      persona.host.strike({ what: 'silence' })
      const { status, body } = await persona.post('delete')
      assert.is(status, 400)
      assert.match(body.detail, 'did not answer within 3 s')
      persona.host.strike(null)
      assert.equal((await setup.passing(persona.say('Hello'))).words, [answer])
      assert.equal(await persona.post('delete'), { status: 200, body: null })
    },
    { probeTimeout: 3000 },
  ))

test('increases the random pauses between attempts', () =>
  inSetup(
    async (setup) => {
      const personas = await setup.born(['anthropic', 'ollama'])
      for (const { host } of personas) host.strike(serverError)
      const turns = await setup.passing(Promise.all(personas.map((persona) => persona.say('Hello'))))
      for (const { lasted } of turns) assert.ok(lasted >= 1000 + 4000, `it took only ${lasted} ms`)
    },
    { random: () => 1 },
  ))

test('makes at most three calls, even if the last stream breaks', () =>
  inSetup(async (setup) => {
    const personas = await setup.born(['anthropic', 'openai', 'gemini'])
    for (const { host } of personas)
      host.strike([serverError, serverError, { what: 'cut', how: 'cleanly', after: 4 }])
    const before = new Map(personas.map(({ id, host }) => [id, host.asked().length]))
    await setup.passing(
      each(personas, async (persona) => {
        assert.is((await persona.say('Hello')).outcome, 'unreachable')
        assert.is(persona.host.asked().length - (before.get(persona.id) ?? 0), 3)
        assert.equal(
          persona.facts('ModelFailed').map(({ calls }) => calls),
          [3],
        )
      }),
    )
  }))

test('reports a rejected key once and makes no calls until the key changes', () =>
  inSetup(async (setup) => {
    const personas = await setup.born(clouds)
    for (const { kind, host } of personas) host.rekey(otherKeyOf(kind))
    const before = new Map(personas.map(({ id, host }) => [id, host.asked().length]))
    const countRequests = ({ id, host }: Hosted) => host.asked().length - (before.get(id) ?? 0)
    await setup.passing(
      each(personas, async (persona) => {
        const { outcome, words } = await persona.say('Hello')
        assert.equal([outcome, words.length], ['unreachable', 1])
        assertPlain(persona, String(words[0]), {
          fault: null,
          at: [],
          calls: 1,
          comes: 'barred',
          says: /Give the organ the right API key/,
        })
        assertFacts(persona, { fault: null, at: [], calls: 1, comes: 'barred' })
        await persona.tell('Still there?')
      }),
    )
    for (let minutes = 0; minutes < 5; minutes++) await setup.clock.advance(60_000)
    await each(personas, async (persona) => {
      assert.is(countRequests(persona), 1, 'the model is called once')
      const thinking = { ...persona.host.thinking, api_key: otherKeyOf(persona.kind) }
      assert.equal((await persona.post('update', { thinking })).body, { status: 'active', running: true })
      await waitFor('an answer', () => isAnswered(persona))
      const talk = await persona.talk()
      assert.equal(
        [talk[0], ...talk.slice(2)],
        ['person: Hello', 'person: Still there?', `assistant: ${answer}`],
      )
    })
  }))

test.run()
