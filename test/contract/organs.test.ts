/** Create and update with every organ, of every provider. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Slot } from '../../facts/fact-values.ts'
import { organTable } from '../../facts/organ-table.ts'
import { ModelError } from '../../packages/models/models.ts'
import { waitFor } from '../calls.ts'
import { type Answer, getTitles, joinKeys, shareSetup } from './setup.ts'
import { getPersonaId } from './uploads.ts'

const setup = shareSetup(test)
const create = (fields: object) =>
  setup.post('/api/persona/create', { name: 'Ada', thinking_model: 'llama', ...fields })
const update = (personaPath: string, body: unknown) => setup.post(`${personaPath}/update`, body)
const getView = (personaPath: string) => setup.view(getPersonaId(personaPath))
const countPersonas = async () => (await setup.get('/api/personas'))[1].personas.length

const otherSlots = Slot.options.filter((slot) => slot !== 'thinking')
const providers = ['anthropic', 'openai', 'xai', 'gemini'] as const
/** Records each preparation. A slot in `fails` fails with its reason. */
const recordPreparations = async (
  act: (calls: string[]) => Promise<void>,
  fails: Partial<Record<Slot, string>> = {},
) => {
  const usual = setup.models.prepare
  const calls: string[] = []
  setup.models.prepare = async (slot, { model, provider, url, apiKey }) => {
    calls.push([slot, provider ?? 'local', model, url, apiKey].filter((part) => part !== null).join(' '))
    const reason = fails[slot]
    if (reason !== undefined) throw new ModelError(reason)
  }
  try {
    await act(calls)
  } finally {
    setup.models.prepare = usual
  }
}

const findKeysOnDisk = async (personaPath: string, keys: readonly string[]): Promise<readonly string[]> => {
  const file = await readFile(
    join(setup.daemon.home, 'personas', getPersonaId(personaPath), 'secrets'),
  ).catch(() => Buffer.alloc(0))
  return keys.filter((key) => file.includes(key))
}

test('prepares, stores and returns every organ that has a model, and shows its key only to its creator', () =>
  recordPreparations(async (calls) => {
    const fields = Object.fromEntries(
      otherSlots.flatMap((slot, n) => [
        [`${slot}_model`, `${slot}-1`],
        [`${slot}_provider`, providers[n % 4]],
        [`${slot}_api_key`, `sk-${slot}-key`],
      ]),
    )
    const [status, { persona }] = await create({
      ...fields,
      thinking_provider: 'openai',
      thinking_url: 'http://own/v1',
      thinking_api_key: 'sk-mind-key',
    })
    assert.is(status, 200)
    assert.equal(calls, [
      'thinking openai llama http://own/v1 sk-mind-key',
      ...otherSlots.map((slot, n) => `${slot} ${providers[n % 4]} ${slot}-1 sk-${slot}-key`),
    ])
    assert.equal(
      setup.models.doneCalls.filter((action) => action.startsWith('wrap')),
      [],
    )
    const { id, base_model } = persona
    assert.equal(
      [base_model, persona.thinking],
      ['', { name: 'llama', provider: 'openai', url: 'http://own/v1', api_key: 'sk-mind-key' }],
    )
    const urls = (await setup.get('/api/config/providers'))[1]
    for (const [n, slot] of otherSlots.entries()) {
      const provider = providers[n % 4] ?? ''
      const organ = { name: `${slot}-1`, provider, url: urls[provider].url }
      assert.equal(persona[slot], { ...organ, api_key: `sk-${slot}-key` })
      assert.equal((await setup.view(id))[slot], organ)
    }
    const facts = await setup.facts(id)
    assert.equal(getTitles(facts).slice(0, Slot.options.length + 3), [
      'PersonaCreated',
      ...Slot.options.map(() => 'OrganReplaced'),
      'StartAsked',
      'Woke 1',
    ])
    for (const text of [...facts, (await setup.send({ path: '/api/personas' })).text])
      assert.not.match(text, /sk-/)
  }))

