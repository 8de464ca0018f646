/** The API description describes exactly the routes that exist. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createOpenApi, describe } from '../../src/http/openapi/openapi.ts'
import { routes } from '../../src/http/routes/route-table.ts'

type Json = Record<string, unknown>
const document = JSON.parse(JSON.stringify(describe(routes))) as Json & {
  paths: Record<string, Record<string, Json & { parameters?: Json[]; responses: Record<string, Json> }>>
  components: { schemas: Record<string, Json> }
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

const listObjects = (value: unknown): readonly Json[] =>
  typeof value === 'object' && value !== null
    ? [value as Json, ...Object.values(value).flatMap(listObjects)]
    : []

test('is OpenAPI 3.1.0 of Daimon 0.1.0', () => {
  assert.is(document.openapi, '3.1.0')
  const { title, version } = document.info as Json
  assert.equal([title, version], ['Daimon', '0.1.0'])
})

test('describes every route of the table and nothing else', () => {
  assert.equal(
    operations.map(({ path, method }) => `${method} ${path}`).sort(),
    routes.map(({ path, method }) => `${method} ${path}`).sort(),
  )
})

test('uses the component names of the contract', () => {
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

test('resolves every reference and refers to every component', () => {
  const usedRefs = new Set(
    listObjects(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])),
  )
  const componentRefs = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
  assert.equal([...usedRefs].sort(), componentRefs.sort())
})

test('contains no internal key of the schema library', () => {
  for (const part of listObjects(document))
    for (const key of ['$schema', '$id', '$defs', 'readOnly']) assert.not(key in part, key)
})

test('gives each operation a unique id, a summary, its parameters and a 200', () => {
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

test('describes a 422 for each route with a body or a query', () => {
  for (const { operation, path } of operations) {
    const isChecked =
      operation.requestBody !== undefined ||
      (operation.parameters ?? []).some((parameter) => parameter.in === 'query')
    assert.is('422' in operation.responses, isChecked, path)
  }
})

test('builds the description once and returns the same text each time', () => {
  const text = createOpenApi(routes)
  assert.is(text(), text())
  assert.is(text(), JSON.stringify(describe(routes)))
})

test.run()
