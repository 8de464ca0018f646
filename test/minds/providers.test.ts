/**
 * What goes wrong at a provider, through the whole daemon: how often it is asked, what the person is told,
 * and that nothing it said is lost.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../calls.ts'
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
 * Seen failing with four calls, with a last call that asks once more, with calls that are not counted, with
 * `Retry-After` ignored or without end, with pauses that do not grow or are deaf to a stop, with a wrong key
 * that is tried again, with redirects followed, with a redirect that consumes what was said, with an
 * unreachable Mind's turn that does, with a Mind that is not marked as failed, with words that do not begin
 * anew, with answers of any size, with keys in a provider's words that are not masked.
 */
const answer = 'one two three four five'
const inSetup = (play: (setup: ProviderSetup) => Promise<void>, options: SetupOptions = {}): Promise<void> =>
  within({ answer: () => answer, ...options }, play)

interface Row {
  /** null: nothing answers there. */
  readonly fault: Fault | null
  readonly at: readonly Kind[]
  /** So many calls go wrong; by default every one. */
  readonly times?: number
  /** How often the provider is called for one message. */
  readonly calls: number
  /** What comes of the turn: an answer, or why there is none. */
  readonly comes: 'an answer' | 'unreachable' | 'barred' | 'refused'
  readonly says?: RegExp
  /** How often its words begin, where that is sure. */
  readonly begun?: number
  /** Milliseconds that are waited for at least. */
  readonly waits?: number
  /** It ends by a limit of ours. */
  readonly limits?: Partial<ProviderSetup['bounds']>
}

const short = { firstByte: 400, silence: 300, whole: 700 }
const small = { size: 64 * 1024 }
const late = /no answer came within 0\.4 s|it fell silent for 0\.3 s|took longer than 0\.7 s/
const broken = { what: 'status', status: 500 } as const
const busy = { what: 'status', status: 429 } as const

