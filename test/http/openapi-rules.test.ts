/**
 * Checks the API description by common rules: the recommended rules of Redocly, and those of Spectral for
 * OpenAPI that it has broken before.
 */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createOpenApi } from '../../src/http/openapi/openapi.ts'
import { routes } from '../../src/http/routes/route-table.ts'
import { isValid, type Schema } from '../contract/schema.ts'

interface OpenapiExample {
  readonly schema?: Schema
  readonly example?: unknown
}

interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly (OpenapiExample & { readonly name: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, OpenapiExample>> }
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, OpenapiExample>> }>>
  readonly 'x-codeSamples'?: readonly { readonly source: string }[]
}

interface Document {
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly unknown[]
  readonly security: readonly unknown[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const source = createOpenApi(routes)()
const document: Document = JSON.parse(source)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ what: `${method} ${path}`, operation })),
)

// Fails without servers, security, the licence, or a 4xx response of each route.
test('passes the recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  assert.equal(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`),
    [],
  )
})

test('names contact, licence and server, and declares that there is no authentication', () => {
  for (const part of ['title', 'version', 'description', 'contact', 'license'])
    assert.ok(document.info[part], part)
  assert.equal(document.servers, [{ url: '/', description: 'The daemon that served this document' }])
  assert.equal(document.security, [])
})

test('gives every operation its own summary, description and a described tag', () => {
  const describedTags = new Set(document.tags.map(({ name }) => name))
  const usedTags = new Set<string>()
  for (const { what: label, operation } of operations) {
    const { summary = '', description = '', tags = [] } = operation
    assert.ok(summary && description && summary !== description, label)
    assert.is(tags.length, 1, label)
    for (const tag of tags) assert.ok(describedTags.has(tag), label)
    for (const tag of tags) usedTags.add(tag)
  }
  assert.equal([...usedTags].sort(), [...describedTags].sort())
  for (const { description } of document.tags) assert.ok(description)
})

test('gives every operation valid examples of its call, its request and its response', () => {
  const check = (label: string, { schema, example }: OpenapiExample) => {
    // Bytes of any type have no schema.
    if (!schema) return
    assert.is.not(example, undefined, label)
    assert.ok(isValid(schema, example, document.components.schemas), `${label}: ${JSON.stringify(example)}`)
  }
  for (const { what: label, operation } of operations) {
    const { parameters = [], requestBody, responses } = operation
    assert.match(
      operation['x-codeSamples']?.[0]?.source ?? '',
      /^curl -s -X [A-Z]+ 'http:\/\/localhost:5370\//,
    )
    for (const parameter of parameters) check(`${label} ${parameter.name}`, parameter)
    for (const media of Object.values(requestBody?.content ?? {})) check(label, media)
    for (const media of Object.values(responses['200']?.content ?? {})) check(label, media)
  }
})

test.run()
