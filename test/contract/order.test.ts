/**
 * The order of errors: each route is called with all faults at once, then with the earliest faults fixed one
 * after the other.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Part, type SentForm, toForm } from '../forms.ts'
import { raw } from '../http/try.ts'
import { createRouteRequests } from './route-requests.ts'
import { joinKeys, json, shareSetup } from './setup.ts'
import { createFilePart, partNames, type UploadRoute, uploadRoutes } from './uploads.ts'

const setup = shareSetup(test, {
  env: { DAIMON_MAX_JSON: '2000', DAIMON_MAX_MESSAGE: '500', DAIMON_MAX_UPLOAD: '2000' },
})

interface RequestFields {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly host: string
  readonly body: unknown
  /** Number of blanks after the body. */
  readonly pad: number
}
/** One fault of a request, and the response if there is no earlier fault. */
interface Fault {
  readonly what: string
  readonly status: number
  /** Matches the detail, or the location of the first item. */
  readonly detail: RegExp
  readonly spoil: (request: RequestFields) => RequestFields
}

type Row = readonly [route: string, body: unknown, faults: readonly Fault[]]

const guardFault: Fault = {
  what: 'guard',
  status: 403,
  detail: /^The Host header must be/,
  spoil: (request) => ({ ...request, host: 'evil.test' }),
}
const pathFault: Fault = {
  what: 'path',
  status: 404,
  detail: /^Not Found$/,
  spoil: (request) => ({ ...request, path: `${request.path}/sing/along/here` }),
}
const methodFault: Fault = {
  what: 'method',
  status: 405,
  detail: /^Method Not Allowed$/,
  spoil: (request) => ({ ...request, method: 'PUT' }),
}
const sizeFault: Fault = {
  what: 'size',
  status: 413,
  detail: /^The body is too large: 2000 bytes at most\.$/,
  spoil: (request) => ({ ...request, pad: 3000 }),
}
const fieldFault = (name: string, value: unknown, status: number, detail: RegExp): Fault => ({
  what: `${name} ${JSON.stringify(value)}`,
  status,
  detail: detail,
  spoil: (request) => ({ ...request, body: { ...(request.body as object), [name]: value } }),
})
const queryFault = (text: string): Fault => ({
  what: text,
  status: 422,
  detail: /^query/,
  spoil: (request) => ({ ...request, query: `?${text}` }),
})
const personaFault = (status: number, detail: RegExp): Fault => ({
  what: 'who',
  status,
  detail: detail,
  spoil: (request) => ({ ...request, path: request.path.replace(/persona\/[^/]+/, 'persona/nobody') }),
})
const unknownFault = personaFault(404, /^Persona not found\.$/)
/** Leaves the request unchanged: the runtime is always unreachable. */
const runtimeFault: Fault = {
  what: 'runtime',
  status: 400,
  detail: /No runtime answers\.$/,
  spoil: (request) => request,
}
const webClosedFault: Fault = {
  what: 'web channel',
  status: 400,
  detail: /^Web channel not connected$/,
  spoil: (request) => request,
}

const commonFaults = [guardFault, pathFault, methodFault]
const noObjectFault: Fault = {
  what: 'no object',
  status: 422,
  detail: /^body$/,
  spoil: (request) => ({ ...request, body: [request.body] }),
}

