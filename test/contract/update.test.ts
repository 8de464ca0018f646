/** POST /api/persona/{persona_id}/update */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { getTitles, invalidBody, joinKeys, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)
const update = (personaPath: string, body: unknown) => setup.post(`${personaPath}/update`, body)
const getId = (personaPath: string) => personaPath.split('/')[3] ?? ''
const getView = (personaPath: string) => setup.view(getId(personaPath))

test('returns exactly the resulting status and whether the persona runs', async () => {
  const personaPath = await setup.home()
  const [status, body] = await update(personaPath, { status: 'active' })
  assert.equal([status, joinKeys(body), body], [200, 'status running', { status: 'active', running: true }])
})

test('accepts every field as optional and treats a null organ as omitted', async () => {
  const personaPath = await setup.home()
  const viewBefore = await getView(personaPath)
  const emptyOrgans = {
    thinking: null,
    imagination: null,
    mouth: null,
    eye: null,
    ear: null,
    teacher: null,
    researcher: null,
  }
  for (const body of [{}, emptyOrgans, { clear_eye: false, clear_ear: null }, { odd: 1, api_key: 'x' }])
    assert.equal(await update(personaPath, body), [200, { status: 'active', running: true }])
  assert.equal(await getView(personaPath), viewBefore)
  assert.equal(
    setup.models.doneCalls.filter((action) => /^(prepare qwen|unwrap)/.test(action)),
    [],
  )
})

test('sets each of the three statuses, and starts or stops the persona', async () => {
  const personaPath = await setup.home()
  for (const status of ['hibernate', 'sick']) {
    assert.equal(await update(personaPath, { status }), [200, { status, running: false }])
    assert.equal(await update(personaPath, { status }), [200, { status, running: false }])
    assert.is((await getView(personaPath)).status, status)
    assert.equal(await update(personaPath, { status: 'active' }), [200, { status: 'active', running: true }])
  }
})

test('refuses any other status of any type with the sentence of the contract', async () => {
  const personaPath = await setup.home()
  for (const status of [
    'sleeping',
    '',
    'Active',
    ' active',
    'running',
    5,
    0,
    true,
    false,
    [],
    ['active'],
    {},
    { active: true },
  ])
    assert.equal(
      await update(personaPath, { status }),
      [400, { detail: 'Status must be one of: active, hibernate, sick.' }],
      JSON.stringify(status),
    )
  assert.equal(await update(personaPath, {}), [200, { status: 'active', running: true }])
})

test('prepares, registers and shows a new Mind, and restarts a running persona', async () => {
  const personaPath = await setup.home()
  setup.models.doneCalls.length = 0
  assert.equal(await update(personaPath, { thinking: { model: 'qwen' } }), [
    200,
    { status: 'active', running: true },
  ])
  assert.equal(setup.models.doneCalls.slice(0, 2), ['prepare qwen', `wrap qwen daimon-${getId(personaPath)}`])
  const { base_model, thinking } = await getView(personaPath)
  assert.equal([base_model, thinking], ['qwen', { name: 'qwen', provider: null, url: 'http://127.0.0.1:9' }])
})

test('does not start a stopped persona for a new Mind', async () => {
  const personaPath = await setup.home()
  await setup.post(`${personaPath}/stop`)
  assert.equal(await update(personaPath, { thinking: { model: 'qwen' } }), [
    200,
    { status: 'active', running: false },
  ])
  assert.is((await getView(personaPath)).base_model, 'qwen')
})

test('accepts a missing, null, empty or named local provider', async () => {
  const personaPath = await setup.home()
  for (const provider of [undefined, null, '', 'local']) {
    assert.is((await update(personaPath, { thinking: { model: 'qwen', provider } }))[0], 200)
    assert.is((await getView(personaPath)).thinking.provider, null)
  }
})

test('returns 400 for an invalid organ without a model call', async () => {
  const personaPath = await setup.home()
  const viewBefore = await getView(personaPath)
  setup.models.doneCalls.length = 0
  const detail = async (body: object) => {
    const [status, responseBody] = await update(personaPath, body)
    assert.is(status, 400, JSON.stringify(body))
    return responseBody.detail
  }
  for (const slot of ['thinking', 'imagination', 'mouth', 'eye', 'ear', 'teacher', 'researcher'])
    for (const organ of [
      5,
      'llama',
      [],
      true,
      false,
      '',
      { model: 'x', url: 5 },
      { model: 'x', api_key: {} },
    ])
      assert.is(
        await detail({ [slot]: organ }),
        `The ${slot} organ must be an object of strings: model, provider, url, api_key.`,
      )
  for (const slot of ['thinking', 'researcher']) {
    for (const model of [undefined, null, '', '  ', 5, {}])
      assert.is(await detail({ [slot]: { model } }), 'A model name is required.')
    for (const model of [undefined, ''])
      assert.is(
        await detail({ [slot]: { model, provider: 'openai' } }),
        'A model name is required when using a remote provider.',
      )
    for (const provider of ['acme', 'OPENAI', 5, {}, []])
      assert.is(
        await detail({ [slot]: { model: 'x', provider } }),
        'Provider must be one of: anthropic, openai, xai, gemini, or local.',
      )
  }
  assert.equal([setup.models.doneCalls, await getView(personaPath)], [[], viewBefore])
})

