/** Invalid requests: each gets a clear response, never a 5xx, and changes neither a fact nor the daemon. */
import { connect } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ask, raw } from '../http/try.ts'
import { createRouteRequests } from './route-requests.ts'
import { json, shareSetup } from './setup.ts'

const setup = shareSetup(test)
const maxBytes = 1024 * 1024
let id = ''
let previousFacts: readonly string[] = []

test.before(async () => {
  id = await setup.born()
  await setup.say(`/api/persona/${id}`, 'hello')
  previousFacts = await setup.facts(id)
})

/** For every route below /api that takes JSON. */
const createRequests = () =>
  createRouteRequests(id).filter(({ template, hasJsonBody }) => hasJsonBody && template.startsWith('/api/'))
/** For large bodies, which take long: routes with different readers of the body. */
const createFewRequests = () =>
  ['persona/create', 'models', `persona/${id}/update`, `persona/${id}/read`].map((path) => ({
    method: 'POST',
    path: `/api/${path}`,
  }))

const postBody = async (
  path: string,
  body: string | Buffer,
  headers: Record<string, string | number> = {},
  method = 'POST',
): Promise<readonly [status: number, detail: unknown]> => {
  const reply = await setup.send({
    method,
    path,
    body,
    headers: { ...json, 'Content-Length': Buffer.byteLength(body), ...headers },
  })
  assert.equal(Object.keys(JSON.parse(reply.text)), ['detail'], `${path} ${reply.text.slice(0, 200)}`)
  return [reply.status, JSON.parse(reply.text).detail]
}
const assertBroken =
  (error: RegExp | string) =>
  ([status, detail]: readonly [number, unknown], request: string) => {
    const [item] = detail as { type: string; loc: unknown[]; msg: string; ctx: { error: string } }[]
    assert.equal(
      [status, item?.type, item?.msg, item?.loc[0]],
      [422, 'json_invalid', 'JSON decode error', 'body'],
      request,
    )
    assert.match(String(item?.ctx.error), error)
  }
const postEverywhere = async (
  body: string | Buffer,
  check: (answer: readonly [number, unknown], request: string) => void,
  headers = {},
  requests: readonly { readonly method: string; readonly path: string }[] = createRequests(),
) => {
  for (const { method, path } of requests)
    check(await postBody(path, body, headers, method), `${path} ${body.toString().slice(0, 60)}`)
}

// --- Bodies that are not JSON

test('reports the position of broken JSON without quoting it', async () => {
  const texts = [
    ...[
      '{',
      '[',
      '"',
      '{"name',
      '{"name"',
      '{"name":',
      '{"name":"sk-secret',
      '{"name":"x",}',
      "{'name':'x'}",
      '{name:"x"}',
      '[1,]',
      '01',
      '1e',
      '-',
      '+1',
      '.5',
    ],
    ...[
      'nul',
      'NaN',
      'Infinity',
      'undefined',
      'sk-secret',
      '{"a":1}{"b":2}',
      '{} x',
      '// x\n{}',
      '{"a":"\n"}',
      '{"a":"\u0001"}',
      '"\\x"',
      '"\\u12"',
      '\u00a0{}',
      '<xml/>',
    ],
    ...['a=b&c=d', ' ', '\n\n', '\u0000', '{}\u0000', '\ufeff\ufeff{}'],
  ]
  // The first text goes to every route, each other one to an eighth of them.
  for (const [turn, text] of texts.entries())
    await postEverywhere(
      text,
      assertBroken(/^[A-Z]/),
      {},
      createRequests().filter((_, n) => turn === 0 || n % 8 === turn % 8),
    )
  const replies = await Promise.all(
    createRequests().map(({ method, path }) => postBody(path, '{"name":"sk-secret', {}, method)),
  )
  assert.not.match(JSON.stringify(replies), 'sk-secret')
})

test('reports bytes that are not UTF-8', async () => {
  const invalidBodies = [
    Buffer.from('{"name":"\xe9"}', 'latin1'),
    Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
    Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    Buffer.from([0x22, 0xf5, 0x80, 0x80, 0x80, 0x22]),
    Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
    Buffer.from([0x22, 0xe2, 0x82]),
  ]
  for (const bytes of invalidBodies) await postEverywhere(bytes, assertBroken('The body is not UTF-8'))
  for (const charset of ['utf-16', 'latin1', 'x', 'utf-7'])
    await postEverywhere('{}', assertBroken('The body is not UTF-8'), {
      'Content-Type': `application/json; charset=${charset}`,
    })
})