/** The blanks after the body make a form too large. */
const tooLargeFault: Fault = { ...sizeFault, detail: /^The file is too large: 2000 bytes at most\.$/ }
const toFileForm = (...parts: readonly Part[]) => toForm([...parts, { name: 'caption', content: 'look' }])
const noFileFault = (endpoint: UploadRoute): Fault => ({
  what: 'no file',
  status: 422,
  detail: new RegExp(`^body\\.${partNames[endpoint]}$`),
  spoil: (request) => ({ ...request, body: toFileForm() }),
})
const longCaptionFault = (endpoint: UploadRoute): Fault => ({
  what: 'a long caption',
  status: 413,
  detail: /^The caption is too large: 500 bytes/,
  spoil: (request) => ({
    ...request,
    body: toForm([createFilePart(endpoint, 'x'), { name: 'caption', content: 'x'.repeat(501) }]),
  }),
})
/** The upload routes: a caption that is too long is reported before a missing file. */
const uploadRows = uploadRoutes.flatMap((endpoint): Row[] => [
  [
    `POST /api/persona/{id}/${endpoint}`,
    toFileForm(createFilePart(endpoint, 'x')),
    [
      ...commonFaults,
      tooLargeFault,
      queryFault('wait=abc'),
      noFileFault(endpoint),
      personaFault(409, /^Persona is not active\.$/),
      webClosedFault,
    ],
  ],
  [
    `POST /api/persona/{stopped}/${endpoint}`,
    toFileForm(createFilePart(endpoint, 'x')),
    [
      ...commonFaults,
      tooLargeFault,
      longCaptionFault(endpoint),
      { ...webClosedFault, status: 409, detail: /not active/ },
    ],
  ],
])

/**
 * Every route with a valid request and its faults, the earliest first. `{id}` is running, `{stopped}` is not.
 */
