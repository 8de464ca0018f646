import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Slot } from '../../facts/fact-values.ts'
import { ModelError, type Progress } from '../../packages/models/models.ts'
import { waitFor } from '../calls.ts'
import { createElsewhere, type Fault } from '../stand-ins/faults.ts'
import { ogg, pdf } from '../stand-ins/media.ts'
import {
  assertClean,
  calm,
  chats,
  createGivenModels,
  createPicture,
  failure,
  forEachProvider,
  hello,
  key,
  mindFailure,
  neverAborts,
  type Stage,
  think,
} from './cloud-stage.ts'

const test = suite<{ stages: Stage[] }>('cloud endpoint', { stages: [] })
test.after.each(async ({ stages }) => {
  for (const stage of stages.splice(0)) await stage.close()
})

/** Returns the error message, which must name the address and contain no key. */
const getRefusal = async ({ host }: Stage, work: () => Promise<unknown>): Promise<string> => {
  const error = await failure(work)
  assert.instance(error, ModelError, String(error.stack))
  assertClean(error.message)
  assert.ok(error.message.includes(host), error.message)
  return error.message
}

const lists = /\/models$/
const countCalls = ({ standIn }: Stage, path: RegExp) => standIn.calls(path).length
const chatSlots: readonly Slot[] = ['thinking', 'eye', 'teacher', 'researcher']
const mediaSlots: readonly Slot[] = ['ear', 'mouth', 'imagination']

const prepare = async (
  { models, organ }: Stage,
  slot: Slot = 'thinking',
  signal?: AbortSignal,
): Promise<readonly Progress[]> => {
  const counts: Progress[] = []
  await models.prepare(slot, organ, (progress) => counts.push(progress), signal)
  return counts
}

test('accepts a listed model if the key is valid, and tests it with a prompt only on compatible servers', async (world) => {
  await forEachProvider(async (kind) => {
    const stage = await createGivenModels(world, kind)
    for (const slot of [...chatSlots, ...mediaSlots]) await prepare(stage, slot)
    await stage.models.probe(stage.organ, null)
    await stage.models.wrap(stage.organ, 'daimon-1')
    await stage.models.unwrap(stage.organ, 'daimon-1')
    // Compatible servers list models that refuse tools or streams, and some list without a key.
    assert.is(countCalls(stage, chats), kind === 'compatible' ? chatSlots.length : 0)
    for (const { key: sentKey, spilled } of stage.standIn.log)
      assert.equal([sentKey, spilled], ['right', false])
  })
})

test('accepts an unlisted model if it answers a short call', async (world) => {
  await forEachProvider(async (kind) => {
    for (const absent of [true, false]) {
      const stage = await createGivenModels(world, kind)
      // The model list is missing or incomplete.
      if (absent) stage.standIn.faults.absent = ['/v1/models', '/v1beta/models']
      else
        stage.standIn.faults.permanentFault = {
          what: 'answer',
          json: { object: 'list', data: [{ id: 'another' }], models: [{ name: 'models/another' }] },
        }
      stage.standIn.faults.on = lists
      const outcome = await prepare(stage)
      assert.is(countCalls(stage, chats), 1)
      assert.ok(outcome.every(({ model }) => model === stage.organ.model))
      await stage.models.probe(stage.organ, null)
      assert.is(countCalls(stage, chats), 1, 'a probe spends no token')
    }
  })
})

test('rejects an unknown model', async (world) => {
  await forEachProvider(async (kind) => {
    for (const absent of [[], ['/v1/models', '/v1beta/models']]) {
      const stage = await createGivenModels(world, kind, { model: 'no-such-model', faults: { absent } })
      for (const slot of chatSlots)
        assert.match(await getRefusal(stage, () => prepare(stage, slot)), 'no-such-model')
    }
  })
})

