/** /v1/responses with the provider of the AI SDK, which sends references to stored items. */
import { createOpenAI } from '@ai-sdk/openai'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shareSetup } from './v1-setup.ts'

const setup = shareSetup(test)

type Model = ReturnType<ReturnType<typeof createOpenAI>['responses']>
type Call = Parameters<Model['doGenerate']>[0]

const createModel = (id: string): Model =>
  createOpenAI({ baseURL: `${setup.daemon.url}/v1`, apiKey: 'x' }).responses(id)
const user = (text: string): Call['prompt'][number] => ({ role: 'user', content: [{ type: 'text', text }] })
const tools: Call['tools'] = [
  {
    type: 'function',
    name: 'turn_on',
    description: 'Turns a device on.',
    inputSchema: { type: 'object', properties: { entity: { type: 'string' } }, required: ['entity'] },
  },
]

test('calls a tool, and continues with references to stored items', async () => {
  const model = createModel(await setup.born())
  setup.answer = ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? 'It is on.'
      : { content: 'One moment.', calls: [{ name: 'turn_on', arguments: { entity: 'lamp' } }] }
  const first = await model.doGenerate({ prompt: [user('Light')], tools })
  assert.is(first.finishReason.unified, 'tool-calls')
  const [text, call] = first.content
  if (text?.type !== 'text' || call?.type !== 'tool-call') throw new Error('no call')
  const { toolCallId, toolName } = call
  const second = await model.doGenerate({
    prompt: [
      user('Light'),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: text.text, providerOptions: text.providerMetadata ?? {} },
          {
            type: 'tool-call',
            toolCallId,
            toolName,
            input: JSON.parse(call.input),
            providerOptions: call.providerMetadata ?? {},
          },
        ],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: 'on' } }],
      },
    ],
    tools,
  })
  assert.match(JSON.stringify(second.request?.body), '"item_reference"')
  assert.equal(
    second.content.map((part) => part.type === 'text' && part.text),
    ['It is on.'],
  )
  const [, , assistant, output] = setup.getRequests().at(-1)?.messages ?? []
  assert.equal([assistant?.content, assistant?.tool_calls?.length, output?.role], ['One moment.', 1, 'tool'])
})

test('streams text and calls, and reports tokens', async () => {
  const model = createModel(await setup.born())
  setup.answer = () => ({ content: 'One two', calls: [{ name: 'turn_on', arguments: { entity: 'lamp' } }] })
  const { stream } = await model.doStream({ prompt: [user('x')], tools })
  const parts = []
  for await (const part of stream) parts.push(part)
  assert.is(parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''), 'One two')
  assert.equal(
    parts.flatMap((part) => (part.type === 'tool-call' ? [part.input] : [])),
    ['{"entity":"lamp"}'],
  )
  const finish = parts.at(-1)
  if (finish?.type !== 'finish') throw new Error('not finished')
  assert.equal([finish.finishReason.unified, finish.usage.outputTokens.total], ['tool-calls', 2])
  assert.equal(
    parts.filter(({ type }) => type === 'error'),
    [],
  )
})

test('asks for an object of a schema', async () => {
  const model = createModel(await setup.born())
  setup.answer = () => '{"city":"Porto"}'
  const schema = { type: 'object', properties: { city: { type: 'string' } } } as const
  const { content } = await model.doGenerate({
    prompt: [user('Where?')],
    responseFormat: { type: 'json', name: 'place', schema },
  })
  assert.equal(
    content.map((part) => part.type === 'text' && JSON.parse(part.text)),
    [{ city: 'Porto' }],
  )
})

test.run()
