import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CallBounds } from '../../packages/kit/network/network.ts'
import { MindError } from '../../packages/models/mind.ts'
import { waitFor } from '../calls.ts'
import { createElsewhere, type Fault } from '../stand-ins/faults.ts'
import {
  calm,
  failure,
  forEachProvider,
  createGivenModels as givenStage,
  hello,
  type Kind,
  key,
  mindFailure,
  type Stage,
  type StageOptions,
  think,
} from './cloud-stage.ts'

const test = suite<{ stages: Stage[] }>('cloud faults', { stages: [] })
test.after.each(async ({ stages }) => {
  for (const stage of stages.splice(0)) await stage.close()
})

const openStage = async (world: { readonly stages: Stage[] }, kind: Kind, options: StageOptions = {}) => {
  const stage = await givenStage(world, kind, { answer: () => 'one two three four five', ...options })
  // The client expects an end mark from a server only after it has seen one.
  if (kind === 'compatible') await think(stage.mind(), hello)
  stage.standIn.clearLog()
  return stage
}

interface Row {
  readonly fault: Fault
  /** The kind of error. 'well': the answer arrives nevertheless. */
  readonly outcome: MindError['kind'] | 'well'
  /** Number of calls to the provider. */
  readonly calls: number
  /** Number of calls to Gemini, if it differs. */
  readonly geminiCalls?: number
  readonly reason?: RegExp
  /** The error's own code of its cause. */
  readonly code?: MindError['fault']
  readonly retryAfter?: number
  /** Network limits that end the call. */
  readonly limits?: Partial<CallBounds>
}

const shortLimits = { firstByte: 1000, silence: 400, whole: 1200 }
const message = `Overloaded. Your key ${key} (Bearer ${key}) is fine.`
const rows: Readonly<Record<string, Row>> = {
  'a connection that is reset': {
    fault: { what: 'reset' },
    outcome: 'unreachable',
    calls: 1,
    reason: /the connection was cut/,
    code: 'unreachable',
  },
  'no answer at all': {
    fault: { what: 'silence' },
    outcome: 'unreachable',
    calls: 1,
    reason: /no answer came within/,
    limits: shortLimits,
  },
  'status 200 without a body': {
    fault: { what: 'stall', after: 0 },
    outcome: 'unreachable',
    calls: 1,
    reason: /no answer came within|fell silent/,
    limits: shortLimits,
  },
  'an answer that stalls': {
    fault: { what: 'stall', after: 4 },
    outcome: 'unreachable',
    calls: 1,
    reason: /no answer came within|fell silent/,
    limits: shortLimits,
  },
  'an answer that arrives too slowly': {
    fault: { what: 'drip', bytes: 1, intervalMs: 100 },
    outcome: 'unreachable',
    calls: 1,
    reason: /took longer than|fell silent|no answer came/,
    limits: shortLimits,
  },
  'too many calls, with Retry-After': {
    fault: { what: 'status', status: 429, retryAfter: 7, words: message },
    outcome: 'unreachable',
    calls: 1,
    reason: /429/,
    retryAfter: 7000,
  },
  'too many calls': {
    fault: { what: 'status', status: 429 },
    outcome: 'unreachable',
    calls: 1,
    reason: /429/,
    code: 'busy',
  },
  'an account without credit': {
    fault: { what: 'status', status: 402, words: message },
    outcome: 'barred',
    calls: 1,
    reason: /no credit left/,
    code: 'no_credit',
  },
  'a provider that is broken': {
    fault: { what: 'status', status: 500, words: message },
    outcome: 'unreachable',
    calls: 1,
    reason: /500/,
    code: 'failed',
  },
  'a provider that is overloaded': {
    fault: { what: 'status', status: 529 },
    outcome: 'unreachable',
    calls: 1,
    reason: /529/,
  },
  'a gateway that cannot reach the provider': {
    fault: { what: 'status', status: 502, retryAfter: 2 },
    outcome: 'unreachable',
    calls: 1,
    retryAfter: 2000,
  },
  'a key without permission': {
    fault: { what: 'status', status: 403, words: message },
    outcome: 'barred',
    calls: 1,
    reason: /key/,
    code: 'key_refused',
  },
  'endless text': {
    fault: { what: 'endless' },
    outcome: 'refused',
    calls: 1,
    reason: /longer than/,
    code: null,
    limits: { size: 64 * 1024, whole: 30_000 },
  },
  'an endless compressed answer': {
    fault: { what: 'bomb' },
    outcome: 'refused',
    calls: 1,
    reason: /longer than 1 MiB/,
  },
  'an answer that is not JSON': {
    fault: { what: 'garbled' },
    outcome: 'unreachable',
    calls: 2,
    reason: /cannot be read/,
  },
  'a captive portal page': {
    fault: { what: 'page' },
    outcome: 'unreachable',
    calls: 2,
    reason: /cannot be read/,
    code: 'address_wrong',
  },
  'a stream that ends too early, twice': {
    fault: { what: 'cut', mode: 'cleanly', after: 4 },
    outcome: 'unreachable',
    calls: 2,
  },
  'a stream whose connection breaks': {
    fault: { what: 'cut', mode: 'hard', after: 4 },
    outcome: 'unreachable',
    calls: 1,
    reason: /the connection was cut/,
  },
  'a connection that breaks before the first word': {
    fault: { what: 'cut', mode: 'hard', after: 0 },
    outcome: 'unreachable',
    calls: 1,
    reason: /the connection was cut/,
  },
  'an error inside a stream': {
    fault: { what: 'error in stream', after: 4, words: message },
    outcome: 'unreachable',
    calls: 1,
    reason: /Overloaded/,
  },
  'an error at the beginning of a stream': {
    fault: { what: 'error in stream', after: 0, words: message },
    outcome: 'unreachable',
    calls: 1,
    reason: /Overloaded/,
  },
  'a complete answer instead of a stream': {
    fault: { what: 'whole' },
    outcome: 'well',
    calls: 1,
    geminiCalls: 2,
  },
  'an empty stream, twice': { fault: { what: 'nothing' }, outcome: 'unreachable', calls: 2 },
}