test('rejects a wrong or missing key for every organ and in the probe', async (world) => {
  await forEachProvider(async (kind) => {
    for (const apiKey of [key, null]) {
      const stage = await createGivenModels(world, kind, { key: 'sk-another-key-entirely' })
      const organ = { ...stage.organ, apiKey }
      for (const slot of ['thinking', 'eye', 'ear', 'mouth', 'imagination'] as const)
        assert.match(await getRefusal(stage, () => stage.models.prepare(slot, organ, () => {})), /key/i, slot)
      assert.match(await getRefusal(stage, () => stage.models.probe(organ, null)), /key/i)
      assert.match(await getRefusal(stage, () => stage.models.names(organ)), /key/i)
      // Without a model list, a chat call decides.
      stage.standIn.faults.absent = ['/v1/models', '/v1beta/models']
      assert.match(await getRefusal(stage, () => stage.models.prepare('thinking', organ, () => {})), /key/i)
    }
  })
})

test('rejects while the server is offline and accepts afterwards', async (world) => {
  await forEachProvider(async (kind) => {
    const stage = await createGivenModels(world, kind)
    await stage.standIn.leave()
    for (const work of [
      () => prepare(stage),
      () => prepare(stage, 'ear'),
      () => stage.models.probe(stage.organ, null),
      () => stage.models.names(stage.organ),
    ])
      assert.match(await getRefusal(stage, work), 'nothing answers there')
    await stage.standIn.restore()
    await prepare(stage)
    await stage.models.probe(stage.organ, null)
  })
})

test('accepts an organ that the provider cannot serve and reports it on use', async (world) => {
  await forEachProvider(async (kind) => {
    const stage = await createGivenModels(world, kind, { model: 'not-listed-anywhere' })
    for (const slot of mediaSlots) await prepare(stage, slot)
    assert.is(countCalls(stage, chats), 0)
  })
  const clip = createPicture('voice.ogg', 'audio/ogg', ogg)
  const { models, organ, standIn } = await createGivenModels(world, 'anthropic')
  for (const work of [
    () => models.ear(organ).hear(clip, neverAborts),
    () => models.mouth(organ).speak('hello', neverAborts),
    () => models.imagination(organ).draw('a fox', neverAborts),
  ]) {
    const { kind, message, calls } = await mindFailure(work)
    assert.equal([kind, calls], ['refused', 0])
    assert.match(message, 'OpenAI')
  }
  const xai = await createGivenModels(world, 'xai')
  await mindFailure(() => xai.models.ear(xai.organ).hear(clip, neverAborts))
  await mindFailure(() => xai.models.mouth(xai.organ).speak('hello', neverAborts))
  assert.is(standIn.log.length + xai.standIn.log.length, 0)
})

test('reports an invalid model list and follows no redirect', async (world) => {
  const otherServer = await createElsewhere()
  const faults: readonly Fault[] = [
    { what: 'page' },
    { what: 'garbled' },
    { what: 'bomb' },
    { what: 'endless' },
    { what: 'redirect', target: otherServer.url },
    { what: 'reset' },
  ]
  await forEachProvider(async (kind) => {
    for (const fault of faults) {
      const stage = await createGivenModels(world, kind, { faults: { permanentFault: fault } })
      await getRefusal(stage, () => stage.models.names(stage.organ))
      await getRefusal(stage, () => prepare(stage))
      if (kind !== 'compatible') await getRefusal(stage, () => stage.models.probe(stage.organ, null))
    }
  })
  assert.equal(otherServer.requestPaths, [])
  await otherServer.close()
})

// Verified to fail if the probe has no timeout of its own.
test('stops the probe of a silent endpoint after its timeout and closes the connection', async (world) => {
  await forEachProvider(async (kind) => {
    for (const fault of [{ what: 'silence' }, { what: 'stall', after: 1 }] as const) {
      const stage = await createGivenModels(world, kind, {
        probeTimeout: 300,
        faults: { permanentFault: fault },
      })
      const startedAt = Date.now()
      assert.match(
        await getRefusal(stage, () => stage.models.probe(stage.organ, null)),
        'did not answer within 0.3 s',
      )
      assert.ok(Date.now() - startedAt < calm.firstByte, 'the probe ended it')
      await waitFor('the connection to close', () => stage.standIn.open() === 0)
    }
  })
})

