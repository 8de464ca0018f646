/** POST /api/persona/{persona_id}/update */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { getTitles, invalidBody, joinKeys, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)
const update = (at: string, body: unknown) => setup.post(`${at}/update`, body)
const getId = (at: string) => at.split('/')[3] ?? ''
const getView = (at: string) => setup.view(getId(at))

test('returns exactly the resulting status and whether the persona runs', async () => {
  const at = await setup.home()
  const [status, body] = await update(at, { status: 'active' })
  assert.equal([status, joinKeys(body), body], [200, 'status running', { status: 'active', running: true }])
})

test('accepts every field as optional and treats a null organ as omitted', async () => {
  const at = await setup.home()
  const before = await getView(at)
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
    assert.equal(await update(at, body), [200, { status: 'active', running: true }])
  assert.equal(await getView(at), before)
  assert.equal(
    setup.models.done.filter((action) => /^(prepare qwen|unwrap)/.test(action)),
    [],
  )
})

test('sets each of the three statuses, and starts or stops the persona', async () => {
  const at = await setup.home()
  for (const status of ['hibernate', 'sick']) {
    assert.equal(await update(at, { status }), [200, { status, running: false }])
    assert.equal(await update(at, { status }), [200, { status, running: false }])
    assert.is((await getView(at)).status, status)
    assert.equal(await update(at, { status: 'active' }), [200, { status: 'active', running: true }])
  }
})

test('refuses any other status of any type with the sentence of the contract', async () => {
  const at = await setup.home()
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
      await update(at, { status }),
      [400, { detail: 'Status must be one of: active, hibernate, sick.' }],
      JSON.stringify(status),
    )
  assert.equal(await update(at, {}), [200, { status: 'active', running: true }])
})

test('prepares, registers and shows a new Mind, and restarts a running persona', async () => {
  const at = await setup.home()
  setup.models.done.length = 0
  assert.equal(await update(at, { thinking: { model: 'qwen' } }), [200, { status: 'active', running: true }])
  assert.equal(setup.models.done.slice(0, 2), ['prepare qwen', `wrap qwen daimon-${getId(at)}`])
  const { base_model, thinking } = await getView(at)
  assert.equal([base_model, thinking], ['qwen', { name: 'qwen', provider: null, url: 'http://127.0.0.1:9' }])
})

test('does not start a stopped persona for a new Mind', async () => {
  const at = await setup.home()
  await setup.post(`${at}/stop`)
  assert.equal(await update(at, { thinking: { model: 'qwen' } }), [200, { status: 'active', running: false }])
  assert.is((await getView(at)).base_model, 'qwen')
})

test('accepts a missing, null, empty or named local provider', async () => {
  const at = await setup.home()
  for (const provider of [undefined, null, '', 'local']) {
    assert.is((await update(at, { thinking: { model: 'qwen', provider } }))[0], 200)
    assert.is((await getView(at)).thinking.provider, null)
  }
})

