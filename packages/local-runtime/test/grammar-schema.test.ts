/** Tool schemas become schemas for a grammar, and additions of the grammar are removed from answers. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { dropNulls, toGrammarSchema } from '../grammar-schema.ts'

test('an optional property may be null, and a null is removed from the answer', () => {
  const schema = z.toJSONSchema(z.object({ text: z.string(), person: z.string().optional() }))
  assert.equal(toGrammarSchema(schema), {
    type: 'object',
    properties: { text: { type: 'string' }, person: { oneOf: [{ type: 'string' }, { type: 'null' }] } },
  })
  assert.equal(dropNulls({ text: 'a', person: null }, schema), { text: 'a' })
  assert.equal(dropNulls({ text: null, other: null }, schema), { text: null, other: null })
})

test('keeps a null that the tool accepts itself', () => {
  const schema = z.toJSONSchema(z.object({ until: z.string().nullable() }))
  assert.equal(dropNulls({ until: null }, schema), { until: null })
  assert.equal(toGrammarSchema(schema), {
    type: 'object',
    properties: { until: { oneOf: [{ type: 'string' }, { type: 'null' }] } },
  })
})

test('converts lists, references, alternatives, constants and open objects', () => {
  const schema = {
    type: 'object',
    $defs: { item: { type: 'object', properties: { note: { type: 'string' } } } },
    properties: {
      list: { type: 'array', items: { $ref: '#/$defs/item' }, maxItems: 3, description: 'All of them.' },
      op: { enum: ['add', 'remove'] },
      kind: { const: 'x' },
      day: { type: 'string', format: 'date', pattern: '^2' },
      value: { type: ['string', 'integer'] },
      any: {},
      map: { type: 'object', additionalProperties: { type: 'number' } },
    },
    required: ['list', 'op', 'kind', 'day', 'value', 'any', 'map'],
  }
  const text = { type: 'string' }
  assert.equal(toGrammarSchema(schema), {
    type: 'object',
    properties: {
      list: {
        type: 'array',
        items: { type: 'object', properties: { note: { oneOf: [text, { type: 'null' }] } } },
        maxItems: 3,
        description: 'All of them.',
      },
      op: { enum: ['add', 'remove'] },
      kind: { const: 'x' },
      day: { type: 'string', format: 'date' },
      value: { oneOf: [text, { type: 'integer' }] },
      any: { type: ['string', 'number', 'boolean', 'null'] },
      map: { type: 'object', properties: {}, additionalProperties: { type: 'number' } },
    },
  })
  assert.equal(dropNulls({ list: [{ note: null }, { note: 'a' }] }, schema), { list: [{}, { note: 'a' }] })
})

test('a recursive or unknown schema ends', () => {
  const schema = { $ref: '#/$defs/tree', $defs: { tree: { type: 'array', items: { $ref: '#/$defs/tree' } } } }
  assert.ok(JSON.stringify(toGrammarSchema(schema)).length < 2000)
  assert.equal(toGrammarSchema({ $ref: 'elsewhere' }), { type: ['string', 'number', 'boolean', 'null'] })
  assert.equal(dropNulls([[null]], schema), [[null]])
})

test.run()