const rows: readonly Row[] = [
  ['GET /api/config/providers', undefined, commonFaults],
  ['GET /api/personas', undefined, commonFaults],
  ['GET /api/health', undefined, commonFaults],
  [
    'POST /api/persona/create',
    { name: 'Eva', thinking_model: 'llama' },
    [
      ...commonFaults,
      sizeFault,
      fieldFault('name', 5, 422, /^body\.name/),
      fieldFault('thinking_provider', 'acme', 400, /^Provider must be/),
      runtimeFault,
    ],
  ],
  [
    'POST /api/models',
    {},
    [
      ...commonFaults,
      sizeFault,
      fieldFault('url', 5, 422, /^body\.url/),
      fieldFault('provider', 'acme', 400, /^Provider must be/),
      runtimeFault,
    ],
  ],
  [
    'POST /api/persona/{id}/update',
    { thinking: { model: 'qwen' } },
    [
      ...commonFaults,
      sizeFault,
      noObjectFault,
      unknownFault,
      fieldFault('status', 'odd', 400, /^Status must be one of/),
      runtimeFault,
    ],
  ],
  [
    'POST /api/persona/{id}/update',
    {},
    [
      ...commonFaults,
      sizeFault,
      noObjectFault,
      unknownFault,
      fieldFault('thinking', { model: '' }, 400, /^A model name is required/),
    ],
  ],
  [
    'POST /api/persona/{id}/fork',
    { model: 'qwen' },
    [
      ...commonFaults,
      sizeFault,
      noObjectFault,
      fieldFault('at', -1, 422, /^body\.at/),
      unknownFault,
      fieldFault('at', 0, 404, /^The persona did not exist at that moment/),
      fieldFault('provider', 'acme', 400, /^Provider must be/),
      runtimeFault,
    ],
  ],
  [
    'POST /api/persona/{id}/read',
    { message: 'x' },
    [
      ...commonFaults,
      sizeFault,
      queryFault('wait=abc'),
      fieldFault('message', 5, 422, /^body\.message/),
      personaFault(409, /^Persona is not active\.$/),
      webClosedFault,
    ],
  ],
  ...uploadRows,
  [
    'POST /api/persona/{stopped}/read',
    { message: 'x' },
    [
      ...commonFaults,
      sizeFault,
      fieldFault('message', 'x'.repeat(501), 413, /^The message is too large: 500 bytes/),
      { ...webClosedFault, status: 409, detail: /not active/ },
    ],
  ],
  ['GET /api/persona/{id}/conversation', undefined, [...commonFaults, queryFault('limit=0'), unknownFault]],
  [
    'GET /api/persona/{id}/media/none.png',
    undefined,
    [
      ...commonFaults,
      unknownFault,
      { what: 'file', status: 404, detail: /^File not found\.$/, spoil: (request) => request },
    ],
  ],
  [
    'POST /api/persona/{stopped}/undo',
    { seq: 9999 },
    [
      ...commonFaults,
      sizeFault,
      fieldFault('seq', 'x', 422, /^body\.seq/),
      unknownFault,
      { what: 'fact', status: 404, detail: /^Fact not found\.$/, spoil: (request) => request },
    ],
  ],
  [
    'POST /api/persona/{stopped}/turns/1/compare',
    { model: 'x' },
    [
      ...commonFaults,
      sizeFault,
      fieldFault('model', 5, 422, /^body\.model/),
      unknownFault,
      fieldFault('provider', 'acme', 400, /^Provider must be/),
      { what: 'turn', status: 404, detail: /^Turn not found\.$/, spoil: (request) => request },
    ],
  ],
  [
    'PATCH /api/persona/{id}/proposals/x',
    { accepted: true },
    [...commonFaults, sizeFault, fieldFault('accepted', 5, 422, /^body\.accepted/), unknownFault],
  ],
  ['GET /api/persona/{id}/phrase', undefined, [...commonFaults, unknownFault]],
  [
    'POST /api/persona/{id}/phrase/confirm',
    { recipient: 'age1of-before' },
    [
      ...commonFaults,
      sizeFault,
      fieldFault('recipient', 5, 422, /^body\.recipient/),
      unknownFault,
      {
        what: 'recipient',
        status: 409,
        detail: /^The recovery phrase was renewed/,
        spoil: (request) => request,
      },
    ],
  ],
  ['POST /api/persona/{id}/hush', undefined, [...commonFaults, unknownFault]],
  ['GET /api/persona/{id}/tools', undefined, [...commonFaults, unknownFault]],
  ['GET /api/persona/{id}/approvals', undefined, [...commonFaults, unknownFault]],
  [
    'POST /api/persona/{id}/approvals/1',
    { decision: 'once' },
    [
      ...commonFaults,
      sizeFault,
      fieldFault('decision', 'maybe', 422, /^body\.decision/),
      unknownFault,
      { what: 'approval', status: 404, detail: /^Approval not found/, spoil: (request) => request },
    ],
  ],
  [
    'PATCH /api/persona/{id}/tools/none/read',
    { mode: 'allow' },
    [
      ...commonFaults,
      sizeFault,
      fieldFault('mode', 'often', 422, /^body\.mode/),
      unknownFault,
      { what: 'server', status: 404, detail: /^Tool server not found\.$/, spoil: (request) => request },
    ],
  ],
  ['GET /api/persona/{id}/skills', undefined, [...commonFaults, unknownFault]],
  [
    'PATCH /api/persona/{id}/skills/none',
    { enabled: true },
    [
      ...commonFaults,
      sizeFault,
      fieldFault('enabled', 'maybe', 422, /^body\.enabled/),
      unknownFault,
      { what: 'skill', status: 404, detail: /^Skill not found\.$/, spoil: (request) => request },
    ],
  ],
  ['POST /api/persona/{stopped}/start', undefined, [...commonFaults, unknownFault, runtimeFault]],
  ['POST /api/persona/{id}/restart', undefined, [...commonFaults, unknownFault, runtimeFault]],
  [
    'POST /api/persona/{stopped}/stop',
    undefined,
    [
      ...commonFaults,
      personaFault(404, /^Persona is not running\.$/),
      { what: 'stopped', status: 404, detail: /^Persona is not running\.$/, spoil: (request) => request },
    ],
  ],
  [
    'POST /api/persona/{id}/delete',
    undefined,
    [...commonFaults, queryFault('force=maybe'), unknownFault, runtimeFault],
  ],
]