test('ignores a byte order mark', async () => {
  assert.is((await postBody(`/api/persona/${id}/read`, '\ufeff{"message":5}'))[0], 422)
  assert.match(
    JSON.stringify(await postBody(`/api/persona/${id}/read`, '\ufeff{"message":5}')),
    'string_type',
  )
})

test('reports a body that is not an object and a missing body', async () => {
  for (const text of ['[]', '[{}]', '"x"', '5', 'true', '1e400', '-0', '[[[[]]]]'])
    await postEverywhere(text, ([status, detail], request) => {
      const [item] = detail as { type: string; loc: unknown }[]
      assert.equal([status, item?.loc], [422, ['body']], request)
      assert.ok(['model_attributes_type', 'dict_type'].includes(String(item?.type)), request)
    })
  for (const [text, headers] of [
    ['null', {}],
    ['', {}],
    ['', { 'Content-Type': '' }],
  ] as const)
    await postEverywhere(
      text,
      (answer, request) =>
        assert.equal(
          answer,
          [422, [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }]],
          request,
        ),
      headers,
    )
})

// --- JSON bodies with unusual values

const wrongValues = [5, -1, 1.5, 1e308, true, false, [], [[]], ['x'], {}, { a: 1 }, { toString: 1 }] as const

test('names the field of any body that has a wrong type', async () => {
  for (const [path, fields] of [
    [
      '/api/persona/create',
      ['name', 'thinking_model', 'thinking_url', 'eye_model', 'ear_api_key', 'telegram_token'],
    ],
    ['/api/models', ['provider', 'url', 'api_key']],
    [`/api/persona/${id}/read`, ['message']],
  ] as const)
    for (const field of fields)
      for (const value of wrongValues) {
        const right = path.endsWith('create') ? { name: 'Eve', thinking_model: 'llama' } : {}
        const [status, detail] = await postBody(path, JSON.stringify({ ...right, [field]: value }))
        assert.equal(
          [status, (detail as { loc: unknown }[])[0]?.loc],
          [422, ['body', field]],
          `${field} ${JSON.stringify(value)}`,
        )
      }
  for (const field of ['status', 'name', 'idle_timeout', 'thinking', 'eye', 'researcher'])
    for (const value of wrongValues) {
      if (field === 'idle_timeout' && value === 5) continue
      const [status, detail] = await postBody(`/api/persona/${id}/update`, JSON.stringify({ [field]: value }))
      assert.equal([status, typeof detail], [400, 'string'], `${field} ${JSON.stringify(value)}`)
    }
})