const rows: Readonly<Record<string, Row>> = {
  'a host where nothing answers': {
    fault: null,
    at: ['anthropic', 'compatible', 'ollama'],
    calls: 3,
    comes: 'unreachable',
    says: /nothing answers there/,
  },
  'a connection that is reset': {
    fault: { what: 'reset' },
    at: ['openai', 'gemini', 'compatible'],
    calls: 3,
    comes: 'unreachable',
    says: /the connection was cut/,
  },
  'a good status and then nothing': {
    fault: { what: 'stall', after: 0 },
    ...{ at: ['anthropic', 'openai', 'ollama'], calls: 3, comes: 'unreachable', says: late, limits: short },
  },
  'an answer that stalls': {
    fault: { what: 'stall', after: 4 },
    ...{ at: ['gemini', 'xai', 'ollama'], calls: 3, comes: 'unreachable', says: late, limits: short },
  },
  'an answer that drips': {
    fault: { what: 'drip', bytes: 1, every: 50 },
    ...{ at: ['anthropic', 'compatible'], calls: 3, comes: 'unreachable', says: late, limits: short },
  },
  'too many calls, come back in seven seconds': {
    fault: { ...busy, retryAfter: 7 },
    ...{ at: kinds, calls: 2, comes: 'unreachable', says: /too busy .*429/, waits: 7000 },
  },
  'too many calls': {
    fault: busy,
    at: ['anthropic', 'xai', 'compatible'],
    calls: 3,
    comes: 'unreachable',
    says: /too busy .*429/,
  },
  'a provider that fails, and quotes the key': {
    fault: { ...broken, words: 'Your key KEY (Bearer KEY) is fine.' },
    ...{ at: kinds, calls: 3, comes: 'unreachable', says: /failed \(500.*\*\*\*/ },
  },
  'words that never end': {
    fault: { what: 'endless' },
    ...{
      at: ['openai', 'gemini'],
      calls: 1,
      comes: 'refused',
      says: /longer than .* Ask for less/,
      limits: small,
    },
  },
  'a packed answer that never ends': {
    fault: { what: 'bomb' },
    ...{
      at: ['anthropic', 'xai'],
      calls: 1,
      comes: 'refused',
      says: /longer than .* Ask for less/,
      limits: small,
    },
  },
  'an answer that is no JSON': {
    fault: { what: 'garbled' },
    ...{
      at: ['anthropic', 'gemini'],
      calls: 2,
      comes: 'unreachable',
      says: /cannot be read\. Check the address/,
    },
  },
  "a page of a hotel's network": {
    fault: { what: 'page' },
    ...{ at: ['openai', 'xai'], calls: 2, comes: 'unreachable', says: /cannot be read\. Check the address/ },
  },
  'JSON that is no answer': {
    fault: { what: 'answer', json: { hello: 'world' } },
    ...{ at: ['gemini', 'compatible'], calls: 2, comes: 'unreachable', says: /cannot be read|broke off/ },
  },
  'a stream that ends too early, twice': {
    fault: { what: 'cut', how: 'cleanly', after: 4 },
    ...{
      at: ['anthropic', 'openai', 'ollama'],
      calls: 2,
      comes: 'unreachable',
      says: /broke off its answer/,
      begun: 1,
    },
  },
  'a stream that is torn': {
    fault: { what: 'cut', how: 'hard', after: 4 },
    ...{ at: ['gemini', 'xai', 'ollama'], calls: 3, comes: 'unreachable', says: /the connection was cut/ },
  },
  'an error inside a stream': {
    fault: { what: 'error in stream', after: 4, words: 'Overloaded. Your key KEY is fine.' },
    ...{ at: kinds, calls: 3, comes: 'unreachable', says: /Overloaded/, begun: 3 },
  },
  'a provider that fails twice': {
    fault: broken,
    at: ['gemini', 'xai', 'compatible'],
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
    ...{ at: ['anthropic', 'xai'], times: 1, calls: 2, comes: 'an answer', begun: 2 },
  },
  'a stream that ends too early once': {
    fault: { what: 'cut', how: 'cleanly', after: 4 },
    ...{ at: ['openai', 'gemini'], times: 1, calls: 2, comes: 'an answer', begun: 1 },
  },
  'a whole answer where a stream was asked for': {
    fault: { what: 'whole' },
    at: ['anthropic', 'compatible'],
    calls: 1,
    comes: 'an answer',
    begun: 1,
  },
}

const nothing = { outcome: 'none', words: [], begun: 0, lasted: 0 }
const outcomes = {
  'an answer': 'answered',
  unreachable: 'unreachable',
  barred: 'unreachable',
  refused: 'refused',
} as const
const first = `Are you there, ${secretWord}?`

/**
 * The fault strikes; what is seen, told and written of it is as it should be; then all is well again.
 * Whatever came of it, it leaves the daemon as it was.
 */
const strikes = async (setup: ProviderSetup, row: Row): Promise<void> => {
  const hosted = await setup.born(row.at)
  try {
    await struck(setup, row, hosted)
  } catch (error) {
    await mend(setup, row, hosted).catch(() => undefined)
    throw error
  } finally {
    await each(hosted, async (persona) => void (await persona.post('stop')))
  }
}

const mend = async (setup: ProviderSetup, row: Row, hosted: readonly Hosted[]): Promise<void> => {
  for (const { host } of hosted) await (row.fault ? host.strike(null) : host.comeBack())
  Object.assign(setup.bounds, calm)
}

const struck = async (setup: ProviderSetup, row: Row, hosted: readonly Hosted[]): Promise<void> => {
  const before = new Map(hosted.map(({ id, host }) => [id, host.asked().length]))
  const asked = ({ id, host }: Hosted) => host.asked().length - (before.get(id) ?? 0)
  Object.assign(setup.bounds, row.limits)
  for (const { host } of hosted)
    await (row.fault ? host.strike(quoting(row.fault, host.kind), row.times) : host.leave())
  const turns = new Map<string, Awaited<ReturnType<Hosted['say']>>>()
  await setup.passing(
    each(hosted, async (persona) => void turns.set(persona.id, await persona.say(first))),
    // Hardly at all where nobody waits by the clock: a heartbeat would look at the endpoint of those who have
    // failed already.
    // Slowly where somebody does: a call takes its time meanwhile, and there is none left for a second.
    row.waits ? 100 : 1,
  )

  const told = new Map<string, string>()
  await each(hosted, async (persona) => {
    assert.is(asked(persona), row.fault ? row.calls : 0, 'calls that the provider saw')
    const { outcome, words, begun, lasted } = turns.get(persona.id) ?? nothing
    assert.equal([outcome, words.length], [outcomes[row.comes], 1], words.join('\n'))
    told.set(persona.id, String(words[0]))
    if (row.comes === 'an answer') assert.is(words[0], answer)
    else assertPlain(persona, String(words[0]), row)
    if (row.begun !== undefined) assert.is(begun, row.begun, 'how often her words began')
    assert.ok(lasted >= (row.waits ?? 0), `it took only ${lasted} ms`)
    await until('every connection to close', () => persona.host.open() === 0)
    assertFacts(persona, row)
  })
  const { body } = await setup.get('/api/personas')
  // What will not get better by itself makes it sick at once; it hears all the same.
  const expected = row.comes === 'barred' ? 'sick' : 'active'
  const awake = body.personas.filter(
    ({ status, running }: { status: string; running: boolean }) => status === expected && running,
  )
  assert.is(awake.length, hosted.length)

  await mend(setup, row, hosted)
  const kept = row.comes === 'unreachable' || row.comes === 'barred'
  const since = new Map(hosted.map((persona) => [persona.id, asked(persona)]))
  if (kept) await setup.until('all to answer', () => hosted.every(isAnswered))
  await setup.passing(
    each(hosted, async (persona) => assert.equal((await persona.say('And now?')).words, [answer])),
  )
  await each(hosted, async (persona) => {
    const waited = kept ? [`assistant: ${answer}`] : []
    const said = [
      `person: ${first}`,
      `assistant: ${told.get(persona.id)}`,
      ...waited,
      'person: And now?',
      `assistant: ${answer}`,
    ]
    assert.equal(await persona.talk(), said)
    assert.is(
      asked(persona) - (since.get(persona.id) ?? 0),
      kept ? 2 : 1,
      'one call for each message, once it is well',
    )
  })
}

/** A provider quotes the key that it was given. */
const quoting = (fault: Fault, kind: Kind): Fault =>
  'words' in fault && fault.words ? { ...fault, words: fault.words.replaceAll('KEY', keyOf(kind)) } : fault

const isAnswered = ({ listener }: Hosted): boolean =>
  listener.frames.some(({ type, content }) => type === 'chat_message' && content === answer)

/** One line, with the address and what to do, and nothing of the machinery. */
const assertPlain = ({ host }: Hosted, words: string, { comes, says }: Row): void => {
  const form =
    comes === 'refused'
      ? /^I cannot answer this: \S.*\.$/
      : /^I cannot think right now: \S.*\. Your message is kept, and I will answer when my mind is back\.$/
  assert.match(words, form)
  assert.ok(words.includes(host.address), words)
  assert.not.match(words, /undefined|null|Error|AI_|[{}\n]|secret/)
  assert.ok(words.length < 700, words)
  if (says) assert.match(words, says)
}

const assertFacts = (persona: Hosted, { comes, calls }: Row): void => {
  const failed = persona.facts('ModelFailed').map(({ kind, calls, reason }) => [kind, calls, reason])
  const [organ] = persona.facts('OrganFailed')
  const [answered] = persona.facts('ModelAnswered')
  if (comes === 'an answer')
    return assert.equal([answered?.calls, failed.length, organ], [calls, 0, undefined])
  const reason = persona.facts('TurnEnded')[0]?.reason
  assert.equal(failed, [[comes, calls, reason]])
  assert.equal(organ, comes === 'refused' ? undefined : { slot: 'thinking', reason })
}

/** One daemon for all of the table. */
let setup: ProviderSetup
test.before(async () => {
  setup = await openProviderSetup({ answer: () => answer })
})

for (const [name, row] of Object.entries(rows))
  test(`${name}: ${row.calls} calls, ${row.comes}`, () => strikes(setup, row))

test('a host that sends the call elsewhere is asked once, and no key and no word gets there', async () => {
  const elsewhere = await createElsewhere()
  const fault = { what: 'redirect', to: elsewhere.url } as const
  const row: Row = {
    fault,
    at: kinds,
    calls: 1,
    comes: 'barred',
    says: /sends the call elsewhere.*Check the address/,
  }
  await strikes(setup, row).finally(() => void elsewhere.close())
  assert.equal(elsewhere.seen, [])
})

test('after all of that no key is found in what was told, logged or kept', () => setup.close())

// Seen failing with a pause of a minute, twice: nobody waits for that without a word. The clock stands still
// here.
test('whoever is told to come back later than in some seconds says so at once', () =>
  inSetup(async (setup) => {
    const hosted = await setup.born(['anthropic', 'gemini', 'ollama'])
    for (const { host } of hosted) host.strike({ ...busy, retryAfter: 10 })
    await each(hosted, async (persona) => assert.is((await persona.say('Hello')).outcome, 'unreachable'))
  }))

test('whoever waits to try again is stopped at once, and takes up what it was told when it runs again', () =>
  inSetup(async (setup) => {
    const hosted = await setup.born(['anthropic', 'ollama'])
    await each(hosted, async (persona) => {
      const before = persona.host.asked().length
      persona.host.strike({ ...busy, retryAfter: 6 }, 1)
      await persona.tell(first)
      await until('the first try', () => persona.host.asked().length > before && persona.host.open() === 0)
      // The clock stands still: nothing but the stop ends the pause.
      assert.equal((await persona.post('stop')).body, { status: 'stopped' })
      assert.equal((await persona.post('start')).body, { status: 'started' })
      await until('an answer', () => isAnswered(persona))
      assert.is(persona.host.asked().length - before, 2)
    })
  }))

test('delete gives up on a runtime that stays silent, says so, and it goes on', () =>
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

test('pauses between tries grow, as chance has it', () =>
  inSetup(
    async (setup) => {
      const hosted = await setup.born(['anthropic', 'ollama'])
      for (const { host } of hosted) host.strike(broken)
      const turns = await setup.passing(Promise.all(hosted.map((persona) => persona.say('Hello'))))
      for (const { lasted } of turns) assert.ok(lasted >= 1000 + 4000, `it took only ${lasted} ms`)
    },
    { random: () => 1 },
  ))

test('three calls are the most, also where the last of them is a stream that breaks off', () =>
  inSetup(async (setup) => {
    const hosted = await setup.born(['anthropic', 'openai', 'gemini'])
    for (const { host } of hosted) host.strike([broken, broken, { what: 'cut', how: 'cleanly', after: 4 }])
    const before = new Map(hosted.map(({ id, host }) => [id, host.asked().length]))
    await setup.passing(
      each(hosted, async (persona) => {
        assert.is((await persona.say('Hello')).outcome, 'unreachable')
        assert.is(persona.host.asked().length - (before.get(persona.id) ?? 0), 3)
        assert.equal(
          persona.facts('ModelFailed').map(({ calls }) => calls),
          [3],
        )
      }),
    )
  }))

test('a key that is no longer taken is told once, and its Mind is left alone until it has another', () =>
  inSetup(async (setup) => {
    const hosted = await setup.born(clouds)
    for (const { kind, host } of hosted) host.rekey(otherKeyOf(kind))
    const before = new Map(hosted.map(({ id, host }) => [id, host.asked().length]))
    const asked = ({ id, host }: Hosted) => host.asked().length - (before.get(id) ?? 0)
    await setup.passing(
      each(hosted, async (persona) => {
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
    await each(hosted, async (persona) => {
      assert.is(asked(persona), 1, 'her Mind is asked once')
      const thinking = { ...persona.host.thinking, api_key: otherKeyOf(persona.kind) }
      assert.equal((await persona.post('update', { thinking })).body, { status: 'active', running: true })
      await until('an answer', () => isAnswered(persona))
      const talk = await persona.talk()
      assert.equal(
        [talk[0], ...talk.slice(2)],
        ['person: Hello', 'person: Still there?', `assistant: ${answer}`],
      )
    })
  }))

test.run()