test('prefers a clear flag to an organ for the same slot, even an invalid one, and prepares no model', async () => {
  const personaPath = await setup.home()
  setup.models.doneCalls.length = 0
  for (const slot of ['imagination', 'mouth', 'eye', 'ear', 'teacher', 'researcher'])
    for (const organ of [{ model: 'x' }, 5, { model: '' }])
      assert.equal(await update(personaPath, { [slot]: organ, [`clear_${slot}`]: true }), [
        200,
        { status: 'active', running: true },
      ])
  assert.equal(setup.models.doneCalls, [])
})

test('ignores a clear flag that is not true', async () => {
  const personaPath = await setup.home()
  for (const flag of ['true', 1, {}, false, null]) {
    assert.is((await update(personaPath, { eye: { model: 'x' }, clear_eye: flag }))[0], 200)
    assert.is((await getView(personaPath)).eye.name, 'x')
    await update(personaPath, { clear_eye: true })
  }
})

test('replaces the Mind but never removes it', async () => {
  const personaPath = await setup.home()
  assert.is((await update(personaPath, { clear_thinking: true }))[0], 200)
  assert.is((await getView(personaPath)).base_model, 'llama')
  assert.is((await update(personaPath, { clear_thinking: true, thinking: { model: 'qwen' } }))[0], 200)
  assert.is((await getView(personaPath)).base_model, 'qwen')
})

test('keeps a key with its address and never uses it for another', async () => {
  const personaPath = await setup.home({ thinking_api_key: 'sk-1', thinking_url: 'http://a:1' })
  const keyAfter = async (thinkingFields: object) => {
    setup.models.keys.length = 0
    assert.is((await update(personaPath, { thinking: { model: 'qwen', ...thinkingFields } }))[0], 200)
    return setup.models.keys[0]
  }
  assert.is(await keyAfter({ url: 'http://a:1' }), 'sk-1')
  assert.is(await keyAfter({ url: 'http://a:1/v1', api_key: null }), 'sk-1')
  assert.is(await keyAfter({ url: 'http://b:1' }), null)
  assert.is(await keyAfter({ url: 'http://a:1' }), null, 'a dropped key is not restored')
  assert.is(await keyAfter({ url: 'http://b:1', api_key: 'sk-2' }), 'sk-2')
  assert.is(await keyAfter({ url: 'http://b:1', api_key: '' }), null)
  assert.is(await keyAfter({ url: 'http://b:1' }), null)
})

test('gives an organ the key of another organ of the same provider and address', async () => {
  const personaPath = await setup.home({
    thinking_model: 'gpt-5',
    thinking_provider: 'openai',
    thinking_api_key: 'sk-1',
    researcher_model: 'llama',
  })
  const apply = async (body: object) => {
    setup.models.keys.length = 0
    setup.models.doneCalls.length = 0
    const [status, answer] = await update(personaPath, body)
    const preparedKeys = setup.models.keys.filter((_, i) => /^prepare /.test(setup.models.doneCalls[i] ?? ''))
    return status === 200 ? preparedKeys : [status, answer.detail]
  }
  const fromMind = { model: 'gpt-5-mini', provider: 'openai', api_key_from: 'thinking' }
  assert.equal(await apply({ eye: fromMind }), ['sk-1'])
  // The copy is a key of its own.
  assert.equal(await apply({ thinking: { model: 'llama' } }), [null])
  assert.equal(await apply({ eye: { model: 'gpt-5', provider: 'openai' } }), ['sk-1'])
  assert.equal(await apply({ thinking: { ...fromMind, api_key_from: 'eye' } }), ['sk-1'])
  assert.equal(await apply({ ear: { ...fromMind, api_key: 'sk-2' } }), ['sk-2'])
  assert.equal(
    await apply({
      thinking: { model: 'gpt-5', provider: 'openai', api_key: 'sk-3' },
      mouth: { ...fromMind, model: 'tts-1' },
    }),
    ['sk-3', 'sk-3'],
  )

  const elsewhere =
    'The stored key of this provider belongs to another address, and is sent nowhere else. Give the key of this address as api_key.'
  for (const organ of [
    { ...fromMind, url: 'http://127.0.0.1:7' },
    { ...fromMind, provider: 'anthropic' },
    { ...fromMind, api_key_from: 'researcher' },
  ])
    assert.equal(await apply({ teacher: organ }), [400, elsewhere])
  assert.equal(await apply({ teacher: { ...fromMind, api_key_from: 'imagination' } }), [
    400,
    'No key of this provider is stored for this address. Give it as api_key.',
  ])
  for (const api_key_from of ['teacher', 'nose', 5, {}])
    assert.equal(await apply({ teacher: { ...fromMind, api_key_from } }), [
      400,
      'api_key_from must name another organ of the persona, which does not use api_key_from itself.',
    ])
  assert.is((await apply({ eye: { ...fromMind, api_key_from: 'ear' }, ear: { ...fromMind } }))[0], 400)
  assert.is((await getView(personaPath)).teacher, null)
})