test('returns 400 for an invalid organ without a model call', async () => {
  const at = await setup.home()
  const before = await getView(at)
  setup.models.done.length = 0
  const detail = async (body: object) => {
    const [status, responseBody] = await update(at, body)
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
  assert.equal([setup.models.done, await getView(at)], [[], before])
})

test('prefers a clear flag to an organ for the same slot, even an invalid one, and prepares no model', async () => {
  const at = await setup.home()
  setup.models.done.length = 0
  for (const slot of ['imagination', 'mouth', 'eye', 'ear', 'teacher', 'researcher'])
    for (const organ of [{ model: 'x' }, 5, { model: '' }])
      assert.equal(await update(at, { [slot]: organ, [`clear_${slot}`]: true }), [
        200,
        { status: 'active', running: true },
      ])
  assert.equal(setup.models.done, [])
})

test('ignores a clear flag that is not true', async () => {
  const at = await setup.home()
  for (const flag of ['true', 1, {}, false, null]) {
    assert.is((await update(at, { eye: { model: 'x' }, clear_eye: flag }))[0], 200)
    assert.is((await getView(at)).eye.name, 'x')
    await update(at, { clear_eye: true })
  }
})

test('replaces the Mind but never removes it', async () => {
  const at = await setup.home()
  assert.is((await update(at, { clear_thinking: true }))[0], 200)
  assert.is((await getView(at)).base_model, 'llama')
  assert.is((await update(at, { clear_thinking: true, thinking: { model: 'qwen' } }))[0], 200)
  assert.is((await getView(at)).base_model, 'qwen')
})

test('keeps a key with its address and never uses it for another', async () => {
  const at = await setup.home({ thinking_api_key: 'sk-1', thinking_url: 'http://a:1' })
  const keyAfter = async (thinking: object) => {
    setup.models.keys.length = 0
    assert.is((await update(at, { thinking: { model: 'qwen', ...thinking } }))[0], 200)
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
  const at = await setup.home({ thinking_url: 'http://a:1' })
  await update(at, { thinking: { model: 'llama', url: 'http://b:1' } })
  assert.ok(setup.models.done.includes(`unwrap llama daimon-${getId(at)} http://a:1`))
  await update(at, { thinking: { model: 'embedded/practice' } })
  assert.ok(setup.models.done.includes(`unwrap llama daimon-${getId(at)} http://b:1`))
})

test('changes nothing if the Mind cannot be prepared or registered', async () => {
  const at = await setup.home()
  const before = await getView(at)
  const reason = 'No runtime answers.'
  for (const [action, detail] of [
    ['prepare', `The Mind could not be prepared: ${reason}`],
    ['wrap', reason],
  ] as const) {
    setup.models.broken[action] = reason
    assert.equal(await update(at, { thinking: { model: 'qwen' }, status: 'sick', name: 'Eva' }), [
      400,
      { detail },
    ])
    delete setup.models.broken[action]
  }
  assert.equal(await getView(at), before)
})

test('keeps the saved changes when the persona cannot be restarted', async () => {
  const at = await setup.home()
  setup.models.broken.probe = 'Nobody is there.'
  const failed = [500, { detail: 'Updated but lifecycle change failed: Nobody is there.' }]
  assert.equal(await update(at, { thinking: { model: 'qwen' } }), failed)
  assert.equal(((view) => [view.base_model, view.running])(await getView(at)), ['qwen', true])
  assert.equal(await update(at, { status: 'hibernate' }), [200, { status: 'hibernate', running: false }])
  assert.equal(await update(at, { status: 'active' }), failed)
  assert.equal(((view) => [view.status, view.running])(await getView(at)), ['active', false])
  assert.equal(await update(at, {}), [200, { status: 'active', running: false }])
})

test('sets name and idle timeout without a restart', async () => {
  const at = await setup.home()
  assert.equal(await update(at, { name: 'Eva 🙂', idle_timeout: 60 }), [
    200,
    { status: 'active', running: true },
  ])
  assert.is((await getView(at)).name, 'Eva 🙂')
  assert.equal(getTitles(await setup.facts(getId(at))), [
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
  const at = await setup.home()
  for (const name of [5, true, [], {}])
    assert.equal(await update(at, { name }), [400, { detail: 'Name must be a string.' }])
  for (const idle_timeout of [0, -1, 1.5, '60', true, [], 1e300])
    assert.equal(await update(at, { idle_timeout }), [
      400,
      { detail: 'Idle timeout must be a whole number of seconds, 1 or more.' },
    ])
  assert.is((await update(at, { name: 'x'.repeat(1001) }))[0], 400)
  assert.is((await getView(at)).name, 'Ada')
})

test('saves nothing if one part is invalid', async () => {
  const at = await setup.home()
  for (const invalidField of [
    { status: 'odd' },
    { idle_timeout: 0 },
    { thinking: { model: '' } },
    { ear: 5 },
  ])
    assert.is((await update(at, { name: 'Eva', ...invalidField }))[0], 400)
  assert.is((await getView(at)).name, 'Ada')
})

test('returns 422 for a body that is not an object, also for a missing persona', async () => {
  const at = await setup.home()
  for (const path of [at, '/api/persona/nobody']) {
    for (const input of [[], [{}], 'active', 5, true])
      assert.equal(
        await update(path, input),
        invalidBody('dict_type', ['body'], 'Input should be a valid dictionary', { input }),
      )
    const missing = invalidBody('missing', ['body'], 'Field required', { input: null })
    assert.equal(await update(path, null), missing)
    assert.equal(await setup.post(`${path}/update`), missing)
  }
})

test('returns 404 for a missing persona', async () => {
  for (const body of [{}, { status: 'odd' }, { thinking: 5 }])
    assert.equal(await update('/api/persona/nobody', body), unknownPersona)
})

/** Replaces a function of the models while `run` is running. */
const withReplaced = async <D extends 'prepare' | 'wrap' | 'probe'>(
  action: D,
  otherwise: (typeof setup.models)[D],
  run: () => Promise<void>,
) => {
  const usual = setup.models[action]
  setup.models[action] = otherwise
  try {
    await run()
  } finally {
    setup.models[action] = usual
  }
}

test('shows the registered Mind after two concurrent updates', async () => {
  const at = await setup.home()
  let registeredModel = ''
  const wrap = async ({ model }: { model: string }) => {
    await pause(model === 'slow' ? 100 : 0)
    registeredModel = model
  }
  await withReplaced('wrap', wrap, async () => {
    const updates = ['slow', 'quick'].map((model) => update(at, { thinking: { model } }))
    for (const [status] of await Promise.all(updates)) assert.is(status, 200)
    assert.is((await getView(at)).base_model, registeredModel)
  })
})

test('registers no model and stores no key for a persona that is deleted while its new Mind is prepared', async () => {
  const at = await setup.home()
  let go = () => {}
  const preparation = new Promise<void>((resolve) => {
    go = resolve
  })
  let isPreparing = false
  const prepare = () => {
    isPreparing = true
    return preparation
  }
  await withReplaced('prepare', prepare, async () => {
    const updating = update(at, { thinking: { model: 'qwen', api_key: 'sk-late' } })
    await waitFor('the preparation', () => isPreparing)
    assert.equal(await setup.post(`${at}/delete`), [200, null])
    setup.models.done.length = 0
    go()
    assert.equal(await updating, unknownPersona)
    assert.equal(setup.models.done, [])
    assert.not.ok(existsSync(join(setup.daemon.home, 'personas', getId(at))))
  })
})

test('refuses an address with a name or password before it calls a model', async () => {
  const at = await setup.home()
  setup.models.done.length = 0
  for (const url of ['http://me:pw@host:1', 'http://me@host', 'https://:pw@host/v1', ' http:me:pw@host'])
    assert.equal(await update(at, { thinking: { model: 'x', url } }), [
      400,
      { detail: 'An address must not hold a name or password; give the key as api_key.' },
    ])
  assert.equal(setup.models.done, [])
  assert.is((await update(at, { thinking: { model: 'x', url: 'http://host/@me:pw' } }))[0], 200)
})

test.run()
