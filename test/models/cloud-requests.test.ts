/** The fields of a request that let a provider reuse its prompt cache and enforce the form of an answer. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Message, Prompt } from '../../packages/models/mind.ts'
import { buildImportPrompt } from '../../src/mind/memory/consolidate-import.ts'
import type { Json } from '../stand-ins/provider.ts'
import {
  chats,
  createGivenModels,
  forEachProvider,
  hello,
  nowTool,
  recall,
  type Stage,
  think,
  user,
} from './cloud-stage.ts'

const test = suite<{ stages: Stage[] }>('cloud requests', { stages: [] })
test.after.each(async ({ stages }) => {
  for (const stage of stages.splice(0)) await stage.close()
})

const cacheKey = '0123456789abcdef0123456789abcdef'
const getBodies = ({ standIn }: Stage): readonly Json[] => standIn.calls(chats).map(({ body }) => body)

test('sends the cache key to OpenAI and xAI only, the same with each request', async (world) => {
  await forEachProvider(async (kind) => {
    const stage = await createGivenModels(world, kind)
    const mind = stage.models.mind({ ...stage.organ, cacheKey }, null)
    for (const content of ['one', 'two']) await think(mind, { ...hello, messages: [user(content)] })
    assert.is(stage.standIn.calls(chats).length, 2)
    for (const { body, headers } of stage.standIn.calls(chats)) {
      assert.is(body.prompt_cache_key, kind === 'openai' ? cacheKey : undefined, kind)
      assert.is(headers['x-grok-conv-id'], kind === 'xai' ? cacheKey : undefined, kind)
      if (kind === 'openai') assert.is(body.store, false)
    }
  })
})

test('sends the cache key to OpenAI over chat completions too', async (world) => {
  const stage = await createGivenModels(world, 'openai', {
    refusesResponses: () => 'Please use /v1/chat/completions.',
  })
  await think(stage.models.mind({ ...stage.organ, cacheKey }, null), hello)
  assert.is(getBodies(stage).at(-1)?.prompt_cache_key, cacheKey)
})

const talk: readonly Message[] = [
  user('I live in Porto.'),
  { role: 'assistant', content: 'Noted.', calls: [] },
  user('Where do I live?'),
  { role: 'assistant', content: '', calls: [{ id: 'call-1', name: 'recall', input: { query: 'live' } }] },
  { role: 'tool', call: 'call-1', name: 'recall', content: 'They live in Porto.' },
]

test('marks tools, system prompt, previous turn and last message for the cache of Anthropic', async (world) => {
  const stage = await createGivenModels(world, 'anthropic')
  const prompt: Prompt = { ...hello, messages: talk, tools: [recall, nowTool] }
  await think(stage.mind(), prompt)
  const [body] = getBodies(stage)
  const marked = (value: unknown) => JSON.stringify(value).includes('"cache_control":{"type":"ephemeral"}')
  const list = (value: unknown) => (value as readonly unknown[]).map(marked)
  assert.equal(list(body?.tools), [false, true])
  assert.equal(list(body?.system), [true])
  assert.equal(list(body?.messages), [false, true, false, false, true])
})

const form = {
  name: 'consolidation',
  schema: {
    type: 'object',
    properties: { summary: { type: 'string' } },
    required: ['summary'],
    additionalProperties: false,
  },
}

/** Returns the schema of a request, in the field of its API. */
const getSchema = (body: Json | undefined): unknown => {
  const { response_format, text, output_config, generationConfig } = (body ?? {}) as Record<string, Json>
  const format = response_format ?? text?.format ?? output_config?.format
  if (generationConfig) return generationConfig.responseSchema
  return (format as Json)?.schema ?? ((format as Json)?.json_schema as Json)?.schema
}

test('sends the form of a consolidation in a way that each provider accepts', async (world) => {
  const part = { talk: 'x', from: 0, upTo: 1, system: '' } as Parameters<typeof buildImportPrompt>[0]
  const { form: importForm } = buildImportPrompt(part, false)
  assert.ok(importForm)
  await forEachProvider(async (kind) => {
    const stage = await createGivenModels(world, kind)
    await think(stage.mind(), { ...hello, form: importForm })
    assert.is(getBodies(stage).length, 1, kind)
  })
})

test('sends the JSON schema of an answer to each provider', async (world) => {
  await forEachProvider(async (kind) => {
    const stage = await createGivenModels(world, kind, { answer: () => '{"summary":"They moved."}' })
    const { text } = await think(stage.mind(), { ...hello, form })
    assert.is(text, '{"summary":"They moved."}')
    const schema = getSchema(getBodies(stage)[0]) as Json
    assert.equal(schema?.properties, form.schema.properties, kind)
    assert.is(getBodies(stage).length, 1, kind)
  })
})

test('executes calls that a model writes as text', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind } = await createGivenModels(world, kind, {
      answer: () => 'I look. <tool_call>{"name": "recall", "arguments": {"query": "Porto"}}</tool_call>',
    })
    const { text, calls } = await think(mind(), { ...hello, tools: [recall] })
    assert.is(text, 'I look. ')
    assert.equal(calls, [{ id: 'call-1', name: 'recall', input: { query: 'Porto' } }])
    const answer = await think(mind(), hello)
    assert.match(answer.text, '<tool_call>')
    assert.equal(answer.calls, [])
  })
})

test.run()
