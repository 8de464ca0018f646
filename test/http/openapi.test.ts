/** The description says what the routes are, all of them and no other. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../src/http/routes/table.ts'
import { createDescription, describe } from '../../src/http/schema/openapi.ts'

type Json = Record<string, unknown>
const document = JSON.parse(JSON.stringify(describe(routes))) as Json & {
  paths: Record<string, Record<string, Json & { parameters?: Json[]; responses: Record<string, Json> }>>
  components: { schemas: Record<string, Json> }
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

const within = (value: unknown): readonly Json[] =>
  typeof value === 'object' && value !== null ? [value as Json, ...Object.values(value).flatMap(within)] : []

test('it is OpenAPI 3.1.0 of Daimon 0.1.0', () => {
  assert.is(document.openapi, '3.1.0')
  const { title, version } = document.info as Json
  assert.equal([title, version], ['Daimon', '0.1.0'])
})

test('every route of the table is described, and nothing else', () => {
  assert.equal(
    operations.map(({ path, method }) => `${method} ${path}`).sort(),
    routes.map(({ path, method }) => `${method} ${path}`).sort(),
  )
})

test('the components carry the names of the contract', () => {
  for (const name of [
    'PersonaCreateRequest',
    'ReadRequest',
    'Body_hear',
    'Body_attach',
    'HTTPValidationError',
    'ValidationError',
  ])
    assert.ok(document.components.schemas[name], name)
  assert.equal(document.components.schemas.PersonaCreateRequest?.required, ['name', 'thinking_model'])
  assert.equal(document.components.schemas.ReadRequest, {
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
  })
})

test('every reference leads to a component, every component is referred to', () => {
  const used = new Set(within(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])))
  const there = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
  assert.equal([...used].sort(), there.sort())
})

test('no key of the schema maker is left in it', () => {
  for (const part of within(document))
    for (const key of ['$schema', '$id', '$defs', 'readOnly']) assert.not(key in part, key)
})

test('each operation has its own id, a summary, its parameters and a 200', () => {
  assert.is(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
  for (const { path, operation } of operations) {
    assert.type(operation.summary, 'string')
    assert.ok(operation.responses['200'], path)
    const inPath = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => `{${name}}`)
    assert.equal(inPath, path.match(/\{\w+\}/g) ?? [], path)
  }
})

test('a body or a query that can be wrong has its 422', () => {
  for (const { operation, path } of operations) {
    const checked =
      operation.requestBody !== undefined ||
      (operation.parameters ?? []).some((parameter) => parameter.in === 'query')
    assert.is('422' in operation.responses, checked, path)
  }
})

test('it is made once and is the same each time', () => {
  const text = createDescription(routes)
  assert.is(text(), text())
  assert.is(text(), JSON.stringify(describe(routes)))
})

test.run()