test('stores the profile of a Mind until the next Mind, and refuses one for another organ', async () => {
  const at = await setup.home()
  const profileAfter = async (profile?: unknown) => {
    assert.is((await update(at, { thinking: { model: 'qwen', profile } }))[0], 200)
    return (await getView(at)).thinking.profile
  }
  assert.is(await profileAfter('compact'), 'compact')
  assert.is(await profileAfter('full'), 'full')
  assert.is(await profileAfter(), undefined)
  await profileAfter('compact')
  assert.is(await profileAfter('auto'), undefined)
  for (const change of [
    { thinking: { model: 'qwen', profile: 'tiny' } },
    { eye: { model: 'llava', profile: 'compact' } },
  ])
    assert.equal(await update(at, change), [
      400,
      { detail: 'Profile must be one of: full, compact, or auto, and only the Mind has one.' },
    ])
})

test('unregisters the wrapper of a Mind at its old address', async () => {
  const personaPath = await setup.home({ thinking_url: 'http://a:1' })
  await update(personaPath, { thinking: { model: 'llama', url: 'http://b:1' } })
  assert.ok(setup.models.doneCalls.includes(`unwrap llama daimon-${getId(personaPath)} http://a:1`))
  await update(personaPath, { thinking: { model: 'embedded/practice' } })
  assert.ok(setup.models.doneCalls.includes(`unwrap llama daimon-${getId(personaPath)} http://b:1`))
})

test('changes nothing if the Mind cannot be prepared or registered', async () => {
  const personaPath = await setup.home()
  const viewBefore = await getView(personaPath)
  const reason = 'No runtime answers.'
  for (const [action, detail] of [
    ['prepare', `The Mind could not be prepared: ${reason}`],
    ['wrap', reason],
  ] as const) {
    setup.models.brokenMethods[action] = reason
    assert.equal(await update(personaPath, { thinking: { model: 'qwen' }, status: 'sick', name: 'Eva' }), [
      400,
      { detail },
    ])
    delete setup.models.brokenMethods[action]
  }
  assert.equal(await getView(personaPath), viewBefore)
})

test('keeps the saved changes when the persona cannot be restarted', async () => {
  const personaPath = await setup.home()
  setup.models.brokenMethods.probe = 'Nobody is there.'
  const lifecycleFailure = [500, { detail: 'Updated but lifecycle change failed: Nobody is there.' }]
  assert.equal(await update(personaPath, { thinking: { model: 'qwen' } }), lifecycleFailure)
  assert.equal(((view) => [view.base_model, view.running])(await getView(personaPath)), ['qwen', true])
  assert.equal(await update(personaPath, { status: 'hibernate' }), [
    200,
    { status: 'hibernate', running: false },
  ])
  assert.equal(await update(personaPath, { status: 'active' }), lifecycleFailure)
  assert.equal(((view) => [view.status, view.running])(await getView(personaPath)), ['active', false])
  assert.equal(await update(personaPath, {}), [200, { status: 'active', running: false }])
})

test('sets name and idle timeout without a restart', async () => {
  const personaPath = await setup.home()
  assert.equal(await update(personaPath, { name: 'Eva 🙂', idle_timeout: 60 }), [
    200,
    { status: 'active', running: true },
  ])
  assert.is((await getView(personaPath)).name, 'Eva 🙂')
  assert.equal(getTitles(await setup.facts(getId(personaPath))), [
    ...[
      'PersonaCreated',
      'OrganReplaced',
      'StartAsked',
      'Woke 1',
      'DiaryWritten',
      'Renamed',
      'IdleTimeoutSet',
      'Renamed',
    ],
  ])
})

