/** OpenAI's Responses API, and the switch between it and chat completions, over real HTTP. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Prompt } from '../../packages/models/mind.ts'
import type { Fault } from '../stand-ins/faults.ts'
import { png } from '../stand-ins/media.ts'
import type { Json } from '../stand-ins/provider.ts'
import {
  chats,
  createGivenModels,
  createPicture,
  createPrompt,
  hello,
  mindFailure,
  nowTool,
  recall,
  type Stage,
  think,
  twoCalls,
  user,
} from './cloud-stage.ts'

const test = suite<{ stages: Stage[] }>('responses')
test.before.each((world) => {
  world.stages = []
})
test.after.each(async ({ stages }) => {
  await Promise.all(stages.map((stage) => stage.close()))
})

const getPaths = ({ standIn }: Stage) => standIn.calls(chats).map(({ path }) => path)
const promptWithTools: Prompt = { ...hello, tools: [recall, nowTool] }

const refusals = [
  'This model is only supported in v1/responses and not in v1/chat/completions.',
  'Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.',
  'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions/responses?',
  'Unsupported tools. Please use /v1/responses.',
]

for (const refusal of refusals)
  test(`switches to Responses and remembers it: ${refusal}`, async (world) => {
    const stage = await createGivenModels(world, 'compatible', {
      model: 'gpt-5',
      models: ['gpt-5'],
      refusesChat: () => refusal,
    })
    assert.is((await think(stage.mind(), promptWithTools)).text, 'ok')
    assert.is((await think(stage.mind(), promptWithTools)).text, 'ok')
    assert.equal(getPaths(stage), ['/v1/chat/completions', '/v1/responses', '/v1/responses'])
  })

test('creates a persona with a model that supports only Responses', async (world) => {
  const stage = await createGivenModels(world, 'compatible', { model: 'qwen4', models: ['qwen3', 'qwen4'] })
  await stage.models.prepare('thinking', stage.organ, () => {})
  const otherReply = await createGivenModels(world, 'compatible', {
    refusesChat: () => refusals[0] ?? '',
    apiKey: null,
    key: null,
    models: ['hidden'],
    model: 'hidden',
  })
  await otherReply.models.prepare('thinking', otherReply.organ, () => {})
  assert.is((await think(otherReply.mind(), hello)).text, 'ok')
})

test('calls OpenAI itself on Responses first, and stores nothing there', async (world) => {
  const stage = await createGivenModels(world, 'openai', { model: 'gpt-5' })
  assert.is((await think(stage.mind(), promptWithTools)).text, 'ok')
  assert.equal(getPaths(stage), ['/v1/responses'])
  const [call] = stage.standIn.calls('/v1/responses')
  assert.ok(call)
  assert.is(call.body.store, false)
  assert.equal(call.body.include, ['reasoning.encrypted_content'])
  assert.equal(
    (call.body.tools as readonly { strict: boolean }[]).map(({ strict }) => strict),
    [false, false],
  )
})

test('calls OpenAI itself on chat completions if Responses rejects the model or is missing', async (world) => {
  const message = 'This model is only supported in v1/chat/completions and not in v1/responses.'
  const stage = await createGivenModels(world, 'openai', { refusesResponses: () => message })
  const absent = await createGivenModels(world, 'openai', { faults: { absent: ['/v1/responses'] } })
  for (const server of [stage, absent]) {
    assert.is((await think(server.mind(), hello)).text, 'ok')
    assert.is((await think(server.mind(), hello)).text, 'ok')
    assert.equal(getPaths(server), ['/v1/responses', '/v1/chat/completions', '/v1/chat/completions'])
  }
})

test('sends reasoning back byte by byte with the next step', async (world) => {
  const answer: typeof twoCalls = (request) => ({ ...twoCalls(request), thoughts: 'Two  ideas,\n"quoted".' })
  const stage = await createGivenModels(world, 'openai', { model: 'gpt-5', answer })
  const first = await think(stage.mind(), promptWithTools)
  const end = first.parts.at(-1)
  const opaque = end?.type === 'end' ? end.opaque : undefined
  assert.ok(opaque)
  const next = createPrompt(promptWithTools, first)
  const messages = next.messages.map((message) =>
    message.role === 'assistant' && opaque ? { ...message, opaque: () => opaque } : message,
  )
  assert.match((await think(stage.mind(), { ...next, messages })).text, 'Gefunden: result 0')
  const input = stage.standIn.calls('/v1/responses').at(-1)?.body.input as readonly Json[]
  assert.equal(
    input.filter(({ type }) => type === 'reasoning').map((item) => item.summary),
    [[{ type: 'summary_text', text: 'Two  ideas,\n"quoted".' }]],
  )
  const changedReasoning = JSON.parse(JSON.stringify(opaque).replaceAll('Two  ideas', 'Two ideas'))
  const wrong = next.messages.map((message) =>
    message.role === 'assistant' ? { ...message, opaque: () => changedReasoning } : message,
  )
  const rejection = await mindFailure(() => think(stage.mind(), { ...next, messages: wrong }))
  assert.match(rejection.message, "without its required 'reasoning' item")
})

test('leaves encrypted reasoning out for models that refuse it', async (world) => {
  const stage = await createGivenModels(world, 'compatible', { refusesChat: () => refusals[0] ?? '' })
  assert.is((await think(stage.mind(), promptWithTools)).text, 'ok')
  assert.is((await think(stage.mind(), promptWithTools)).text, 'ok')
  const includes = stage.standIn.calls('/v1/responses').map(({ body }) => 'include' in body)
  assert.equal(includes, [true, false, false])
})

test('sends pictures', async (world) => {
  const stage = await createGivenModels(world, 'openai')
  await think(stage.mind(), {
    ...hello,
    messages: [user('Look', [createPicture('a.png', 'image/png', png)])],
  })
  const [call] = stage.standIn.calls('/v1/responses')
  assert.equal(call?.conversation?.messages.at(-1)?.files[0]?.bytes, png)
})

const event = (type: string, fields: object = {}) =>
  `data: ${JSON.stringify({ type, sequence_number: 1, ...fields })}\n\n`
const createdEvent = event('response.created', { response: { id: 'r', created_at: 1, model: 'gpt-4o' } })
const createFailedBody = (code: string) =>
  event('response.failed', { response: { error: { code, message: 'The server failed.' } } })

const getKind = async (stage: Stage, fault: Fault) => {
  stage.standIn.faults.on = chats
  stage.standIn.faults.permanentFault = fault
  return (await mindFailure(() => think(stage.mind(), hello))).kind
}

test('reads refusals and errors inside a stream as those of chat completions', async (world) => {
  for (const [status, kind] of [
    [401, 'barred'],
    [429, 'unreachable'],
    [500, 'unreachable'],
  ] as const)
    assert.is(await getKind(await createGivenModels(world, 'openai'), { what: 'status', status }), kind)
  for (const byteCount of [0, 4]) {
    const fault = { what: 'error in stream', after: byteCount, words: 'It broke.' } as const
    assert.is(await getKind(await createGivenModels(world, 'openai'), fault), 'unreachable')
    const event = () => createdEvent + createFailedBody('server_error')
    assert.is(await getKind(await createGivenModels(world, 'openai', { event }), fault), 'unreachable')
  }
  const event = () => createFailedBody('rate_limit_exceeded')
  const stage = await createGivenModels(world, 'openai', { event })
  stage.standIn.faults.on = chats
  stage.standIn.faults.permanentFault = { what: 'error in stream', after: 1, words: '' }
  assert.match((await mindFailure(() => think(stage.mind(), hello))).message, 'The server failed')
})

test('marks an incomplete answer as truncated', async (world) => {
  const stage = await createGivenModels(world, 'openai', { answer: () => ({ text: 'a b', end: 'length' }) })
  const { text, parts } = await think(stage.mind(), hello)
  assert.is(text, 'a b')
  assert.is(parts.flatMap((part) => (part.type === 'end' ? [part.cut] : []))[0], true)
})

test('requests a complete answer once, and again if its end mark is missing', async (world) => {
  const stage = await createGivenModels(world, 'openai', { answer: () => 'a b c' })
  await think(stage.mind(), hello)
  assert.is(getPaths(stage).length, 1)
  stage.standIn.faults.on = chats
  stage.standIn.faults.next = [{ what: 'cut', mode: 'cleanly', after: 4 }]
  const { text, parts } = await think(stage.mind(), hello)
  assert.is(text, 'a b c')
  assert.is(parts.flatMap((part) => (part.type === 'end' ? [part.calls] : []))[0], 2)
})

test('reads a complete answer although a stream was requested', async (world) => {
  const answer: typeof twoCalls = (request) => ({ ...twoCalls(request), thoughts: 'Hm.' })
  const stage = await createGivenModels(world, 'openai', { model: 'gpt-5', answer })
  stage.standIn.faults.on = chats
  stage.standIn.faults.permanentFault = { what: 'whole' }
  const { text, calls } = await think(stage.mind(), promptWithTools)
  assert.is(text, 'Ich sehe nach.')
  assert.equal(
    calls.map(({ name }) => name),
    ['recall', 'check_health'],
  )
  assert.is(getPaths(stage).length, 1)
})

test.run()