test('handles ten thousand levels of nesting', async () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = `${open.repeat(10_000)}1${close.repeat(10_000)}`
    await postEverywhere(
      `{"message":${deep},"name":${deep},"url":${deep},"thinking":${deep},"provider":${deep}}`,
      ([status, detail], request) => {
        assert.ok(status === 422 || status === 400, request)
        assert.ok(JSON.stringify(detail).length < 20_000, request)
      },
      {},
      createFewRequests(),
    )
    await postEverywhere(
      open === '[' ? deep : `[${deep}]`,
      ([status]) => assert.is(status, 422),
      {},
      createFewRequests(),
    )
  }
  const { status } = await setup.send({
    method: 'POST',
    path: '/api/models',
    headers: json,
    body: `{"ignored":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  })
  assert.is(status, 200)
})

test('rejects numbers out of range as text, timeout and status', async () => {
  for (const number of ['1e999', '-1e999', '9'.repeat(5000), `0.${'1'.repeat(5000)}`, '1e-999', '-0']) {
    assert.is((await postBody(`/api/persona/${id}/read`, `{"message":${number}}`))[0], 422)
    assert.is(
      (await postBody(`/api/persona/${id}/update`, `{"idle_timeout":${number}}`))[0],
      400,
      number.slice(0, 20),
    )
    assert.is((await postBody(`/api/persona/${id}/update`, `{"status":${number}}`))[0], 400)
  }
})

test('uses the last value of a repeated key', async () => {
  assert.is((await postBody(`/api/persona/${id}/read`, '{"message":"x","message":5}'))[0], 422)
  assert.is((await postBody(`/api/persona/${id}/update`, '{"status":"sick","status":"odd"}'))[0], 400)
})

test('ignores keys with a special meaning in JavaScript', async () => {
  const proto =
    '"__proto__":{"message":"x","name":"x","thinking_model":"x","status":"sick"},"constructor":{"prototype":{"status":"sick"}}'
  assert.is((await postBody(`/api/persona/${id}/read`, `{${proto}}`))[0], 422)
  assert.is((await postBody('/api/persona/create', `{${proto}}`))[0], 422)
  const { status, text } = await setup.send({
    method: 'POST',
    path: `/api/persona/${id}/update`,
    headers: json,
    body: `{${proto}}`,
  })
  assert.equal([status, text], [200, '{"status":"active","running":true}'])
  assert.equal([Reflect.get({}, 'status'), Reflect.get({}, 'message')], [undefined, undefined])
  assert.is((await postBody(`/api/persona/${id}/update`, '{"thinking":{"__proto__":{"model":"x"}}}'))[0], 400)
})

// Covers `forks`, which may be a list or a boolean.
test('names an invalid item of a list by its numeric position', async () => {
  const rows: readonly (readonly [path: string, body: object, loc: readonly (string | number)[]])[] = [
    ['erase', { seqs: [1, 'x'] }, ['seqs', 1]],
    ['erase', { seqs: [1, 2, 0] }, ['seqs', 2]],
    ['erase', { seqs: [1], forks: ['a', 7] }, ['forks', 1]],
  ]
  for (const [path, body, loc] of rows) {
    const [status, detail] = await postBody(`/api/persona/${id}/${path}`, JSON.stringify(body))
    const [item] = detail as { loc: unknown }[]
    assert.equal([status, item?.loc], [422, ['body', ...loc]], JSON.stringify(body))
  }
  const putReply = await setup.send({
    method: 'PUT',
    path: `/api/persona/${id}/tools/a`,
    headers: json,
    body: JSON.stringify({ command: 'x', args: ['-y', {}] }),
  })
  assert.equal([putReply.status, JSON.parse(putReply.text).detail[0].loc], [422, ['body', 'args', 1]])
})

test('rejects a lone surrogate in every field that a fact would store', async () => {
  for (const surrogate of ['\\ud83d', 'a\\udc00b', '\\udc00\\ud800']) {
    const unicode = async (path: string, body: string, loc: readonly string[]) => {
      const [status, detail] = await postBody(path, body)
      const [item] = detail as { type: string; loc: unknown }[]
      assert.equal([status, item?.type, item?.loc], [422, 'string_unicode', ['body', ...loc]], body)
    }
    await unicode(`/api/persona/${id}/read`, `{"message":"${surrogate}"}`, ['message'])
    await unicode('/api/persona/create', `{"name":"${surrogate}","thinking_model":"x"}`, ['name'])
    await unicode(`/api/persona/${id}/update`, `{"name":"${surrogate}"}`, ['name'])
    await unicode(`/api/persona/${id}/update`, `{"thinking":{"model":"${surrogate}"}}`, ['thinking', 'model'])
    await unicode('/api/models', `{"url":"${surrogate}"}`, ['url'])
  }
})

// --- Sizes

const bodyOfSize = (bytes: number) => {
  const head = '{"message":5,"pad":"'
  const tail = '"}'
  return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`
}

test('accepts a body of up to 1 MiB', async () => {
  const readPath = `/api/persona/${id}/read`
  const tooLarge = [413, `The body is too large: ${maxBytes} bytes at most.`] as const
  assert.is((await postBody(readPath, bodyOfSize(maxBytes)))[0], 422)
  assert.equal(await postBody(readPath, bodyOfSize(maxBytes + 1)), tooLarge)
  await postEverywhere(
    'x'.repeat(maxBytes + 1),
    (answer, request) => assert.equal(answer, tooLarge, request),
    {},
    createFewRequests(),
  )
  await postEverywhere(
    'x'.repeat(maxBytes + 1),
    (answer, request) => assert.equal(answer, tooLarge, request),
    { 'Content-Type': 'text/plain' },
    createFewRequests(),
  )
  const chunkedHeaders = { ...json, 'Transfer-Encoding': 'chunked' }
  for (const [bytes, status] of [
    [maxBytes, 422],
    [maxBytes + 1, 413],
    [4 * maxBytes, 413],
  ] as const)
    assert.is(
      (await setup.send({ method: 'POST', path: readPath, body: bodyOfSize(bytes), headers: chunkedHeaders }))
        .status,
      status,
      String(bytes),
    )
})

const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

test('applies the limit to the unpacked size of a compressed body', async () => {
  const bomb = `{"message":"${'x'.repeat(16 * maxBytes)}"}`
  const readPath = `/api/persona/${id}/read`
  for (const [coding, bytes] of [
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['br', brotliCompressSync(bomb, fastBrotli)],
  ] as const) {
    assert.ok(bytes.length < maxBytes / 10, coding)
    assert.is((await postBody(readPath, bytes, { 'Content-Encoding': coding }))[0], 413, coding)
    assert.is(
      (await postBody(readPath, bytes.subarray(0, 20), { 'Content-Encoding': coding }))[0],
      422,
      coding,
    )
    await postEverywhere('{}', ([status]) => assert.is(status, 422), { 'Content-Encoding': coding })
  }
  for (const coding of ['x', 'gzip, gzip', 'identity, gzip', 'zstd'])
    await postEverywhere('{}', ([status]) => assert.is(status, 422), { 'Content-Encoding': coding })
  const doubleGzip = gzipSync(gzipSync(bomb))
  assert.is((await postBody(readPath, doubleGzip, { 'Content-Encoding': 'gzip' }))[0], 422)
})

test('ignores a body of any size and type on a route that takes none', async () => {
  const personaPath = `/api/persona/${id}`
  for (const body of ['{broken', '\u0000', 'x'.repeat(3 * maxBytes)])
    for (const headers of [
      json,
      { 'Content-Type': 'text/plain' },
      { 'Content-Encoding': 'odd' },
      { 'Content-Type': 'multipart/form-data' },
    ]) {
      const length = { 'Content-Length': Buffer.byteLength(body) }
      const start = await setup.send({
        method: 'POST',
        path: `${personaPath}/start`,
        body,
        headers: { ...headers, ...length },
      })
      assert.equal([start.status, start.text], [200, '{"status":"already running"}'])
      assert.is(
        (await setup.send({ path: '/api/personas', body, headers: { ...headers, ...length } })).status,
        200,
      )
    }
})

test('ignores a thousand unknown parameters and returns 431 for an address of 200 kB', async () => {
  const manyParams = Array.from({ length: 1000 }, (_, i) => `p${i}=${i}`).join('&')
  assert.is((await setup.get(`/api/personas?${manyParams}`))[0], 200)
  assert.is((await setup.get(`/api/persona/${id}/conversation?${manyParams}&limit=1`))[0], 200)
  assert.is(
    (
      await setup.get(
        `/api/persona/${id}/conversation?${Array.from({ length: 1000 }, () => 'limit=1').join('&')}&limit=0`,
      )
    )[0],
    422,
  )
  for (const path of [
    `/${'x'.repeat(200_000)}`,
    `/api/persona/${'x'.repeat(200_000)}/read`,
    `/api/personas?${'x=1&'.repeat(50_000)}`,
  ]) {
    const answer = await raw(setup.daemon.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 431 [\s\S]*\{"detail":"Request Header Fields Too Large"\}$/)
  }
  const longReply = await setup.get(`/api/persona/${id}/conversation?limit=${'9'.repeat(10_000)}`)
  assert.is(longReply[0], 422)
})

// --- Transfer

const createHead = (lines: readonly string[], path = `/api/persona/${id}/update`) =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...lines].join('\r\n')
const sendRaw = (bytes: string) => raw(setup.daemon.port, bytes)

