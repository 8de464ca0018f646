/** GET /openapi.json: described routes are served, served routes are described, and responses match. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ChannelKind, Slot } from '../../facts/fact-values.ts'
import { toForm } from '../forms.ts'
import { isValid, type Schema } from './schema.ts'
import { shareSetup } from './setup.ts'
import { createFilePart, partNames, uploadRoutes } from './uploads.ts'

const setup = shareSetup(test)

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Record<string, { readonly schema: Schema }>
  }
  readonly responses: Record<
    string,
    { readonly description: string; readonly content: Record<string, { readonly schema?: Schema }> }
  >
}
interface Document {
  readonly openapi: string
  readonly info: object
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Schema> }
}
const loadDocument = async () => (await setup.get('/openapi.json'))[1] as Document
const listOperations = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

/** The routes of the contract, and those that the project adds. */
const contractRoutes = `
  GET /api/config/providers
  GET /api/personas
  POST /api/persona/create
  POST /api/persona/migrate
  GET /api/persona/{persona_id}/diagnose
  POST /api/persona/{persona_id}/update
  GET /api/persona/{persona_id}/conversation
  GET /api/persona/{persona_id}/knowledge
  GET /api/persona/{persona_id}/calendar
  GET /api/persona/{persona_id}/media/{filename}
  POST /api/persona/{persona_id}/sleep
  POST /api/persona/{persona_id}/read
  POST /api/persona/{persona_id}/attach
  POST /api/persona/{persona_id}/hear
  POST /api/persona/{persona_id}/feed
  POST /api/persona/{persona_id}/pair
  POST /api/persona/{persona_id}/channels
  DELETE /api/persona/{persona_id}/channels/{channel_name}
  POST /api/persona/{persona_id}/start
  POST /api/persona/{persona_id}/stop
  POST /api/persona/{persona_id}/restart
  GET /api/persona/{persona_id}/export
  POST /api/persona/{persona_id}/delete`
