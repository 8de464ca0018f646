/** The routes over real HTTP and a real daemon, on models that can be broken. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startDaemon, tempHome } from '../daemon.ts'
import { standIn, withHouse } from './stand-in.ts'
import { ask } from './try.ts'

type Fields = Record<string, unknown>
const fields = (value: unknown) => value as Fields

// --- which refusal comes first

test(
  'an unknown path is not found, a known one names its methods',
  withHouse(async ({ send }) => {
    for (const path of [
      '/api',
      '/api/',
      '/api/personas/',
      '/api/Personas',
      '/api/persona/x/sing',
      '/api/persona/%E0%A4%A/read',
      '/v1',
      '/v1/x',
    ]) {
      const { status, text } = await send({ method: 'POST', path })
      assert.equal([status, JSON.parse(text).detail], [404, 'Not Found'], path)
    }
    for (const [method, path, allow] of [
      ['POST', '/api/personas', 'GET'],
      ['HEAD', '/api/personas', 'GET'],
      ['OPTIONS', '/api/personas', 'GET'],
      ['GET', '/api/persona/create', 'POST'],
      ['GET', '/api/persona/x/read', 'POST'],
      ['POST', '/api/persona/x/media/y', 'GET, HEAD'],
      ['HEAD', '/openapi.json', 'GET'],
      ['POST', '/', 'GET, HEAD'],
      ['OPTIONS', '/persona/1/talk', 'GET, HEAD'],
      ['DELETE', '/assets/x.js', 'GET, HEAD'],
    ] as const) {
      const { status, headers, text } = await send({ method, path })
      assert.equal([status, headers.allow], [405, allow], `${method} ${path}`)
      if (method !== 'HEAD') assert.equal(JSON.parse(text), { detail: 'Method Not Allowed' })
    }
  }),
)

test(
  'size comes before shape, shape before who, who before the rules',
  withHouse(
    async ({ post }) => {
      assert.is((await post('/api/persona/nobody/read', { message: 'x'.repeat(3000) }))[0], 413)
      assert.is((await post('/api/persona/nobody/read', { message: 'x'.repeat(600) }))[0], 413)
      assert.is((await post('/api/persona/nobody/read', { message: 5 }))[0], 422)
      assert.equal(await post('/api/persona/nobody/read', { message: 'x' }), [409, { detail: 'Persona is not active.' }])
      assert.is((await post('/api/persona/nobody/update', []))[0], 422)
      assert.equal(await post('/api/persona/nobody/update', { status: 'odd', thinking: 5 }), [404, { detail: 'Persona not found.' }])
      assert.is((await post('/api/persona/nobody/delete?force=maybe'))[0], 422)
      for (const deed of ['start', 'restart', 'delete', 'hush'])
        assert.equal(await post(`/api/persona/nobody/${deed}`), [404, { detail: 'Persona not found.' }], deed)
      assert.equal(await post('/api/persona/nobody/stop'), [404, { detail: 'Persona is not running.' }])
    },
    { env: { DAIMON_MAX_JSON: '2000', DAIMON_MAX_MESSAGE: '500' } },
  ),
)

test(
  'a route without a body reads none',
  withHouse(async ({ send, born }) => {
    const path = `/api/persona/${await born()}/start`
    for (const headers of [{ 'Content-Type': 'application/json' }, { 'Content-Type': 'text/plain' }, { 'Content-Encoding': 'odd' }]) {
      const { status, text } = await send({ method: 'POST', path, headers, body: '{broken' })
      assert.equal([status, text], [200, '{"status":"already running"}'])
    }
  }),
)

// --- create

test(
  'a created persona is told whole, with her key and her phrase',
  withHouse(async ({ post, models, get }) => {
    const [status, body] = await post('/api/persona/create', { name: 'Ada', thinking_model: 'llama', thinking_api_key: 'sk-local', odd: 1 })
    assert.is(status, 200)
    const { persona, recovery_phrase: phrase } = body as { persona: Fields; recovery_phrase: string }
    const id = String(persona.id)
    assert.is(phrase.split(' ').length, 24)
    assert.equal(
      Object.keys(persona).join(' '),
      'id name thinking version base_model birthday status idle_timeout imagination mouth eye ear teacher researcher channels',
    )
    assert.equal(persona.thinking, { name: `daimon-${id}`, provider: null, url: 'http://127.0.0.1:9', api_key: 'sk-local' })
    assert.equal([persona.base_model, persona.status, persona.idle_timeout, persona.channels], ['llama', 'active', 3600, []])
    assert.equal(models.done, ['prepare llama', `wrap llama daimon-${id}`])
    const [, list] = await get('/api/personas')
    const [view] = fields(list).personas as Fields[]
    assert.equal([view?.running, view?.base_model, fields(view?.thinking).name], [true, 'llama', 'llama'])
    assert.not.match(JSON.stringify(list), 'sk-local')
  }),
)

test(
  'null and an empty text are no answer to an optional field',
  withHouse(async ({ post }) => {
    const nothing = {
      thinking_url: '',
      thinking_provider: null,
      thinking_api_key: '',
      eye_model: '',
      ear_model: null,
      telegram_token: '',
      discord_token: null,
    }
    const [status, body] = await post('/api/persona/create', { name: '', thinking_model: 'embedded/practice', ...nothing })
    assert.is(status, 200)
    assert.equal(fields(fields(body).persona).thinking, { name: 'embedded/practice', provider: null, url: 'embedded:', api_key: null })
  }),
)

test(
  'what cannot be created is refused before any model is asked',
  withHouse(async ({ post, models, get }) => {
    const refused = async (more: object) =>
      (await post('/api/persona/create', { name: 'Ada', thinking_model: 'llama', ...more })) as [number, Fields]
    assert.equal(await refused({ thinking_provider: 'openai', thinking_model: '' }), [
      400,
      { detail: 'A model name is required when using a remote provider.' },
    ])
    assert.equal(await refused({ thinking_model: '' }), [400, { detail: 'A model name is required.' }])
    assert.equal(await refused({ thinking_provider: 'acme' }), [
      400,
      { detail: 'Provider must be one of: anthropic, openai, xai, gemini, or local.' },
    ])
    for (const more of [{ thinking_provider: 'openai' }, { eye_model: 'x' }, { telegram_token: 't' }, { discord_token: 't' }]) {
      const [status, { detail }] = await refused(more)
      assert.is(status, 400)
      assert.match(String(detail), /is not offered by this version\.$/)
    }
    assert.equal(models.done, [])
    assert.equal(await get('/api/personas'), [200, { personas: [] }])
  }),
)

test(
  'a model that cannot be prepared leaves nobody behind',
  withHouse(async ({ post, models, get }) => {
    models.broken.prepare = 'No runtime answers.'
    assert.equal(await post('/api/persona/create', { name: 'Ada', thinking_model: 'llama' }), [400, { detail: 'No runtime answers.' }])
    assert.equal(await get('/api/personas'), [200, { personas: [] }])
  }),
)

// --- body and soul

test(
  'she is started, stopped and restarted, and each says what happened',
  withHouse(async ({ post, born, models }) => {
    const at = `/api/persona/${await born()}`
    assert.equal(await post(`${at}/start`), [200, { status: 'already running' }])
    assert.equal(await post(`${at}/restart`), [200, { status: 'restarted' }])
    assert.equal(await post(`${at}/stop`), [200, { status: 'stopped' }])
    assert.equal(await post(`${at}/stop`), [404, { detail: 'Persona is not running.' }])
    assert.equal(await post(`${at}/read`, { message: 'hello' }), [409, { detail: 'Persona is not active.' }])
    models.broken.knock = 'Nobody at the door.'
    assert.equal(await post(`${at}/start`), [400, { detail: 'Nobody at the door.' }])
    assert.equal(await post(`${at}/restart`), [400, { detail: 'Nobody at the door.' }])
    delete models.broken.knock
    assert.equal(await post(`${at}/restart`), [200, { status: 'restarted' }])
    models.broken.knock = 'Nobody at the door.'
    assert.equal(await post(`${at}/restart`), [400, { detail: 'Nobody at the door.' }])
    assert.equal(await post(`${at}/start`), [200, { status: 'already running' }])
  }),
)

test(
  'an update of status or Mind is followed by her agent',
  withHouse(async ({ post, born, models }) => {
    const id = await born()
    const at = `/api/persona/${id}/update`
    assert.equal(await post(at, {}), [200, { status: 'active', running: true }])
    assert.equal(await post(at, { status: 'sick' }), [200, { status: 'sick', running: false }])
    assert.equal(await post(at, { thinking: { model: 'qwen' } }), [200, { status: 'sick', running: false }])
    assert.equal(await post(at, { status: 'active', name: 'Eva', idle_timeout: 60 }), [200, { status: 'active', running: true }])
    models.broken.knock = 'Nobody at the door.'
    assert.equal(await post(at, { status: 'active' }), [500, { detail: 'Updated but lifecycle change failed: Nobody at the door.' }])
    assert.equal(await post(at, {}), [200, { status: 'active', running: fields((await post(at, {}))[1]).running }])
    assert.ok(models.done.includes(`wrap qwen daimon-${id}`))
  }),
)

test(
  'what is wrong inside an update is a 400, and nothing is asked of a model',
  withHouse(async ({ post, born, models }) => {
    const at = `/api/persona/${await born()}/update`
    const before = models.done.length
    const detail = async (body: object) => {
      const [status, told] = await post(at, body)
      assert.is(status, 400, JSON.stringify(body))
      return fields(told).detail
    }
    for (const status of ['sleeping', '', 5, [], {}]) assert.is(await detail({ status }), 'Status must be one of: active, hibernate, sick.')
    for (const thinking of [5, 'llama', [], true, { model: 'x', url: 5 }, { model: 'x', api_key: {} }])
      assert.match(String(await detail({ thinking })), /^The thinking organ/)
    for (const model of [undefined, null, '', 5]) assert.is(await detail({ thinking: { model } }), 'A model name is required.')
    assert.is(await detail({ thinking: { model: '', provider: 'openai' } }), 'A model name is required when using a remote provider.')
    for (const provider of ['acme', 5, {}])
      assert.match(String(await detail({ thinking: { model: 'x', provider } })), /^Provider must be one of/)
    assert.match(String(await detail({ eye: { model: 'x' } })), /not offered/)
    assert.equal(await post(at, { eye: { model: 'x' }, clear_eye: true, thinking: null, odd: 1 }), [
      200,
      { status: 'active', running: true },
    ])
    assert.is(models.done.length, before)
  }),
)

test(
  'a kept key stays with its address and never follows to another',
  withHouse(async ({ post, born, models }) => {
    const at = `/api/persona/${await born({ thinking_api_key: 'sk-1', thinking_url: 'http://a:1' })}/update`
    const keyAfter = async (thinking: object) => {
      models.keys.length = 0
      assert.is((await post(at, { thinking: { model: 'qwen', ...thinking } }))[0], 200)
      return models.keys[0]
    }
    assert.is(await keyAfter({ url: 'http://a:1' }), 'sk-1')
    assert.is(await keyAfter({ url: 'http://a:1/v1', api_key: null }), 'sk-1')
    assert.is(await keyAfter({ url: 'http://b:1' }), null)
    assert.is(await keyAfter({ url: 'http://b:1', api_key: 'sk-2' }), 'sk-2')
    assert.is(await keyAfter({ url: 'http://b:1', api_key: '' }), null)
    assert.is(await keyAfter({ url: 'http://b:1' }), null)
  }),
)

test(
  'the wrapper of a Mind that moved away is unregistered where it was',
  withHouse(async ({ post, born, models }) => {
    const id = await born({ thinking_url: 'http://a:1' })
    await post(`/api/persona/${id}/update`, { thinking: { model: 'llama', url: 'http://b:1' } })
    assert.ok(models.done.includes(`unwrap llama daimon-${id} http://a:1`))
    await post(`/api/persona/${id}/update`, { thinking: { model: 'embedded/practice' } })
    assert.ok(models.done.includes(`unwrap llama daimon-${id} http://b:1`))
  }),
)

test(
  'she is deleted only if her model can be unregistered, or by force',
  withHouse(async ({ post, born, models, get }) => {
    const at = `/api/persona/${await born()}`
    models.broken.unwrap = 'No runtime answers.'
    assert.equal(await post(`${at}/delete`), [400, { detail: 'No runtime answers.' }])
    assert.equal(await post(`${at}/start`), [200, { status: 'already running' }])
    assert.equal(await post(`${at}/delete?force=true`), [200, null])
    assert.equal(await post(`${at}/delete`), [404, { detail: 'Persona not found.' }])
    assert.equal(await get('/api/personas'), [200, { personas: [] }])
  }),
)

// --- talk

test(
  'a message is received once the web channel is open',
  withHouse(async ({ post, born }) => {
    const at = `/api/persona/${await born()}/read`
    assert.equal(await post(at, { message: 'hello' }), [400, { detail: 'Web channel not connected' }])
    const [status, body] = await post(`${at}?wait=20`, { message: 'hello' })
    assert.is(status, 200)
    const { reply } = body as { reply: Fields }
    assert.equal([fields(body).status, reply.content, reply.media], ['received', 'You said: hello', null])
    assert.match(String(reply.time), /^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/)
    assert.equal(await post(at, { message: '' }), [200, { status: 'received' }])
  }),
)

test(
  'a message sent again under its key is heard once and has its one reply',
  withHouse(async ({ post, born, get }) => {
    const at = `/api/persona/${await born()}`
    const key = { 'Idempotency-Key': 'a' }
    const first = await post(`${at}/read?wait=20`, { message: 'once' }, key)
    await post(`${at}/read?wait=20`, { message: 'other' })
    assert.equal(await post(`${at}/read?wait=20`, { message: 'once' }, key), first)
    assert.equal(await post(`${at}/read`, { message: 'once' }, key), [200, { status: 'received' }])
    const [, said] = await get(`${at}/conversation`)
    assert.equal(
      (fields(said).messages as Fields[]).map(({ role, content }) => `${role}: ${content}`),
      ['person: once', 'assistant: You said: once', 'person: other', 'assistant: You said: other'],
    )
  }),
)

test(
  'a wait ends with its time, and a second one finds the answer that came later',
  withHouse(async ({ post, born, models }) => {
    const at = `/api/persona/${await born()}`
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    models.think = () => held
    const key = { 'Idempotency-Key': 'a' }
    assert.equal(await post(`${at}/read?wait=0.05`, { message: 'slow' }, key), [200, { status: 'received', reply: null }])
    const again = post(`${at}/read?wait=20`, { message: 'slow' }, key)
    await pause(50)
    answer()
    const [, body] = await again
    assert.is(fields(fields(body).reply).content, 'You said: slow')
  }),
)

test(
  'a hushed turn ends the wait with what was said',
  withHouse(async ({ post, born, models }) => {
    const at = `/api/persona/${await born()}`
    assert.equal(await post(`${at}/hush`), [200, { status: 'quiet' }])
    models.think = () => new Promise(() => {})
    const waiting = post(`${at}/read?wait=20`, { message: 'hello' })
    for (let hushed: unknown; hushed !== 'hushed'; await pause(10)) hushed = fields((await post(`${at}/hush`))[1]).status
    const [, body] = await waiting
    assert.is(fields(fields(body).reply).content, '')
  }),
)

test('whoever waits is answered when the daemon ends', async () => {
  const models = standIn()
  const daemon = await startDaemon({ models })
  models.think = () => new Promise(() => {})
  const post = (path: string, body: unknown) =>
    ask(daemon.port, { method: 'POST', path, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } })
  const { persona } = JSON.parse((await post('/api/persona/create', { name: 'Ada', thinking_model: 'llama' })).text)
  const waiting = post(`/api/persona/${persona.id}/read?wait=60`, { message: 'hello' })
  await pause(100)
  await daemon.close()
  assert.is((await waiting).text, '{"status":"received","reply":null}')
})

test(
  'the conversation is paged backwards, the oldest of a page first',
  withHouse(async ({ post, born, get }) => {
    const at = `/api/persona/${await born()}`
    for (const message of ['one', 'two', 'three']) await post(`${at}/read?wait=20`, { message })
    const page = async (query: string) => {
      const [status, body] = await get(`${at}/conversation?${query}`)
      assert.is(status, 200)
      const { messages, has_more } = body as { messages: Fields[]; has_more: boolean }
      return { ids: messages.map(({ id }) => Number(id)), contents: messages.map(({ content }) => content), has_more }
    }
    const last = await page('limit=4')
    assert.equal([last.contents, last.has_more], [['two', 'You said: two', 'three', 'You said: three'], true])
    const first = await page(`limit=4&before=${last.ids[0]}`)
    assert.equal([first.contents, first.has_more], [['one', 'You said: one'], false])
    assert.equal(await page('before=1'), { ids: [], contents: [], has_more: false })
    assert.is((await get(`${at}/conversation?limit=1001`))[0], 422)
  }),
)

// --- files and pages

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

test('media is what its bytes are, and only what lies in her folder', async () => {
  const home = await tempHome()
  await withHouse(
    async ({ born, send }) => {
      const id = await born()
      const folder = join(home, 'personas', id, 'media')
      await mkdir(join(folder, 'sub'), { recursive: true })
      await writeFile(join(folder, 'a.png'), png)
      await writeFile(join(folder, 'page.png'), '<html><script>alert(1)</script>')
      await writeFile(join(folder, '.hidden'), 'x')
      await writeFile(join(home, 'personas', id, 'outside'), 'x')
      await symlink(join(home, 'personas', id, 'outside'), join(folder, 'link'))
      const at = (name: string) => `/api/persona/${id}/media/${name}`

      const picture = await send({ path: at('a.png') })
      assert.equal([picture.status, picture.headers['content-type'], picture.headers['content-disposition']], [200, 'image/png', undefined])
      assert.is(picture.headers['content-security-policy'], "sandbox; default-src 'none'")
      assert.is((await send({ path: at('a.png'), headers: { 'If-None-Match': String(picture.headers.etag) } })).status, 304)
      const part = await send({ path: at('a.png'), headers: { Range: 'bytes=1-3' } })
      assert.equal([part.status, part.text], [206, 'PNG'])
      const beyond = await send({ path: at('a.png'), headers: { Range: 'bytes=9999-' } })
      assert.equal(
        [beyond.status, beyond.headers['content-range'], JSON.parse(beyond.text)],
        [416, `bytes */${png.length}`, { detail: 'Range Not Satisfiable' }],
      )
      const head = await send({ method: 'HEAD', path: at('a.png') })
      assert.equal([head.status, head.headers['content-length'], head.text], [200, String(png.length), ''])

      const page = await send({ path: at('page.png') })
      assert.equal(
        [page.headers['content-type'], page.headers['content-disposition']],
        ['application/octet-stream', 'attachment; filename=page.png'],
      )
      for (const name of ['none.png', 'sub', '.hidden', 'link', '..', '..%2foutside', '%2e%2e%2foutside', 'a.png%00', 'a'.repeat(300)]) {
        const { status, text } = await send({ path: at(name) })
        assert.is(status, 404, name)
        assert.ok(['{"detail":"File not found."}', '{"detail":"Not Found"}'].includes(text), `${name} ${text}`)
      }
      assert.is((await send({ path: '/api/persona/nobody/media/a.png' })).text, '{"detail":"Persona not found."}')
    },
    { home },
  )()
})

test('every other address is the page, except missing assets', async () => {
  const pages = await tempHome()
  await mkdir(join(pages, 'assets'))
  await writeFile(join(pages, 'index.html'), '<!doctype html>page')
  await writeFile(join(pages, 'assets', 'a.js'), 'let a')
  await withHouse(
    async ({ send }) => {
      for (const path of [
        '/',
        '/docs',
        '/redoc',
        '/persona/1/talk',
        '/apiary',
        '/%E0%A4%A',
        '/index.html',
        '/.env',
        '/a/../../etc/passwd',
      ]) {
        const { status, headers, text } = await send({ path })
        assert.equal([status, headers['content-type'], text], [200, 'text/html; charset=utf-8', '<!doctype html>page'], path)
        assert.match(String(headers['content-security-policy']), "default-src 'self'")
        assert.is(headers['cache-control'], 'no-cache')
        assert.ok(headers.etag)
      }
      assert.is((await send({ method: 'HEAD', path: '/docs' })).status, 200)
      assert.is((await send({ path: '/assets/a.js' })).text, 'let a')
      for (const path of ['/assets/none.js', '/assets/', '/assets/%E0%A4%A']) {
        const { status, text } = await send({ path })
        assert.equal([status, text], [404, '{"detail":"Not Found"}'], path)
      }
    },
    { pages },
  )()
})

test(
  'a daemon whose page is not built says so on a page',
  withHouse(
    async ({ send }) => {
      const { status, headers, text } = await send({ path: '/' })
      assert.equal([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
      assert.match(text, 'not built')
    },
    { pages: '/nowhere/at/all' },
  ),
)

// --- the rest

test(
  'the daemon tells that it lives, its addresses, its models and its description',
  withHouse(async ({ get, post, models, send }) => {
    const [, health] = await get('/api/health')
    assert.equal([fields(health).status, fields(health).version, typeof fields(health).uptime], ['ok', '0.1.0', 'number'])
    const [, providers] = await get('/api/config/providers')
    assert.equal(Object.keys(fields(providers)), ['local', 'anthropic', 'gemini', 'openai', 'xai'])
    assert.equal(fields(providers).local, { url: 'http://127.0.0.1:9' })
    assert.equal(await post('/api/models', {}), [200, { models: ['llama', 'qwen'] }])
    models.broken.names = 'No runtime answers.'
    assert.equal(await post('/api/models', { provider: 'local' }), [400, { detail: 'No runtime answers.' }])
    assert.is((await post('/api/models', { provider: 'openai' }))[0], 400)
    const { status, headers, text } = await send({ path: '/openapi.json' })
    assert.equal([status, headers['content-type'], JSON.parse(text).openapi], [200, 'application/json; charset=utf-8', '3.1.0'])
  }),
)

test(
  'what the API says is kept in no cache',
  withHouse(async ({ send, born }) => {
    await born()
    for (const path of ['/api/personas', '/api/health', '/api/nothing'])
      assert.is((await send({ path })).headers['cache-control'], 'no-store', path)
  }),
)

test.run()