test('ignores an organ without a model and registers only the Mind', () =>
  recordPreparations(async (calls) => {
    const fields = otherSlots.flatMap((slot) => [
      [`${slot}_model`, slot === 'eye' ? 'llava' : slot === 'ear' ? '' : null],
      [`${slot}_provider`, slot === 'eye' ? '' : 'acme'],
      [`${slot}_url`, slot === 'eye' ? 'http://127.0.0.1:7' : 'http://me:pw@host'],
    ])
    const [status, { persona }] = await create(Object.fromEntries(fields))
    assert.is(status, 200)
    assert.equal(calls, ['thinking local llama', 'eye local llava http://127.0.0.1:7'])
    assert.equal(setup.models.doneCalls, [`wrap llama daimon-${persona.id}`])
    assert.equal(persona.eye, { name: 'llava', provider: null, url: 'http://127.0.0.1:7', api_key: null })
    for (const slot of otherSlots) if (slot !== 'eye') assert.is(persona[slot], null)
  }))

test('refuses an invalid organ before any is prepared', () =>
  recordPreparations(async (calls) => {
    const personaCountBefore = await countPersonas()
    const getDetail = async (fields: object) => {
      const [status, { detail }] = await create(fields)
      assert.is(status, 400, JSON.stringify(fields))
      return detail
    }
    for (const slot of otherSlots) {
      assert.match(
        await getDetail({ [`${slot}_model`]: 'x', [`${slot}_provider`]: 'acme' }),
        /^Provider must be one of/,
      )
      assert.match(await getDetail({ [`${slot}_model`]: '  ' }), /^A model name is required\.$/)
      assert.match(
        await getDetail({ [`${slot}_model`]: ' ', [`${slot}_provider`]: 'xai' }),
        /remote provider\.$/,
      )
      assert.match(
        await getDetail({ [`${slot}_model`]: 'x', [`${slot}_url`]: 'http://me:pw@host' }),
        /^An address must not hold/,
      )
      assert.match(await getDetail({ [`${slot}_model`]: 'x'.repeat(1001) }), /too long/)
    }
    assert.equal([calls, await countPersonas()], [[], personaCountBefore])
  }))

test('names the first organ that cannot be prepared and creates no persona', async () => {
  const personaCountBefore = await countPersonas()
  const fields = Object.fromEntries(otherSlots.map((slot) => [`${slot}_model`, 'x']))
  const organs = Object.fromEntries(
    Slot.options.map((slot) => [slot, { model: 'x', api_key: `sk-late-${slot}` }]),
  )
  const personaPath = await setup.home()
  const viewBefore = await getView(personaPath)
  for (const [n, slot] of Slot.options.entries()) {
    const fails = Object.fromEntries(Slot.options.slice(n).map((slot) => [slot, `no ${slot}.`]))
    await recordPreparations(async () => {
      const refusal: Answer = [
        400,
        { detail: `The ${organTable[slot].title} could not be prepared: no ${slot}.` },
      ]
      assert.equal(await create(fields), refusal)
      assert.equal(await update(personaPath, { ...organs, name: 'Eva' }), refusal)
    }, fails)
  }
  assert.equal([await countPersonas(), await getView(personaPath)], [personaCountBefore + 1, viewBefore])
  assert.equal(await findKeysOnDisk(personaPath, ['sk-late']), [])
})

test('aborts the other preparations when one fails', async () => {
  const usual = setup.models.prepare
  let cutCount = 0
  setup.models.prepare = async (slot, _organ, _progress, signal) => {
    if (slot === 'thinking') throw new ModelError('no runtime.')
    await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    cutCount++
    throw signal?.reason
  }
  try {
    assert.equal(await create({ eye_model: 'x', ear_model: 'y' }), [
      400,
      { detail: 'The Mind could not be prepared: no runtime.' },
    ])
    await waitFor('the other preparations to be aborted', () => cutCount === 2)
  } finally {
    setup.models.prepare = usual
  }
})