const ownRoutes = `
  POST /api/persona/{persona_id}/greet
  POST /api/persona/{persona_id}/hush
  POST /api/persona/{persona_id}/typing
  POST /api/persona/{persona_id}/speak
  POST /api/persona/{persona_id}/turns/{id}/again
  POST /api/persona/{persona_id}/turns/{id}/again/with
  POST /api/persona/{persona_id}/turns/{id}/choose
  PATCH /api/persona/{persona_id}/messages/{id}
  GET /api/persona/{persona_id}/care
  PUT /api/persona/{persona_id}/care
  POST /api/persona/{persona_id}/care/check
  GET /api/persona/{persona_id}/organs
  GET /api/persona/{persona_id}/memories
  POST /api/persona/{persona_id}/memories
  PATCH /api/persona/{persona_id}/memories/{id}
  DELETE /api/persona/{persona_id}/memories/{id}
  PATCH /api/persona/{persona_id}/proposals/{id}
  POST /api/persona/{persona_id}/calendar
  PATCH /api/persona/{persona_id}/calendar/{id}
  DELETE /api/persona/{persona_id}/calendar/{id}
  GET /api/persona/{persona_id}/calendar.ics
  GET /api/persona/{persona_id}/calendar/subscriptions
  POST /api/persona/{persona_id}/calendar/subscriptions
  POST /api/persona/{persona_id}/calendar/subscriptions/find
  POST /api/persona/{persona_id}/calendar/subscriptions/{id}/refresh
  DELETE /api/persona/{persona_id}/calendar/subscriptions/{id}
  GET /api/persona/{persona_id}/mailboxes
  POST /api/persona/{persona_id}/mailboxes
  POST /api/persona/{persona_id}/mailboxes/{id}/refresh
  DELETE /api/persona/{persona_id}/mailboxes/{id}
  GET /api/persona/{persona_id}/mailboxes/{id}/mails
  GET /api/persona/{persona_id}/initiative
  PUT /api/persona/{persona_id}/initiative
  PATCH /api/persona/{persona_id}/initiative/{id}
  DELETE /api/persona/{persona_id}/initiative/{id}
  GET /api/persona/{persona_id}/turns/{id}
  POST /api/persona/{persona_id}/turns/{id}/compare
  GET /api/persona/{persona_id}/audition/turns
  POST /api/persona/{persona_id}/audition
  POST /api/persona/{persona_id}/undo
  GET /api/persona/{persona_id}/search
  GET /api/persona/{persona_id}/usage
  GET /api/persona/{persona_id}/journal
  GET /api/persona/{persona_id}/journal/{seq}/causes
  GET /api/persona/{persona_id}/journal/{seq}/effects
  GET /api/facts/schema
  GET /api/persona/{persona_id}/heads
  POST /api/persona/{persona_id}/heads
  GET /api/persona/{persona_id}/history
  GET /api/persona/{persona_id}/changes
  GET /api/persona/{persona_id}/phrase
  POST /api/persona/{persona_id}/phrase
  POST /api/persona/{persona_id}/phrase/confirm
  POST /api/persona/{persona_id}/fork
  POST /api/persona/{persona_id}/verify
  POST /api/persona/{persona_id}/salvage
  POST /api/persona/{persona_id}/erase
  GET /api/persona/{persona_id}/tools
  POST /api/persona/{persona_id}/tools/import
  POST /api/persona/{persona_id}/tools/judge
  POST /api/persona/{persona_id}/tools/read
  PUT /api/persona/{persona_id}/tools/{server}
  DELETE /api/persona/{persona_id}/tools/{server}
  POST /api/persona/{persona_id}/tools/{server}/probe
  PATCH /api/persona/{persona_id}/hosts/{host}
  GET /api/persona/{persona_id}/search-providers
  PUT /api/persona/{persona_id}/search-providers
  PATCH /api/persona/{persona_id}/search-providers/{provider}
  POST /api/persona/{persona_id}/search-providers/{provider}/test
  PATCH /api/persona/{persona_id}/tools/{server}/{tool}
  GET /api/persona/{persona_id}/skills
  POST /api/persona/{persona_id}/skills
  GET /api/persona/{persona_id}/skills/{name}
  PATCH /api/persona/{persona_id}/skills/{name}
  DELETE /api/persona/{persona_id}/skills/{name}
  GET /api/persona/{persona_id}/approvals
  POST /api/persona/{persona_id}/approvals/{id}
  GET /api/persona/{persona_id}/character
  PUT /api/persona/{persona_id}/character
  GET /api/persona/{persona_id}/character/lines
  PUT /api/persona/{persona_id}/character/lines/{id}
  DELETE /api/persona/{persona_id}/character/lines/{id}
  GET /api/persona/{persona_id}/portrait
  PUT /api/persona/{persona_id}/portrait
  DELETE /api/persona/{persona_id}/portrait
  POST /api/persona/{persona_id}/portrait/draw
  GET /api/character/presets
  POST /api/character/card
  POST /api/models
  POST /api/models/test
  POST /api/persona/{persona_id}/test
  POST /api/persona/{persona_id}/try
  GET /api/local-models
  POST /api/local-models
  PUT /api/local-models/runtime
  POST /api/local-models/cancel
  DELETE /api/local-models
  GET /api/health
  GET /api/projections
  POST /api/persona/{persona_id}/projections/{name}/rebuild
  GET /api/push
  POST /api/push
  POST /api/push/forget
  POST /api/push/try
  GET /metrics
  GET /v1/models
  GET /v1/models/{id}
  POST /v1/chat/completions
  POST /v1/responses
  GET /v1/responses/{response_id}
  GET /api/subscriptions
  GET /api/subscriptions/{name}
  PUT /api/subscriptions/{name}
  DELETE /api/subscriptions/{name}
  POST /api/subscriptions/{name}/replay
  GET /api/subscriptions/{name}/facts
  POST /api/subscriptions/{name}/ack
  GET /api/subscriptions/{name}/dead
  DELETE /api/subscriptions/{name}/dead/{id}
  POST /api/subscriptions/{name}/retry
  DELETE /v1/responses/{response_id}
  GET /v1/responses/{response_id}/input_items
  POST /v1/responses/{response_id}/cancel`
const routes = (contractRoutes + ownRoutes)
  .trim()
  .split('\n')
  .map((line) => line.trim())

test('serves the OpenAPI 3.1.0 description of version 0.1.0 as JSON', async () => {
  const { status, headers, text } = await setup.send({ path: '/openapi.json' })
  assert.equal([status, headers['content-type']], [200, 'application/json; charset=utf-8'])
  const { openapi, info } = JSON.parse(text)
  assert.equal([openapi, info.title, info.version], ['3.1.0', 'Daimon', '0.1.0'])
  assert.is((await setup.send({ path: '/openapi.json' })).text, text)
})

test('describes no route outside the two lists', async () => {
  for (const { path, method } of listOperations(await loadDocument()))
    assert.ok(routes.includes(`${method.toUpperCase()} ${path}`), `${method} ${path}`)
})

test('serves every listed route exactly if it is described', async () => {
  const { paths } = await loadDocument()
  for (const line of routes) {
    const [method = '', path = ''] = line.split(' ')
    const { status, text } = await setup.send({ method, path: path.replaceAll(/\{\w+\}/g, 'nobody') })
    const isServed = status !== 405 && text !== '{"detail":"Not Found"}' && !text.includes('"path_unknown"')
    assert.is(isServed, paths[path]?.[method.toLowerCase()] !== undefined, `${line}: ${status}`)
  }
})