// Verified to fail without a size limit, without an idle timeout, if a broken stream is treated as complete,
// if `Retry-After` is ignored, and if calls are counted wrongly.
/** Injects the fault and checks the error, that the connection is closed, and that the next call succeeds. */
const checkFault = async (stage: Stage, row: Row) => {
  const { standIn, mind, host, bounds } = stage
  standIn.faults.permanentFault = row.fault
  Object.assign(bounds, row.limits)
  const startedAt = Date.now()
  if (row.outcome === 'well') assert.is((await think(mind(), hello)).text, 'one two three four five')
  else {
    const error = await mindFailure(() => think(mind(), hello))
    assert.is(error.kind, row.outcome, error.message)
    assert.is(error.retryAfter, row.retryAfter, error.message)
    assert.ok(error.message.includes(host), error.message)
    if (row.reason) assert.ok(row.reason.test(error.message), error.message)
    if (row.code !== undefined) assert.is(error.fault, row.code, error.message)
    assert.is(error.calls, row.calls, error.message)
  }
  assert.ok(Date.now() - startedAt < calm.silence, 'a limit ended it')
  assert.is(standIn.log.length, (stage.kind === 'gemini' && row.geminiCalls) || row.calls)
  await waitFor('every connection to close', () => standIn.open() === 0)

  standIn.faults.permanentFault = null
  Object.assign(bounds, calm)
  assert.is((await think(mind(), hello)).text, 'one two three four five')
}

for (const [name, row] of Object.entries(rows))
  test(`${row.outcome === 'well' ? 'answers despite' : 'reports'} ${name}, and works afterwards`, async (world) => {
    await forEachProvider(async (kind) => checkFault(await openStage(world, kind), row))
  })

test('reports an offline host and works after it is back', async (world) => {
  await forEachProvider(async (kind) => {
    const { standIn, mind, host } = await openStage(world, kind)
    await standIn.leave()
    const error = await mindFailure(() => think(mind(), hello))
    assert.is(error.kind, 'unreachable')
    assert.ok(error.message.includes(host), error.message)
    assert.match(error.message, 'nothing answers there')
    await standIn.restore()
    assert.is((await think(mind(), hello)).text, 'one two three four five')
  })
})

test('reports three failures with one call each and answers the fourth call', async (world) => {
  await forEachProvider(async (kind) => {
    const { standIn, mind } = await openStage(world, kind)
    standIn.faults.next = Array(3).fill({ what: 'status', status: 500 })
    for (let n = 1; n <= 3; n++) {
      assert.is((await mindFailure(() => think(mind(), hello))).kind, 'unreachable')
      assert.is(standIn.log.length, n)
    }
    assert.is((await think(mind(), hello)).text, 'one two three four five')
  })
})

