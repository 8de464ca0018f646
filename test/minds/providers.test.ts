/**
 * Provider faults, through the whole daemon: the number of calls, the notices to the user, and that no
 * message is lost.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { calm } from '../models/cloud-stage.ts'
import { createElsewhere, type Fault } from '../stand-ins/faults.ts'
import { clouds, getKey, getOtherKey, type Kind, kinds } from './hosts.ts'
import {
  forEachHost,
  type HostedPersona,
  openProviderSetup,
  type ProviderSetup,
  type SetupOptions,
  secretWord,
  withProviderSetup,
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
  withProviderSetup({ answer: () => answer, ...options }, play)

interface Row {
  /** Null if the host is offline. */
  readonly fault: Fault | null
  readonly kinds: readonly Kind[]
  /** Number of calls that fail. Default: all. */
  readonly times?: number
  /** Number of calls to the provider per message. */
  readonly calls: number
  /** Result of the turn: an answer, or the kind of failure. */
  readonly outcome: 'an answer' | 'unreachable' | 'barred' | 'refused'
  readonly reason?: RegExp
  /** Number of times the streamed text starts, if it is deterministic. */
  readonly startCount?: number
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
    kinds: ['compatible', 'ollama'],
    calls: 3,
    outcome: 'unreachable',
    reason: /nothing answers there/,
  },
  'a connection that is reset': {
    fault: { what: 'reset' },
    kinds: ['openai', 'gemini'],
    calls: 3,
    outcome: 'unreachable',
    reason: /the connection was cut/,
  },
  'status 200 without a body': {
    fault: { what: 'stall', after: 0 },
    kinds: ['anthropic', 'openai'],
    calls: 3,
    outcome: 'unreachable',
    reason: timeoutPattern,
    limits: shortLimits,
  },
  'an answer that stalls': {
    fault: { what: 'stall', after: 4 },
    kinds: ['xai', 'ollama'],
    calls: 3,
    outcome: 'unreachable',
    reason: timeoutPattern,
    limits: shortLimits,
  },
  'an answer that arrives too slowly': {
    fault: { what: 'drip', bytes: 1, intervalMs: 50 },
    kinds: ['anthropic', 'compatible'],
    calls: 3,
    outcome: 'unreachable',
    reason: timeoutPattern,
    limits: shortLimits,
  },
  'too many calls, Retry-After of 7 s': {
    fault: { ...busy, retryAfter: 7 },
    kinds: ['gemini', 'xai', 'ollama'],
    calls: 2,
    outcome: 'unreachable',
    reason: /too busy .*429/,
    waits: 7000,
  },
  'too many calls': {
    fault: busy,
    kinds: ['anthropic', 'compatible'],
    calls: 3,
    outcome: 'unreachable',
    reason: /too busy .*429/,
  },
  'a provider that fails, and quotes the key': {
    fault: { ...serverError, words: 'Your key KEY (Bearer KEY) is fine.' },
    kinds,
    calls: 3,
    outcome: 'unreachable',
    reason: /failed \(500.*\*\*\*/,
  },
  'endless text': {
    fault: { what: 'endless' },
    kinds: ['openai', 'gemini'],
    calls: 1,
    outcome: 'refused',
    reason: /longer than .* Ask for less/,
    limits: small,
  },
  'an endless compressed answer': {
    fault: { what: 'bomb' },
    kinds: ['anthropic', 'xai'],
    calls: 1,
    outcome: 'refused',
    reason: /longer than .* Ask for less/,
    limits: small,
  },
  'an answer that is not JSON': {
    fault: { what: 'garbled' },
    kinds: ['anthropic', 'gemini'],
    calls: 2,
    outcome: 'unreachable',
    reason: /cannot be read\. Check the address/,
  },
  'a captive portal page': {
    fault: { what: 'page' },
    kinds: ['openai', 'xai'],
    calls: 2,
    outcome: 'unreachable',
    reason: /cannot be read\. Check the address/,
  },
  'JSON of another form': {
    fault: { what: 'answer', json: { hello: 'world' } },
    kinds: ['gemini', 'compatible'],
    calls: 2,
    outcome: 'unreachable',
    reason: /cannot be read|broke off/,
  },
  'a stream that ends too early, twice': {
    fault: { what: 'cut', mode: 'cleanly', after: 4 },
    kinds: ['anthropic', 'ollama'],
    calls: 2,
    outcome: 'unreachable',
    reason: /broke off its answer/,
    startCount: 1,
  },
  'a stream whose connection breaks': {
    fault: { what: 'cut', mode: 'hard', after: 4 },
    kinds: ['gemini', 'xai'],
    calls: 3,
    outcome: 'unreachable',
    reason: /the connection was cut/,
  },
  'an error inside a stream': {
    fault: { what: 'error in stream', after: 4, words: 'Overloaded. Your key KEY is fine.' },
    kinds,
    calls: 3,
    outcome: 'unreachable',
    reason: /Overloaded/,
    startCount: 3,
  },
  'a provider that fails twice': {
    fault: serverError,
    kinds: ['gemini', 'compatible'],
    times: 2,
    calls: 3,
    outcome: 'an answer',
    startCount: 1,
  },
  'a provider that is busy once': {
    fault: { ...busy, retryAfter: 7 },
    kinds: ['openai', 'ollama'],
    times: 1,
    calls: 2,
    outcome: 'an answer',
    waits: 7000,
  },
  'an error in its first stream': {
    fault: { what: 'error in stream', after: 4, words: 'Overloaded' },
    kinds: ['anthropic', 'xai'],
    times: 1,
    calls: 2,
    outcome: 'an answer',
    startCount: 2,
  },
  'a stream that ends too early once': {
    fault: { what: 'cut', mode: 'cleanly', after: 4 },
    kinds: ['openai', 'gemini'],
    times: 1,
    calls: 2,
    outcome: 'an answer',
    startCount: 1,
  },
  'a complete answer instead of a stream': {
    fault: { what: 'whole' },
    kinds: ['anthropic', 'compatible'],
    calls: 1,
    outcome: 'an answer',
    startCount: 1,
  },
}