test('rejects false content lengths', async () => {
  const refusedPattern = /^HTTP\/1\.1 4\d\d [\s\S]*\{"detail":/
  for (const lines of [
    ['Content-Length: -1'],
    ['Content-Length: x'],
    ['Content-Length: 1.5'],
    ['Content-Length: 0x2'],
    ['Content-Length: 2, 3'],
    ['Content-Length: 2', 'Content-Length: 3'],
    ['Content-Length: 99999999999999999999999999'],
    ['Content-Length: 2', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked, gzip'],
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: x'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding : chunked'],
  ])
    assert.match(
      await sendRaw(`${createHead([...lines, 'Connection: close'])}\r\n\r\n{"status":"sick"}`),
      refusedPattern,
      lines.join(', '),
    )
  assert.match(
    await sendRaw(`${createHead(['Content-Length: 10000000000', 'Connection: close'])}\r\n\r\n{}`),
    /^HTTP\/1\.1 413 /,
  )
})

test('ignores bytes after the end of a body', async () => {
  for (const lines of [[], ['Connection: close']]) {
    const answer = await sendRaw(`${createHead(['Content-Length: 2', ...lines])}\r\n\r\n{}{"status":"sick"}`)
    assert.match(answer, /^HTTP\/1\.1 (200|400) /)
  }
  assert.is((await setup.view(id)).status, 'active')
})

test('rejects invalid chunks', async () => {
  for (const chunks of [
    'zz\r\n{}\r\n0\r\n\r\n',
    '-2\r\n{}\r\n0\r\n\r\n',
    '2\r\n{}XX0\r\n\r\n',
    '2;\u0000\r\n{}\r\n0\r\n\r\n',
    'ffffffffffffffffff\r\n{}',
    '{}\r\n\r\n',
  ]) {
    const answer = await sendRaw(`${createHead(['Transfer-Encoding: chunked'])}\r\n\r\n${chunks}`)
    assert.match(answer, /^HTTP\/1\.1 4\d\d [\s\S]*\{"detail":/, JSON.stringify(chunks))
  }
})

test('ignores a body that is cut off', async () => {
  for (const bytes of [
    `${createHead(['Content-Length: 100'])}\r\n\r\n{"status":"sick"`,
    `${createHead(['Transfer-Encoding: chunked'])}\r\n\r\n11\r\n{"status":"sick"}\r\n`,
  ])
    await new Promise<void>((resolve, reject) => {
      const socket = connect(setup.daemon.port, '127.0.0.1', () =>
        socket.write(bytes, () => setTimeout(() => socket.destroy(), 50)),
      )
      socket.on('close', () => resolve()).on('error', reject)
    })
  assert.is((await setup.view(id)).status, 'active')
})

test('reports too long and invalid headers', async () => {
  assert.match(await sendRaw(`${createHead([`X: ${'x'.repeat(70_000)}`])}\r\n\r\n`), /^HTTP\/1\.1 431 /)
  assert.match(
    await sendRaw(`${createHead(['Bad Header: x'])}\r\n\r\n`),
    /^HTTP\/1\.1 400 [\s\S]*\{"detail":"Bad Request"\}$/,
  )
  assert.match(await sendRaw(`${createHead(['X: a\u0000b'])}\r\n\r\n`), /^HTTP\/1\.1 400 /)
  assert.match(
    await sendRaw(
      `${createHead([`Idempotency-Key: ${'k'.repeat(14_000)}`, 'Content-Length: 2', 'Connection: close'])}\r\n\r\n{}`,
    ),
    /^HTTP\/1\.1 200 /,
  )
})

test('accepts an idempotency key of any characters', async () => {
  const readPath = `/api/persona/${await setup.born()}/read?wait=20`
  for (const key of ['x'.repeat(8000), 'é', '__proto__', 'a, b', '"', '\t\ttab', '%00']) {
    const [status, { reply }] = await setup.post(readPath, { message: 'hello' }, { 'Idempotency-Key': key })
    assert.equal([status, reply.content], [200, 'You said: hello'], key.slice(0, 20))
  }
})

test('answers 100 invalid requests that are sent in parallel', async () => {
  const port = setup.daemon.port
  const badRequests = Array.from({ length: 100 }, (_, i) =>
    ask(port, {
      method: 'POST',
      path: createFewRequests()[i % 4]?.path ?? '',
      body: '{'.repeat(i),
      headers: json,
    }),
  )
  for (const { status } of await Promise.all(badRequests)) assert.is(status, 422)
})

test('runs after all invalid requests, with no fact added', async () => {
  assert.is((await setup.get('/api/health'))[0], 200)
  const factsAfter = await setup.facts(id)
  assert.equal(factsAfter.slice(0, previousFacts.length), previousFacts)
  assert.is(
    factsAfter.length,
    previousFacts.length + 1,
    factsAfter.slice(previousFacts.length, -1).join('\n'),
  )
  assert.is(await setup.say(`/api/persona/${id}`, 'still there?'), 'You said: still there?')
})

test.run()