test('reports the earliest fault on every route', async () => {
  const id = await setup.born()
  const stoppedId = await setup.born()
  await setup.post(`/api/persona/${stoppedId}/stop`)
  for (const action of ['prepare', 'probe', 'unwrap', 'names'] as const)
    setup.models.brokenMethods[action] = 'No runtime answers.'
  for (const [route, body, faults] of rows) {
    const [method = '', path = ''] = route.replace('{id}', id).replace('{stopped}', stoppedId).split(' ')
    const right: RequestFields = { method, path, query: '', host: 'localhost', body, pad: 0 }
    for (let first = 0; first < faults.length; first++) {
      const wrong = faults.slice(first)
      // Faults are applied from the last to the first, so the body loses its shape after its fields are
      // changed.
      const request = [...wrong].reverse().reduce((current, { spoil }) => spoil(current), right)
      const { status, text } = await send(request)
      const label = `${route}: ${wrong.map(({ what }) => what).join(', ')}`
      assert.is(status, wrong[0]?.status, label)
      assert.match(toMessage(text), wrong[0]?.detail ?? /^$/, label)
    }
  }
  assert.is((await setup.view(stoppedId)).running, false)
  assert.is((await setup.view(id)).base_model, 'llama')
})

const isForm = (body: unknown): body is SentForm =>
  typeof body === 'object' && body !== null && 'headers' in body

const send = ({ method, path, query, host, body, pad }: RequestFields) => {
  if (isForm(body)) {
    const bytes = pad > 0 ? Buffer.concat([body.body, Buffer.alloc(2_000_000)]) : body.body
    return setup.send({
      method,
      path: path + query,
      headers: { ...body.headers, Host: host, 'Content-Length': bytes.length },
      body: bytes,
    })
  }
  const text = body === undefined ? undefined : JSON.stringify(body) + ' '.repeat(pad)
  const headers = {
    Host: host,
    ...(text === undefined ? {} : { ...json, 'Content-Length': Buffer.byteLength(text) }),
  }
  return setup.send({ method, path: path + query, headers, ...(text === undefined ? {} : { body: text }) })
}

const toMessage = (text: string): string => {
  const { detail } = JSON.parse(text)
  return typeof detail === 'string' ? detail : detail[0].loc.join('.')
}

// --- Methods

const routeRequests = createRouteRequests('nobody')
const routePaths = [...new Set(routeRequests.map(({ path }) => path))]

/** Includes all routes that match, because templates overlap: `tools/read` and `tools/{server}`. */
const getAllowedMethods = (path: string): readonly string[] => {
  const [place = ''] = path.split('?')
  const matching = routeRequests.filter(({ template }) =>
    new RegExp(`^${template.replace('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(place),
  )
  return [...new Set(matching.flatMap(({ method, head }) => (head ? [method, 'HEAD'] : [method])))].sort()
}

test('returns 405 with the allowed methods on every route', async () => {
  for (const path of routePaths) {
    const allowed = getAllowedMethods(path)
    for (const method of [
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'HEAD',
      'TRACE',
      'PROPFIND',
      'QUERY',
      'M-SEARCH',
    ])
      if (!allowed.includes(method) && !(method === 'QUERY' && process.version < 'v22')) {
        const { status, headers, text } = await setup.send({ method, path })
        assert.equal([status, headers.allow?.split(', ').sort()], [405, allowed], `${method} ${path}`)
        if (method !== 'HEAD') assert.match(text, 'Method Not Allowed')
        if (method !== 'HEAD' && path.startsWith('/api/')) assert.is(text, '{"detail":"Method Not Allowed"}')
      }
  }
})

test('returns 400 for an unknown method and never accepts CONNECT', async () => {
  const { port } = setup.daemon
  for (const method of ['SING', 'get', 'G E T', ''])
    assert.match(
      await raw(port, `${method} /api/personas HTTP/1.1\r\nHost: localhost\r\n\r\n`),
      /^HTTP\/1\.1 400 /,
    )
  assert.not.match(await raw(port, 'CONNECT evil.test:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'), / 200 /)
})

// --- Paths

test('returns 404 for an unknown path under /api or /v1 with any method', async () => {
  const id = await setup.born()
  const paths = [
    ...[
      '/api',
      '/api/',
      '/api?x=1',
      '/api/personas/',
      '/api/Personas',
      '/api//personas',
      '/api/./personas',
      '/api/x/../personas',
      '/api/personas%2f',
    ],
    ...[
      '/api/persona',
      '/api/persona/',
      '/api/persona//read',
      `/api/persona/${id}`,
      `/api/persona/${id}/`,
      `/api/persona/${id}/sing`,
    ],
    ...[
      `/api/persona/${id}/start/`,
      `/api/persona/${id}//start`,
      `/api/persona/${id}/Start`,
      `/api/persona/${id}/media/`,
      `/api/persona/../${id}/start`,
    ],
    ...[
      `/api/persona/${id}/start%00`,
      `/api/persona/${id}/start;x`,
      '/api/persona/%E0%A4%A/read',
      '/api/persona/%/start',
      '/api/persona/%zz/start',
    ],
    ...['/api/%70ersonas/', '/v1', '/v1/', '/v1/x', '/v1/models/', '/v1/chat', '/v1/chat/completions/x'],
  ]
  for (const path of paths)
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const { status, text } = await setup.send({ method, path })
      assert.equal([status, JSON.parse(text).detail], [404, 'Not Found'], `${method} ${path}`)
    }
  assert.is((await setup.view(id)).running, true)
})