test('describes the basic routes of a persona', async () => {
  const { paths } = await loadDocument()
  for (const path of ['config/providers', 'personas', 'persona/create', 'health', 'models'])
    assert.ok(paths[`/api/${path}`], path)
  for (const action of [
    'update',
    'conversation',
    'media/{filename}',
    'read',
    'hear',
    'attach',
    'hush',
    'start',
    'stop',
    'restart',
    'delete',
  ])
    assert.ok(paths[`/api/persona/{persona_id}/${action}`], action)
})

test('leaves out sockets and pages', async () => {
  for (const path of Object.keys((await loadDocument()).paths))
    assert.match(path, /^\/(?:(?:api|v1)\/|metrics$)/)
})

test('describes each operation with a unique id, a summary, its parameters and every response', async () => {
  const operations = listOperations(await loadDocument())
  assert.is(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
  for (const { path, method, operation } of operations) {
    const { operationId, summary, parameters = [], requestBody, responses } = operation
    assert.match(operationId, /^[a-z][a-z0-9_]*$/i)
    assert.ok(summary.length > 0)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    assert.equal(
      inPath.map(({ name }) => `{${name}}`),
      path.match(/\{\w+\}/g) ?? [],
    )
    for (const parameter of parameters) {
      assert.ok(['path', 'query'].includes(parameter.in) && typeof parameter.schema === 'object', path)
      assert.is(parameter.required, parameter.in === 'path' || parameter.required)
    }
    assert.ok(method !== 'get' || requestBody === undefined)
    for (const { schema } of Object.values(requestBody?.content ?? {})) assert.type(schema, 'object')
    assert.ok(responses['200'])
    for (const [status, { description, content }] of Object.entries(responses)) {
      assert.match(status, /^[2-5]\d\d$/)
      assert.ok(description.length > 0)
      const problem = path.startsWith('/v1/')
        ? 'V1Problem'
        : status === '422'
          ? 'HTTPValidationError'
          : 'Problem'
      const expectedProblem = status === '200' ? undefined : problem
      if (expectedProblem)
        assert.equal(
          content['application/json']?.schema,
          { $ref: `#/components/schemas/${expectedProblem}` },
          `${path} ${status}`,
        )
    }
  }
})

test('uses the component names of the contract and resolves every reference', async () => {
  const { components, paths } = await loadDocument()
  for (const name of [
    'PersonaCreateRequest',
    'ReadRequest',
    'Body_hear',
    'Body_attach',
    'HTTPValidationError',
    'ValidationError',
  ])
    assert.ok(components.schemas[name], name)
  const usedRefs = [
    ...JSON.stringify({ components, paths }).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g),
  ].map(([, name]) => name)
  assert.equal([...new Set(usedRefs)].sort(), Object.keys(components.schemas).sort())
})

test('describes both upload routes as forms with a file and a caption', async () => {
  const { components, paths } = await loadDocument()
  for (const [way, part] of Object.entries(partNames)) {
    const content = paths[`/api/persona/{persona_id}/${way}`]?.post?.requestBody?.content
    assert.equal(Object.keys(content ?? {}), ['multipart/form-data'])
    assert.equal(content?.['multipart/form-data']?.schema, { $ref: `#/components/schemas/Body_${way}` })
    assert.equal(components.schemas[`Body_${way}`], {
      type: 'object',
      properties: { [part]: { type: 'string', format: 'binary' }, caption: { type: 'string', default: '' } },
      required: [part],
    })
  }
})

test('requires two fields of the create request and accepts text or null for the others', async () => {
  const { components } = await loadDocument()
  const { properties = {}, required } = components.schemas.PersonaCreateRequest as Schema
  assert.equal(required, ['name', 'thinking_model'])
  const organs = Slot.options.filter((slot) => slot !== 'thinking')
  const parts = ['model', 'url', 'provider', 'api_key', 'api_key_from']
  assert.equal(Object.keys(properties), [
    ...['name', 'thinking_model', 'thinking_url', 'thinking_provider'],
    ...['thinking_api_key', 'thinking_api_key_from'],
    ...organs.flatMap((organ) => parts.map((part) => `${organ}_${part}`)),
    ...ChannelKind.options.map((kind) => `${kind}_token`),
    'matrix_homeserver',
    'character',
    'initiative',
    'initiative_zone',
  ])
  const isAccepted = (field: string, value: unknown) =>
    isValid(properties[field] ?? {}, value, components.schemas)
  for (const field of Object.keys(properties))
    assert.equal(
      [
        isAccepted(field, field === 'initiative' ? 'gentle' : 'x'),
        isAccepted(field, null),
        isAccepted(field, 5),
      ],
      [true, !required?.includes(field), false],
      field,
    )
})