test('refuses a name that is not text and a timeout that is not a count of seconds', async () => {
  const personaPath = await setup.home()
  for (const name of [5, true, [], {}])
    assert.equal(await update(personaPath, { name }), [400, { detail: 'Name must be a string.' }])
  for (const idle_timeout of [0, -1, 1.5, '60', true, [], 1e300])
    assert.equal(await update(personaPath, { idle_timeout }), [
      400,
      { detail: 'Idle timeout must be a whole number of seconds, 1 or more.' },
    ])
  assert.is((await update(personaPath, { name: 'x'.repeat(1001) }))[0], 400)
  assert.is((await getView(personaPath)).name, 'Ada')
})

test('saves nothing if one part is invalid', async () => {
  const personaPath = await setup.home()
  for (const invalidField of [
    { status: 'odd' },
    { idle_timeout: 0 },
    { thinking: { model: '' } },
    { ear: 5 },
  ])
    assert.is((await update(personaPath, { name: 'Eva', ...invalidField }))[0], 400)
  assert.is((await getView(personaPath)).name, 'Ada')
})

test('returns 422 for a body that is not an object, also for a missing persona', async () => {
  const personaPath = await setup.home()
  for (const path of [personaPath, '/api/persona/nobody']) {
    for (const input of [[], [{}], 'active', 5, true])
      assert.equal(
        await update(path, input),
        invalidBody('dict_type', ['body'], 'Input should be a valid dictionary', { input }),
      )
    const missingBody = invalidBody('missing', ['body'], 'Field required', { input: null })
    assert.equal(await update(path, null), missingBody)
    assert.equal(await setup.post(`${path}/update`), missingBody)
  }
})

test('returns 404 for a missing persona', async () => {
  for (const body of [{}, { status: 'odd' }, { thinking: 5 }])
    assert.equal(await update('/api/persona/nobody', body), unknownPersona)
})

/** Replaces a function of the models while `run` is running. */
const withReplacement = async <D extends 'prepare' | 'wrap' | 'probe'>(
  action: D,
  fallback: (typeof setup.models)[D],
  act: () => Promise<void>,
) => {
  const usual = setup.models[action]
  setup.models[action] = fallback
  try {
    await act()
  } finally {
    setup.models[action] = usual
  }
}

test('shows the registered Mind after two concurrent updates', async () => {
  const personaPath = await setup.home()
  let registeredModel = ''
  const wrap = async ({ model }: { model: string }) => {
    await pause(model === 'slow' ? 100 : 0)
    registeredModel = model
  }
  await withReplacement('wrap', wrap, async () => {
    const updates = ['slow', 'quick'].map((model) => update(personaPath, { thinking: { model } }))
    for (const [status] of await Promise.all(updates)) assert.is(status, 200)
    assert.is((await getView(personaPath)).base_model, registeredModel)
  })
})

test('registers no model and stores no key for a persona that is deleted while its new Mind is prepared', async () => {
  const personaPath = await setup.home()
  let go = () => {}
  const preparation = new Promise<void>((resolve) => {
    go = resolve
  })
  let isPreparing = false
  const prepare = () => {
    isPreparing = true
    return preparation
  }
  await withReplacement('prepare', prepare, async () => {
    const updating = update(personaPath, { thinking: { model: 'qwen', api_key: 'sk-late' } })
    await waitFor('the preparation', () => isPreparing)
    assert.equal(await setup.post(`${personaPath}/delete`), [200, null])
    setup.models.doneCalls.length = 0
    go()
    assert.equal(await updating, unknownPersona)
    assert.equal(setup.models.doneCalls, [])
    assert.not.ok(existsSync(join(setup.daemon.home, 'personas', getId(personaPath))))
  })
})

test('refuses an address with a name or password before it calls a model', async () => {
  const personaPath = await setup.home()
  setup.models.doneCalls.length = 0
  for (const url of ['http://me:pw@host:1', 'http://me@host', 'https://:pw@host/v1', ' http:me:pw@host'])
    assert.equal(await update(personaPath, { thinking: { model: 'x', url } }), [
      400,
      { detail: 'An address must not hold a name or password; give the key as api_key.' },
    ])
  assert.equal(setup.models.doneCalls, [])
  assert.is((await update(personaPath, { thinking: { model: 'x', url: 'http://host/@me:pw' } }))[0], 200)
})

test.run()