test('returns errors under /v1 in both formats: that of the daemon and that of OpenAI', async () => {
  for (const path of ['/v1', '/v1/x', '/v1?x=1']) {
    const [status, body] = await setup.get(path)
    assert.equal(
      [status, joinKeys(body), joinKeys(body.error)],
      [404, 'detail error', 'message type param code'],
    )
    assert.equal([body.detail, body.error.message, body.error.param], ['Not Found', 'Not Found', null])
  }
})

test('matches paths with case: /API is served as the page', async () => {
  for (const path of ['/API/personas', '/Api', '/V1/models', '//api/personas', '/apis', '/v1x']) {
    assert.match((await setup.send({ path })).headers['content-type'] ?? '', /^text\/html/, path)
    assert.is((await setup.send({ method: 'POST', path })).status, 405, path)
  }
})

// --- Ids

test('returns 404 for any unknown id, also one that looks like a path', async () => {
  const id = await setup.born()
  const ids = [
    ...[
      'x',
      '0',
      'null',
      'undefined',
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      '.',
      '..',
      '%2e',
      '%2e%2e',
      '..%2F..',
      '%2F',
      '%5C..',
    ],
    ...[
      '%00',
      '%20',
      '*',
      '~',
      '%F0%9F%99%82',
      'z%C3%B6e',
      'system',
      'personas',
      '%3Cscript%3E',
      '%0d%0aX-Evil:%201',
      "'%20or%201=1",
      '%25',
    ],
    ...[id.toUpperCase(), `${id}%20`, `${id}%00`, `${id}%2f`, `..%2fpersonas%2f${id}`, 'x'.repeat(8000)],
  ]
  const actions: readonly (readonly [
    method: string,
    action: string,
    answer: string,
    body?: string | SentForm,
  ])[] = [
    ...['hush', 'start', 'restart', 'delete', 'delete?force=true'].map(
      (action) => ['POST', action, '404 Persona not found.'] as const,
    ),
    ['POST', 'stop', '404 Persona is not running.'],
    ['POST', 'update', '404 Persona not found.', '{"status":"sick"}'],
    ['POST', 'read', '409 Persona is not active.', '{"message":"x"}'],
    ['POST', 'read?wait=1', '409 Persona is not active.', '{"message":"x"}'],
    ...uploadRoutes.map(
      (endpoint) =>
        ['POST', endpoint, '409 Persona is not active.', toForm([createFilePart(endpoint, 'x')])] as const,
    ),
    ['GET', 'conversation', '404 Persona not found.'],
    ['GET', 'media/daemon', '404 Persona not found.'],
  ]
  const view = await setup.view(id)
  for (const personaId of ids)
    for (const [method, action, answer, body] of actions) {
      const { status, text, headers } = await setup.send({
        method,
        path: `/api/persona/${personaId}/${action}`,
        ...(typeof body === 'string' ? { body, headers: json } : body),
      })
      assert.is(`${status} ${JSON.parse(text).detail}`, answer, `${action} ${personaId.slice(0, 50)}`)
      assert.is(headers['x-evil'], undefined)
    }
  assert.equal(await setup.view(id), view)
})

test.run()