test('returns responses that match their schemas', async () => {
  const { paths, components } = await loadDocument()
  const id = await setup.born({ thinking_api_key: 'sk-1' })
  await setup.say(`/api/persona/${id}`, 'hello')
  const assertDescribed = async (method: 'get' | 'post', path: string, body?: unknown, query = '') => {
    const requestPath = path.replace('{persona_id}', id) + query
    const [status, answer] =
      method === 'get' ? await setup.get(requestPath) : await setup.post(requestPath, body)
    const schema = paths[path]?.[method]?.responses[String(status)]?.content['application/json']?.schema
    assert.ok(schema, `${path} describes ${status}`)
    assert.ok(isValid(schema, answer, components.schemas), `${path} ${status}: ${JSON.stringify(answer)}`)
  }
  const personaPath = '/api/persona/{persona_id}'
  await assertDescribed('get', '/api/config/providers')
  await assertDescribed('get', '/api/personas')
  await assertDescribed('get', '/api/health')
  await assertDescribed('post', '/api/models', {})
  await assertDescribed('post', '/api/models', { provider: 5 })
  await assertDescribed('post', '/api/persona/create', { name: 'Eva', thinking_model: 'llama' })
  await assertDescribed('post', '/api/persona/create', {})
  await assertDescribed('post', '/api/persona/create', { name: 'x', thinking_model: '' })
  await assertDescribed('get', `${personaPath}/conversation`)
  await assertDescribed('get', `${personaPath}/conversation`, undefined, '?limit=0')
  await assertDescribed('post', `${personaPath}/memories`, { document: 'person', text: 'They have a cat.' })
  await assertDescribed('post', `${personaPath}/memories`, { document: 'diary', text: '' })
  await assertDescribed('post', `${personaPath}/memories`, { document: 'person', text: '' })
  await assertDescribed('get', `${personaPath}/memories`)
  await assertDescribed('get', '/v1/models')
  await assertDescribed('get', '/v1/models/{id}')
  const messages = [{ role: 'user', content: 'x' }]
  for (const body of [
    { model: id, messages },
    { model: id, messages, store: 5 },
    { model: 'nobody', messages },
  ])
    await assertDescribed('post', '/v1/chat/completions', body)
  await assertDescribed('post', `${personaPath}/read`, { message: 'x' })
  await assertDescribed('post', `${personaPath}/read`, { message: 'x' }, '?wait=20')
  await assertDescribed('post', `${personaPath}/read`, { message: 'x' }, '?wait=0')
  for (const endpoint of uploadRoutes) {
    const { body, headers } = toForm([createFilePart(endpoint, 'x')])
    for (const parts of [body, body.subarray(0, 10)]) {
      const { status, text } = await setup.send({
        method: 'POST',
        path: `/api/persona/${id}/${endpoint}`,
        body: parts,
        headers: { ...headers, 'Content-Length': parts.length },
      })
      const schema =
        paths[`${personaPath}/${endpoint}`]?.post?.responses[String(status)]?.content['application/json']
          ?.schema
      assert.ok(
        schema && isValid(schema, JSON.parse(text), components.schemas),
        `${endpoint} ${status}: ${text}`,
      )
    }
  }
  for (const [content, query] of [
    ['[]', ''],
    ['x', ''],
    ['[]', '?preview=1'],
  ] as const) {
    const parts = [
      { name: 'source', content: 'chatgpt' },
      { name: 'history', filename: 'a.json', content },
    ]
    const { status, text } = await setup.send({
      method: 'POST',
      path: `/api/persona/${id}/feed${query}`,
      ...toForm(parts),
    })
    const schema =
      paths[`${personaPath}/feed`]?.post?.responses[String(status)]?.content['application/json']?.schema
    assert.ok(schema && isValid(schema, JSON.parse(text), components.schemas), `feed ${status}: ${text}`)
  }
  await assertDescribed('post', `${personaPath}/update`, { status: 'active' })
  await assertDescribed('post', `${personaPath}/update`, { status: 'odd' })
  for (const action of [
    'hush',
    'start',
    'restart',
    'stop',
    'stop',
    'delete',
    'delete',
    'start',
    'hush',
    'typing',
    'restart',
  ])
    await assertDescribed('post', `${personaPath}/${action}`)
  await assertDescribed('post', `${personaPath}/read`, { message: 'x' })
  await assertDescribed('post', `${personaPath}/update`, {})
  await assertDescribed('get', `${personaPath}/conversation`)
})

test.run()