// Verified to fail if a broken stream is treated as a complete answer.
test('retries a failed stream without streaming and continues its text', async (world) => {
  const faults: readonly Fault[] = [
    { what: 'nothing' },
    { what: 'garbled' },
    { what: 'cut', mode: 'cleanly', after: 4 },
    { what: 'cut', mode: 'cleanly', after: 0 },
  ]
  await forEachProvider(async (kind) => {
    const { standIn, mind } = await openStage(world, kind)
    for (const fault of faults) {
      standIn.faults.next = [fault]
      const callCountBefore = standIn.log.length
      const { text, parts } = await think(mind(), hello)
      assert.is(text, 'one two three four five', fault.what)
      assert.not.ok(
        parts.some(({ type }) => type === 'again'),
        'the second answer continues the text',
      )
      assert.equal(
        standIn.log.slice(callCountBefore).map(({ conversation }) => conversation?.stream),
        [true, false],
        fault.what,
      )
    }
  })
})

test('restarts the text if the second answer differs', async (world) => {
  await forEachProvider(async (kind) => {
    const { standIn, mind } = await openStage(world, kind, {
      answer: ({ stream }) => (stream ? 'one two three four five' : 'eins zwei'),
    })
    standIn.faults.next = [{ what: 'cut', mode: 'cleanly', after: 4 }]
    const { text, parts } = await think(mind(), hello)
    assert.is(text, 'eins zwei')
    assert.ok(parts.some(({ type }) => type === 'again'))
  })
})

test('keeps the calls of a stream that ended before its end mark', async (world) => {
  await forEachProvider(async (kind) => {
    const { standIn, mind } = await openStage(world, kind, {
      answer: () => ({ text: 'so', calls: [{ name: 'recall', input: { query: 'fox' } }] }),
    })
    standIn.faults.next = [{ what: 'cut', mode: 'cleanly', after: 5 }]
    const { calls } = await think(mind(), {
      ...hello,
      tools: [
        {
          name: 'recall',
          description: 'x',
          parameters: { type: 'object', properties: { query: { type: 'string' } } },
        },
      ],
    })
    assert.equal(
      calls.map(({ name, input }) => [name, input]),
      [['recall', { query: 'fox' }]],
    )
  })
})

// Verified to fail if redirects are followed.
test('sends neither key nor text to the target of a redirect', async (world) => {
  await forEachProvider(async (kind) => {
    const otherServer = await createElsewhere()
    const { standIn, mind, host } = await openStage(world, kind)
    for (const unsafeUrl of [
      otherServer.url,
      otherServer.url.replace('127.0.0.1', 'localhost'),
      `${standIn.url}/somewhere/else`,
    ]) {
      standIn.faults.permanentFault = { what: 'redirect', target: unsafeUrl }
      const callCountBefore = standIn.log.length
      const error = await mindFailure(() => think(mind(), hello))
      assert.is(error.kind, 'barred', error.message)
      assert.match(error.message, 'elsewhere')
      assert.ok(error.message.includes(host))
      assert.is(standIn.log.length, callCountBefore + 1)
    }
    assert.equal(otherServer.requestPaths, [])
    standIn.faults.permanentFault = null
    assert.is((await think(mind(), hello)).text, 'one two three four five')
    await otherServer.close()
  })
})

// Verified to fail if the signal is not passed on.
test('rejects with the reason of the abort during any fault', async (world) => {
  const faults: readonly Fault[] = [
    { what: 'silence' },
    { what: 'stall', after: 0 },
    { what: 'stall', after: 4 },
    { what: 'drip', bytes: 1, intervalMs: 20 },
  ]
  await forEachProvider(async (kind) => {
    const { standIn, mind } = await openStage(world, kind)
    for (const fault of faults) {
      standIn.faults.permanentFault = fault
      const abort = new AbortController()
      const reason = new MindError('refused', 'hush')
      const pendingFailure = failure(() => think(mind(), hello, abort.signal))
      await waitFor('the call', () => standIn.open() === 1)
      abort.abort(reason)
      assert.is(await pendingFailure, reason)
      await waitFor('the connection to close', () => standIn.open() === 0)
    }
  })
})

test.run()