test('replaces and removes organs by an update and keeps those it does not name', () =>
  recordPreparations(async (calls) => {
    const personaPath = await setup.home({ eye_model: 'llava', ear_model: 'whisper', mouth_model: 'kokoro' })
    calls.length = 0
    const body = {
      eye: { model: 'opus', provider: 'anthropic' },
      clear_ear: true,
      mouth: null,
      clear_mouth: false,
      clear_teacher: true,
    }
    assert.equal(await update(personaPath, body), [200, { status: 'active', running: true }])
    const { thinking, imagination, eye, ear, mouth, teacher, researcher } = await getView(personaPath)
    assert.equal(
      [eye.name, eye.provider, ear, mouth.name, thinking.name],
      ['opus', 'anthropic', null, 'kokoro', 'llama'],
    )
    assert.equal([imagination, teacher, researcher], [null, null, null])
    assert.equal(calls, ['eye anthropic opus'])
    assert.equal(
      getTitles(await setup.facts(getPersonaId(personaPath))).filter((title) => title.startsWith('Organ')),
      [
        ...Slot.options
          .filter((slot) => ['thinking', 'mouth', 'eye', 'ear'].includes(slot))
          .map(() => 'OrganReplaced'),
        'OrganRemoved',
        'OrganReplaced',
      ],
    )
  }))

test('restarts a running persona with a new organ and leaves a stopped one stopped', async () => {
  const personaPath = await setup.home()
  const wakings = async () =>
    getTitles(await setup.facts(getPersonaId(personaPath))).filter((title) => title.startsWith('Woke')).length
  assert.equal(await update(personaPath, { eye: { model: 'llava' } }), [
    200,
    { status: 'active', running: true },
  ])
  assert.is(await wakings(), 2)
  assert.equal(await update(personaPath, { clear_eye: true }), [200, { status: 'active', running: true }])
  assert.is(await wakings(), 3)
  await setup.post(`${personaPath}/stop`)
  assert.equal(await update(personaPath, { eye: { model: 'llava' } }), [
    200,
    { status: 'active', running: false },
  ])
  assert.is(await wakings(), 3)
})

test('keeps the key of each organ while its provider and address stay the same', () =>
  recordPreparations(async (calls) => {
    const personaPath = await setup.home({
      eye_model: 'a',
      eye_provider: 'openai',
      eye_api_key: 'sk-eye-key',
      ear_model: 'a',
      ear_provider: 'openai',
      ear_api_key: 'sk-ear-key',
    })
    const keyAfter = async (eye: object) => {
      calls.length = 0
      assert.is((await update(personaPath, { eye: { model: 'b', provider: 'openai', ...eye } }))[0], 200)
      return calls[0]?.split(' ').find((part) => part.startsWith('sk-')) ?? null
    }
    const configuredUrl = (await setup.get('/api/config/providers'))[1].openai.url
    assert.is(await keyAfter({}), 'sk-eye-key')
    assert.is(await keyAfter({ api_key: null, url: `${configuredUrl}/v1/` }), 'sk-eye-key')
    assert.is(await keyAfter({ provider: 'xai' }), null)
    assert.is(await keyAfter({ api_key: 'sk-new-key' }), 'sk-new-key')
    assert.is(await keyAfter({ url: 'http://other' }), null)
    assert.is(await keyAfter({ api_key: 'sk-third-key' }), 'sk-third-key')
    assert.is(await keyAfter({ api_key: '' }), null)
    assert.is(await keyAfter({}), null)
    const keys = ['sk-eye-key', 'sk-new-key', 'sk-third-key', 'sk-ear-key']
    assert.equal(await findKeysOnDisk(personaPath, keys), ['sk-ear-key'])
    assert.is((await update(personaPath, { clear_ear: true }))[0], 200)
    assert.equal(await findKeysOnDisk(personaPath, keys), [])
  }))

test('stores no key when the wrapper of the Mind cannot be created', async () => {
  const personaPath = await setup.home({ eye_model: 'a', eye_api_key: 'sk-eye-key' })
  setup.models.brokenMethods.wrap = 'No runtime answers.'
  const keys = {
    thinking: { model: 'qwen', api_key: 'sk-mind-key' },
    eye: { model: 'b', api_key: 'sk-eye-late' },
  }
  assert.equal(await update(personaPath, keys), [400, { detail: 'No runtime answers.' }])
  assert.equal(await findKeysOnDisk(personaPath, ['sk-mind-key', 'sk-eye-late', 'sk-eye-key']), [
    'sk-eye-key',
  ])
  assert.equal(joinKeys((await getView(personaPath)).eye), 'name provider url')
})

test.run()