test("stops preparing and probing with the signal's reason", async (world) => {
  await forEachProvider(async (kind) => {
    for (const path of [lists, chats]) {
      const stage = await createGivenModels(world, kind, {
        faults: {
          permanentFault: { what: 'silence' },
          on: path,
          absent: path === chats ? ['/v1/models', '/v1beta/models'] : [],
        },
      })
      const abort = new AbortController()
      const reason = new Error('never mind')
      const pendingFailure = failure(() => prepare(stage, 'thinking', abort.signal))
      await waitFor('the call', () => countCalls(stage, path) === 1)
      abort.abort(reason)
      assert.is(await pendingFailure, reason)
      await waitFor('the connection to close', () => stage.standIn.open() === 0)
    }
  })
})

// Verified to fail if only the first page is read.
test('lists the models of all pages', async (world) => {
  const manyModels = Array.from({ length: 1100 }, (_, n) => `gemini-model-${n}`)
  await forEachProvider(async (kind) => {
    const { models, organ } = await createGivenModels(world, kind, { models: manyModels })
    assert.equal(await models.names(organ), manyModels)
  })
})

test('asks the user to type a name if the server has no model list', async (world) => {
  await forEachProvider(async (kind) => {
    const stage = await createGivenModels(world, kind, {
      faults: { absent: ['/v1/models', '/v1beta/models'] },
    })
    assert.match(await getRefusal(stage, () => stage.models.names(stage.organ)), /type/i)
  })
})

test('works again after temporary errors', async (world) => {
  await forEachProvider(async (kind) => {
    const stage = await createGivenModels(world, kind)
    for (const status of [429, 500, 503]) {
      stage.standIn.faults.next = [{ what: 'status', status }]
      assert.match(await getRefusal(stage, () => stage.models.probe(stage.organ, null)), String(status))
      await stage.models.probe(stage.organ, null)
    }
    assert.is((await think(stage.mind(), hello)).text, 'ok')
  })
})

test('makes no request when it creates organs or returns their capabilities', async (world) => {
  await forEachProvider(async (kind) => {
    const { models, organ, standIn } = await createGivenModels(world, kind)
    models.mind(organ, null)
    models.ear(organ)
    models.mouth(organ)
    models.imagination(organ)
    await models.getAcceptedFiles(organ, null, neverAborts)
    assert.is(standIn.log.length, 0)
  })
})

test('rejects an invalid address or key before any request', async (world) => {
  await forEachProvider(async (kind) => {
    const { models, organ, standIn } = await createGivenModels(world, kind)
    for (const changedFields of [
      { url: 'models.example' },
      { url: 'ftp://models.example' },
      { url: '' },
      { apiKey: `${key}\nX-Evil: 1` },
      { apiKey: `${key} ü` },
    ]) {
      const error = await mindFailure(() => think(models.mind({ ...organ, ...changedFields }, null), hello))
      assert.is(error.kind, 'barred', error.message)
      const atEndpoint = await failure(() => models.probe({ ...organ, ...changedFields }, null))
      assert.instance(atEndpoint, ModelError)
      assertClean(atEndpoint.message)
      const acceptedFiles = await models.getAcceptedFiles({ ...organ, ...changedFields }, null, neverAborts)
      assert.is(typeof acceptedFiles.images, 'boolean')
    }
    assert.is(standIn.log.length, 0)
  })
})

test('never shows a key from an address in an error', async (world) => {
  const stage = await createGivenModels(world, 'compatible', { key: null, apiKey: null })
  const url = stage.standIn.url.replace('http://', `http://anna:${key}@`)
  const organ = { ...stage.organ, url }
  assert.is((await think(stage.models.mind(organ, null), hello)).text, 'ok')
  stage.standIn.faults.permanentFault = { what: 'status', status: 401, words: `no such user anna:${key}` }
  await mindFailure(() => think(stage.models.mind(organ, null), hello))
  const atEndpoint = await failure(() => stage.models.probe(organ, null))
  assertClean(atEndpoint.message)
  await mindFailure(() =>
    think(stage.models.mind({ ...organ, apiKey: key, url: `${stage.standIn.url}/${key}` }, null), {
      ...hello,
      messages: [{ role: 'user', content: 'x', files: [createPicture('a.pdf', 'application/pdf', pdf)] }],
    }),
  )
})

test.run()
