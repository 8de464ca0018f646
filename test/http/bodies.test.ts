/** Parsing of bodies and queries, and the errors for invalid ones. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { RequestHandler } from 'express'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { HttpRefused } from '../../src/http/refused.ts'
import { jsonBody } from '../../src/http/server/json-body.ts'
import { createQueryReader } from '../../src/http/server/query-string.ts'
import { validate } from '../../src/http/server/validation.ts'
import { ask, readingBodies, withHandlers } from './try.ts'

const Order = z.object({
  name: z.string(),
  note: z.string().nullish(),
  count: z.int().min(1).max(10).optional(),
  share: z.number().optional(),
  loud: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  inner: z.object({ label: z.string() }).optional(),
  kind: z.enum(['one', 'two', 'three']).optional(),
})

const itemsFor = (input: unknown, schema: z.ZodType = Order) => {
  const result = validate(schema, input, 'body')
  return 'items' in result ? result.items : []
}

test('names a missing field and echoes the input', () => {
  assert.equal(itemsFor({ note: 'x' }), [
    { type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: { note: 'x' } },
  ])
  assert.equal(itemsFor({ name: 'x', inner: {} }), [
    { type: 'missing', loc: ['body', 'inner', 'label'], msg: 'Field required', input: {} },
  ])
  assert.equal(itemsFor(undefined), [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }])
  assert.equal(itemsFor(null), [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }])
})

test('reports a wrong type in the words of Pydantic', () => {
  const itemsOfField = (field: string, input: unknown) =>
    itemsFor({ name: 'x', [field]: input }).map(({ loc, ...item }) => [loc.join('.'), item])
  assert.equal(itemsFor({ name: 5 }), [
    { type: 'string_type', loc: ['body', 'name'], msg: 'Input should be a valid string', input: 5 },
  ])
  assert.equal(itemsFor({ name: null }), [
    { type: 'string_type', loc: ['body', 'name'], msg: 'Input should be a valid string', input: null },
  ])
  assert.equal(itemsOfField('note', false), [
    ['body.note', { type: 'string_type', msg: 'Input should be a valid string', input: false }],
  ])
  assert.equal(itemsOfField('count', 'x'), [
    [
      'body.count',
      {
        type: 'int_parsing',
        msg: 'Input should be a valid integer, unable to parse string as an integer',
        input: 'x',
      },
    ],
  ])
  assert.equal(itemsOfField('count', []), [
    ['body.count', { type: 'int_type', msg: 'Input should be a valid integer', input: [] }],
  ])
  assert.equal(itemsOfField('count', 1.5), [
    [
      'body.count',
      {
        type: 'int_from_float',
        msg: 'Input should be a valid integer, got a number with a fractional part',
        input: 1.5,
      },
    ],
  ])
  assert.equal(itemsOfField('count', 0), [
    [
      'body.count',
      {
        type: 'greater_than_equal',
        msg: 'Input should be greater than or equal to 1',
        input: 0,
        ctx: { ge: 1 },
      },
    ],
  ])
  assert.equal(itemsOfField('count', 11), [
    [
      'body.count',
      {
        type: 'less_than_equal',
        msg: 'Input should be less than or equal to 10',
        input: 11,
        ctx: { le: 10 },
      },
    ],
  ])
  assert.equal(itemsOfField('share', 'x'), [
    [
      'body.share',
      {
        type: 'float_parsing',
        msg: 'Input should be a valid number, unable to parse string as a number',
        input: 'x',
      },
    ],
  ])
  assert.equal(itemsOfField('loud', 3), [
    ['body.loud', { type: 'bool_type', msg: 'Input should be a valid boolean', input: 3 }],
  ])
  assert.equal(itemsOfField('tags', 'a'), [
    ['body.tags', { type: 'list_type', msg: 'Input should be a valid list', input: 'a' }],
  ])
  assert.equal(itemsOfField('tags', [1]), [
    ['body.tags.0', { type: 'string_type', msg: 'Input should be a valid string', input: 1 }],
  ])
  assert.equal(itemsOfField('inner', 1), [
    ['body.inner', { type: 'dict_type', msg: 'Input should be a valid dictionary', input: 1 }],
  ])
  assert.equal(itemsOfField('kind', 'four'), [
    [
      'body.kind',
      {
        type: 'literal_error',
        msg: "Input should be 'one', 'two' or 'three'",
        input: 'four',
        ctx: { expected: "'one', 'two' or 'three'" },
      },
    ],
  ])
})

test('reports a body that is not an object', () => {
  assert.equal(itemsFor([1]), [
    {
      type: 'model_attributes_type',
      loc: ['body'],
      msg: 'Input should be a valid dictionary or object to extract fields from',
      input: [1],
    },
  ])
  assert.equal(itemsFor('x', z.record(z.string(), z.unknown())), [
    { type: 'dict_type', loc: ['body'], msg: 'Input should be a valid dictionary', input: 'x' },
  ])
})

test('reports all errors together, in the order of the schema', () => {
  assert.equal(
    itemsFor({ loud: 'x', count: 'x' }).map(({ loc }) => loc[1]),
    ['name', 'count', 'loud'],
  )
})

test('echoes no secret, at any depth', () => {
  const Secrets = z.object({
    name: z.string(),
    thinking_api_key: z.string().nullish(),
    phrase: z.string().optional(),
    credentials: z.object({ token: z.string() }).optional(),
    keys: z.object({ auth: z.string() }).optional(),
  })
  const input = {
    thinking_api_key: 'sk-1',
    telegram_token: 'sk-2',
    phrase: 'sk-3',
    inner: [{ credentials: { a: 'sk-4' }, API_KEY: 'sk-5', kept: 'seen' }],
    credentials: { token: 5, note: 'sk-6' },
    // As in a browser's push subscription.
    keys: 'sk-7',
  }
  const items = itemsFor(input, Secrets)
  assert.not.match(JSON.stringify(items), /sk-/)
  assert.equal(items[0], {
    type: 'missing',
    loc: ['body', 'name'],
    msg: 'Field required',
    input: { inner: [{ kept: 'seen' }] },
  })
  assert.equal(items[1], {
    type: 'string_type',
    loc: ['body', 'credentials', 'token'],
    msg: 'Input should be a valid string',
  })
  assert.equal(itemsFor({ name: 'x', thinking_api_key: 5 }, Secrets), [
    { type: 'string_type', loc: ['body', 'thinking_api_key'], msg: 'Input should be a valid string' },
  ])
})

// Fails if texts are echoed unchanged: a password in an address is then shown.
test('echoes an address without the name and password in it', () => {
  const [item] = itemsFor({ thinking_url: 'http://me:sk-1@127.0.0.1:9/v1', mail: 'ada@example.org' })
  assert.equal(item?.input, { thinking_url: 'http://127.0.0.1:9/v1', mail: 'ada@example.org' })
})

test('rejects a lone surrogate', () => {
  assert.equal(itemsFor({ name: 'a\ud800' }), [
    {
      type: 'string_unicode',
      loc: ['body', 'name'],
      msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
      input: 'a\ud800',
    },
  ])
  assert.equal(itemsFor({ name: '🙂' }), [])
  assert.equal(itemsFor({ name: 'x', ignored: '\ud800' }), [])
})

test('rejects a deeply nested body with a short echo', () => {
  const deep = JSON.parse(`{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
  const [item] = itemsFor(deep)
  assert.is(item?.type, 'string_type')
  assert.ok(JSON.stringify(item).length < 200)
})

test('ignores keys with a special meaning in JavaScript', () => {
  const input = JSON.parse('{"name":"x","__proto__":{"admin":true},"constructor":{"prototype":1}}')
  const result = validate(Order, input, 'body')
  assert.equal(result, { value: { name: 'x' } })
  assert.is(Reflect.get({}, 'admin'), undefined)
  const [item] = itemsFor(JSON.parse('{"__proto__":{"name":"x"}}'))
  assert.is(item?.type, 'missing')
})

// --- Over a socket

const echoBody: RequestHandler = (request, response) => {
  const result = validate(Order, request.body, 'body')
  if ('items' in result) throw new HttpRefused({ code: 'invalid', items: result.items })
  response.json(result.value)
}
const json = { 'Content-Type': 'application/json' }
const limit = 1000

const withPost =
  (
    act: (
      post: (body: string | Buffer, headers?: Record<string, string>) => Promise<[number, unknown]>,
    ) => Promise<void>,
  ) =>
  () =>
    withHandlers([jsonBody({ limit }, readingBodies()), echoBody], (port) =>
      act(async (body, headers = json) => {
        const { status, text } = await ask(port, {
          method: 'POST',
          body,
          headers: { ...getLengthHeader(body, headers), ...headers },
        })
        return [status, JSON.parse(text)]
      }),
    )

const getLengthHeader = (body: string | Buffer, headers: Record<string, string>) =>
  'Transfer-Encoding' in headers ? {} : { 'Content-Length': Buffer.byteLength(body) }

const toDetail = (...items: readonly unknown[]) => ({ detail: items })
const jsonError = (error: string, position?: number) => ({
  type: 'json_invalid',
  loc: position === undefined ? ['body'] : ['body', position],
  msg: 'JSON decode error',
  input: {},
  ctx: { error },
})

test(
  'parses JSON under each of its content types',
  withPost(async (post) => {
    for (const type of [
      'application/json',
      'APPLICATION/JSON; charset=UTF-8',
      'application/problem+json',
      'application/json;charset="utf-8"',
    ])
      assert.equal(await post('{"name":"Zoë"}', { 'Content-Type': type }), [200, { name: 'Zoë' }], type)
    assert.equal(await post('\ufeff{"name":"x"}'), [200, { name: 'x' }])
  }),
)

test(
  'reports any other content type as a missing body, with a hint',
  withPost(async (post) => {
    const missingBody = { type: 'missing', loc: ['body'], msg: 'Field required', input: null }
    const withHint = { ...missingBody, ctx: { error: 'The Content-Type must be application/json' } }
    for (const headers of [
      {},
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      { 'Content-Type': 'json' },
    ])
      assert.equal(await post('{"name":"x"}', headers), [422, toDetail(withHint)])
    assert.equal(await post(''), [422, toDetail(missingBody)])
    assert.equal(await post('', {}), [422, toDetail(missingBody)])
    assert.equal(await post('null'), [422, toDetail(missingBody)])
  }),
)

test(
  'reports broken JSON without quoting it',
  withPost(async (post) => {
    assert.equal(await post('{"name": "sk-secret'), [422, toDetail(jsonError('Unterminated string', 19))])
    assert.equal(await post('{"name"'), [422, toDetail(jsonError("Expected ':' after property name", 7))])
    assert.equal(await post('{'), [422, toDetail(jsonError("Expected property name or '}'", 1))])
    assert.equal(await post('sk-secret'), [422, toDetail(jsonError('Unexpected token'))])
    assert.equal(await post('  '), [422, toDetail(jsonError('Unexpected end of JSON input'))])
    assert.equal(await post('{"name":"x"} {}'), [
      422,
      toDetail(jsonError('Unexpected non-whitespace character', 13)),
    ])
  }),
)

test(
  'rejects bytes that are not UTF-8, under any content type',
  withPost(async (post) => {
    const notUtf8 = toDetail(jsonError('The body is not UTF-8'))
    assert.equal(await post(Buffer.from('{"name":"\xe9"}', 'latin1')), [422, notUtf8])
    assert.equal(
      await post(Buffer.from('{"name":"x"}', 'utf16le'), {
        'Content-Type': 'application/json; charset=utf-16',
      }),
      [422, notUtf8],
    )
    assert.equal(await post('{"name":"x"}', { 'Content-Type': 'application/json; charset=latin1' }), [
      422,
      notUtf8,
    ])
    assert.equal((await post('{"name":"\\ud83d"}'))[0], 422)
  }),
)

test(
  'decompresses bodies and limits their decompressed size',
  withPost(async (post) => {
    const body = JSON.stringify({ name: 'x' })
    assert.equal(await post(gzipSync(body), { ...json, 'Content-Encoding': 'gzip' }), [200, { name: 'x' }])
    assert.equal(await post(brotliCompressSync(body), { ...json, 'Content-Encoding': 'br' }), [
      200,
      { name: 'x' },
    ])
    const bomb = gzipSync(JSON.stringify({ name: 'x'.repeat(500_000) }))
    assert.ok(bomb.length < limit)
    assert.equal((await post(bomb, { ...json, 'Content-Encoding': 'gzip' }))[0], 413)
    assert.equal(await post('no gzip', { ...json, 'Content-Encoding': 'gzip' }), [
      422,
      toDetail(jsonError('The body could not be read')),
    ])
    assert.equal(await post(body, { ...json, 'Content-Encoding': 'rot13' }), [
      422,
      toDetail(jsonError('The content encoding must be gzip, deflate or br')),
    ])
  }),
)

test(
  'reports a too large body before any other error',
  withPost(async (post) => {
    const tooLarge = [413, { detail: 'The body is too large: 1000 bytes at most.' }]
    assert.equal(await post('x'.repeat(limit + 1)), tooLarge)
    assert.equal(await post('x'.repeat(limit + 1), { 'Content-Type': 'text/plain' }), tooLarge)
    assert.equal(await post('x'.repeat(limit + 1), { ...json, 'Transfer-Encoding': 'chunked' }), tooLarge)
    assert.is((await post(JSON.stringify({ name: 'x'.repeat(limit - 11) })))[0], 200)
  }),
)

// --- Queries

const Query = z.object({
  limit: z.int().min(1).default(200),
  wait: z.number().optional(),
  force: z.boolean().optional(),
  start: z.string().optional(),
})
const parseQuery = createQueryReader(Query)
const queryItems = (url: string) => {
  const { values, texts } = parseQuery(url)
  const result = validate(Query, values, 'query', texts)
  return 'items' in result ? result.items : result.value
}

test('converts query text to the type of the schema and uses the last value of a name', () => {
  assert.equal(queryItems('/x'), { limit: 200 })
  assert.equal(queryItems('/x?limit=5&limit=7&wait=.5&force=TRUE&start=2026&other=1'), {
    limit: 7,
    wait: 0.5,
    force: true,
    start: '2026',
  })
  assert.equal(queryItems('/x?force=0&start=a%20b+c%ZZ'), { limit: 200, force: false, start: 'a b c%ZZ' })
})

test('reports an invalid query value as it was sent', () => {
  assert.equal(queryItems('/x?limit=abc'), [
    {
      type: 'int_parsing',
      loc: ['query', 'limit'],
      msg: 'Input should be a valid integer, unable to parse string as an integer',
      input: 'abc',
    },
  ])
  assert.equal(queryItems('/x?limit=0'), [
    {
      type: 'greater_than_equal',
      loc: ['query', 'limit'],
      msg: 'Input should be greater than or equal to 1',
      input: '0',
      ctx: { ge: 1 },
    },
  ])
  assert.equal(queryItems('/x?force=maybe'), [
    {
      type: 'bool_parsing',
      loc: ['query', 'force'],
      msg: 'Input should be a valid boolean, unable to interpret input',
      input: 'maybe',
    },
  ])
  assert.equal(queryItems('/x?wait='), [
    {
      type: 'float_parsing',
      loc: ['query', 'wait'],
      msg: 'Input should be a valid number, unable to parse string as a number',
      input: '',
    },
  ])
})

test.run()