const noTurn = { outcome: 'none', texts: [], startCount: 0, durationMs: 0 }
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
  const personas = await setup.born(row.kinds)
  try {
    await checkFault(setup, row, personas)
  } catch (error) {
    await repair(setup, row, personas).catch(() => undefined)
    throw error
  } finally {
    await forEachHost(personas, async (persona) => void (await persona.post('stop')))
  }
}

const repair = async (setup: ProviderSetup, row: Row, personas: readonly HostedPersona[]): Promise<void> => {
  for (const { host } of personas) await (row.fault ? host.strike(null) : host.restore())
  Object.assign(setup.bounds, calm)
}

const checkFault = async (
  setup: ProviderSetup,
  row: Row,
  personas: readonly HostedPersona[],
): Promise<void> => {
  const callCountBefore = new Map(personas.map(({ id, host }) => [id, host.getRequests().length]))
  const countRequests = ({ id, host }: HostedPersona) =>
    host.getRequests().length - (callCountBefore.get(id) ?? 0)
  Object.assign(setup.bounds, row.limits)
  for (const { host } of personas)
    await (row.fault ? host.strike(insertKey(row.fault, host.kind), row.times) : host.leave())
  const turns = new Map<string, Awaited<ReturnType<HostedPersona['say']>>>()
  await setup.passing(
    forEachHost(personas, async (persona) => void turns.set(persona.id, await persona.say(first))),
    // Small steps if the row does not wait: a heartbeat would probe the endpoint of personas that have
    // already failed. Larger steps otherwise, since each call takes real time and the first retries need
    // their time limit.
    row.waits ? 100 : 1,
  )

  const notices = new Map<string, string>()
  await forEachHost(personas, async (persona) => {
    assert.is(countRequests(persona), row.fault ? row.calls : 0, 'number of calls to the provider')
    const { outcome, texts, startCount, durationMs } = turns.get(persona.id) ?? noTurn
    assert.equal([outcome, texts.length], [outcomes[row.outcome], 1], texts.join('\n'))
    notices.set(persona.id, String(texts[0]))
    if (row.outcome === 'an answer') assert.is(texts[0], answer)
    else assertPlain(persona, String(texts[0]), row)
    if (row.startCount !== undefined) assert.is(startCount, row.startCount, 'number of starts of the text')
    assert.ok(durationMs >= (row.waits ?? 0), `it took only ${durationMs} ms`)
    await waitFor('every connection to close', () => persona.host.open() === 0)
    assertFacts(persona, row)
  })
  const { body } = await setup.get('/api/personas')
  // Permanent errors make the persona sick immediately. It still receives messages.
  const expectedStatus = row.outcome === 'barred' ? 'sick' : 'active'
  const awake = body.personas.filter(
    ({ status, running }: { status: string; running: boolean }) => status === expectedStatus && running,
  )
  assert.is(awake.length, personas.length)

  await repair(setup, row, personas)
  const isKept = row.outcome === 'unreachable' || row.outcome === 'barred'
  const counts = new Map(personas.map((persona) => [persona.id, countRequests(persona)]))
  if (isKept) await setup.waitForEvent('all to answer', () => personas.every(isAnswered))
  await setup.passing(
    forEachHost(personas, async (persona) => assert.equal((await persona.say('And now?')).texts, [answer])),
  )
  await forEachHost(personas, async (persona) => {
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
  'words' in fault && fault.words ? { ...fault, words: fault.words.replaceAll('KEY', getKey(kind)) } : fault

const isAnswered = ({ listener }: HostedPersona): boolean =>
  listener.frames.some(({ type, content }) => type === 'chat_message' && content === answer)

/** Checks that a notice is one line with the address and advice, without internal details. */
const assertPlain = ({ host }: HostedPersona, text: string, { outcome, reason }: Row): void => {
  const form =
    outcome === 'refused'
      ? /^The model did not answer this: \S.*\.$/
      : /^The model does not answer: \S.*\. Your message is kept; the answer follows when the model is back\.$/
  assert.match(text, form)
  assert.ok(text.includes(host.address), text)
  assert.not.match(text, /undefined|null|Error|AI_|[{}\n]|secret/)
  assert.ok(text.length < 700, text)
  if (reason) assert.match(text, reason)
}

const assertFacts = (persona: HostedPersona, { outcome, calls }: Row): void => {
  const failures = persona.facts('ModelFailed').map(({ kind, calls, reason }) => [kind, calls, reason])
  const [organ] = persona.facts('OrganFailed')
  const [modelAnswer] = persona.facts('ModelAnswered')
  if (outcome === 'an answer')
    return assert.equal([modelAnswer?.calls, failures.length, organ], [calls, 0, undefined])
  const reason = persona.facts('TurnEnded')[0]?.reason
  assert.equal(failures, [[outcome, calls, reason]])
  assert.equal(organ, outcome === 'refused' ? undefined : { slot: 'thinking', reason })
}

/** One daemon for all rows. */
let setup: ProviderSetup
test.before(async () => {
  setup = await openProviderSetup({ answer: () => answer })
})

for (const [name, row] of Object.entries(rows))
  test(`${name}: ${row.calls} calls, ${row.outcome}`, () => checkRow(setup, row))

test('calls a host that redirects once, and sends neither key nor text to the new address', async () => {
  const otherServer = await createElsewhere()
  const fault = { what: 'redirect', target: otherServer.url } as const
  const row: Row = {
    fault,
    kinds,
    calls: 1,
    outcome: 'barred',
    reason: /sends the call elsewhere.*Check the address/,
  }
  await checkRow(setup, row).finally(() => void otherServer.close())
  assert.equal(otherServer.requestPaths, [])
})

test('leaves no key in replies, logs and files after all rows', () => setup.close())

// Verified to fail if the daemon waits a minute twice: a pause that long needs a notice. The clock does not
// move here.
test('notifies the user immediately if Retry-After exceeds a few seconds', () =>
  inSetup(async (setup) => {
    const personas = await setup.born(['anthropic', 'gemini', 'ollama'])
    for (const { host } of personas) host.strike({ ...busy, retryAfter: 10 })
    await forEachHost(personas, async (persona) =>
      assert.is((await persona.say('Hello')).outcome, 'unreachable'),
    )
  }))

test('stop ends the pause before a retry, and the next start answers the message', () =>
  inSetup(async (setup) => {
    const personas = await setup.born(['anthropic', 'ollama'])
    await forEachHost(personas, async (persona) => {
      const callCountBefore = persona.host.getRequests().length
      persona.host.strike({ ...busy, retryAfter: 6 }, 1)
      await persona.tell(first)
      await waitFor(
        'the first try',
        () => persona.host.getRequests().length > callCountBefore && persona.host.open() === 0,
      )
      // The clock does not move, so only the stop can end the pause.
      assert.equal((await persona.post('stop')).body, { status: 'stopped' })
      assert.equal((await persona.post('start')).body, { status: 'started' })
      await waitFor('an answer', () => isAnswered(persona))
      assert.is(persona.host.getRequests().length - callCountBefore, 2)
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
      assert.equal((await setup.passing(persona.say('Hello'))).texts, [answer])
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
      for (const { durationMs } of turns)
        assert.ok(durationMs >= 1000 + 4000, `it took only ${durationMs} ms`)
    },
    { random: () => 1 },
  ))

test('makes at most three calls, even if the last stream breaks', () =>
  inSetup(async (setup) => {
    const personas = await setup.born(['anthropic', 'openai', 'gemini'])
    for (const { host } of personas)
      host.strike([serverError, serverError, { what: 'cut', mode: 'cleanly', after: 4 }])
    const callCountBefore = new Map(personas.map(({ id, host }) => [id, host.getRequests().length]))
    await setup.passing(
      forEachHost(personas, async (persona) => {
        assert.is((await persona.say('Hello')).outcome, 'unreachable')
        assert.is(persona.host.getRequests().length - (callCountBefore.get(persona.id) ?? 0), 3)
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
    for (const { kind, host } of personas) host.rekey(getOtherKey(kind))
    const callCountBefore = new Map(personas.map(({ id, host }) => [id, host.getRequests().length]))
    const countRequests = ({ id, host }: HostedPersona) =>
      host.getRequests().length - (callCountBefore.get(id) ?? 0)
    await setup.passing(
      forEachHost(personas, async (persona) => {
        const { outcome, texts } = await persona.say('Hello')
        assert.equal([outcome, texts.length], ['unreachable', 1])
        assertPlain(persona, String(texts[0]), {
          fault: null,
          kinds: [],
          calls: 1,
          outcome: 'barred',
          reason: /Give the organ the right API key/,
        })
        assertFacts(persona, { fault: null, kinds: [], calls: 1, outcome: 'barred' })
        await persona.tell('Still there?')
      }),
    )
    for (let minutes = 0; minutes < 5; minutes++) await setup.clock.advance(60_000)
    await forEachHost(personas, async (persona) => {
      assert.is(countRequests(persona), 1, 'the model is called once')
      const thinkingFields = { ...persona.host.thinkingFields, api_key: getOtherKey(persona.kind) }
      assert.equal((await persona.post('update', { thinking: thinkingFields })).body, {
        status: 'active',
        running: true,
      })
      await waitFor('an answer', () => isAnswered(persona))
      const talk = await persona.talk()
      assert.equal(
        [talk[0], ...talk.slice(2)],
        ['person: Hello', 'person: Still there?', `assistant: ${answer}`],
      )
    })
  }))

test.run()
