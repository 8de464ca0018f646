/** /v1/responses with the client library of OpenAI: create, stream, continue, fetch, delete. */
import type OpenAI from 'openai'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { png } from '../stand-ins/media.ts'
import { getApiError, shareSetup } from './v1-setup.ts'

const setup = shareSetup(test)

type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming
type Event = OpenAI.Responses.ResponseStreamEvent

const create = (body: Body) => setup.client.responses.create(body)
const lastTalk = () => setup.getRequests().at(-1)?.messages.slice(1) ?? []
const getErrorOf = (work: Promise<unknown>) => getApiError(work)

const light: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'turn_on',
  description: 'Turns a device on.',
  strict: false,
  parameters: { type: 'object', properties: { entity: { type: 'string' } }, required: ['entity'] },
}

const collect = async (stream: AsyncIterable<Event>): Promise<readonly Event[]> => {
  const events: Event[] = []
  for await (const event of stream) events.push(event)
  return events
}

test('answers a text and returns a whole response', async () => {
  const model = await setup.born()
  setup.answer = () => 'Good morning.'
  const response = await create({
    model,
    input: 'Hello',
    instructions: 'Be short.',
    metadata: { room: 'kitchen' },
    temperature: 0.5,
    user: 'x',
  })
  assert.match(response.id, new RegExp(`^resp_${model}_`))
  assert.equal(
    [response.object, response.status, response.output_text, response.model, response.metadata],
    ['response', 'completed', 'Good morning.', model, { room: 'kitchen' }],
  )
  assert.equal(
    response.output.map((item) => item.type === 'message' && [item.role, item.status, item.content]),
    [
      [
        'assistant',
        'completed',
        [{ type: 'output_text', text: 'Good morning.', annotations: [], logprobs: [] }],
      ],
    ],
  )
  assert.equal(response.usage, {
    input_tokens: 30,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 32,
  })
  assert.equal(
    lastTalk().map(({ content }) => content),
    ['<note from="the program">\nBe short.\n</note>', 'Hello'],
  )
})

test('continues a stored response, and fetches it with its input', async () => {
  const model = await setup.born()
  setup.answer = () => 'Porto.'
  const first = await create({ model, input: 'Where do I live?', instructions: 'Be short.' })
  setup.answer = () => 'Yes.'
  const second = await create({
    model,
    previous_response_id: first.id,
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'Really?' }] },
      { type: 'message', role: 'developer', content: 'Think.' },
    ],
  })
  assert.equal(
    lastTalk().map(({ role, content }) => [role, content]),
    [
      ['user', 'Where do I live?'],
      ['assistant', 'Porto.'],
      ['user', 'Really?'],
      ['user', '<note from="the program">\nThink.\n</note>'],
    ],
  )
  const { _request_id: _, ...fetched } = await setup.client.responses.retrieve(second.id)
  assert.equal(fetched.output, second.output)
  assert.equal([fetched.previous_response_id, fetched.output_text], [first.id, 'Yes.'])

  const { data } = await setup.client.responses.inputItems.list(second.id, { order: 'asc' })
  assert.equal(
    data.map((item) => item.type === 'message' && [item.role, item.content[0]]),
    [
      ['user', { type: 'input_text', text: 'Really?' }],
      ['developer', { type: 'input_text', text: 'Think.' }],
    ],
  )
  const pages: (string | undefined)[] = []
  for await (const item of setup.client.responses.inputItems.list(second.id, { limit: 1 }))
    pages.push(item.type === 'message' ? item.role : item.type)
  assert.equal(pages, ['developer', 'user'])
  const unknownPage = await getErrorOf(setup.client.responses.inputItems.list(second.id, { after: 'msg_1' }))
  assert.equal([unknownPage.status, unknownPage.param], [400, 'after'])

  // A reference stands for an item of a stored response.
  const [output] = first.output
  await create({
    model,
    input: [
      { type: 'item_reference', id: output?.id ?? '' },
      { role: 'user', content: 'x' },
    ],
  })
  assert.equal(
    lastTalk().map(({ content }) => content),
    ['[The talk begins here.]', 'Porto.', 'x'],
  )
})

test('stores by default without remembering, remembers with store, and stores nothing with false', async () => {
  const model = await setup.born()
  const listMessages = async () =>
    (await setup.get(`/api/persona/${model}/conversation`)).body.messages.map(
      ({ content }: { content: string }) => content,
    )
  setup.answer = () => 'An answer.'
  const kept = await create({ model, input: 'Kept aardvark' })
  const lost = await create({ model, input: 'Lost bumblebee', store: false })
  assert.equal(
    [kept, lost].map((response) => (response as { store?: boolean }).store),
    [true, false],
  )
  assert.equal(await listMessages(), [])
  const error = await getErrorOf(setup.client.responses.retrieve(lost.id))
  assert.equal([error.status, error.code], [404, 'response_unknown'])
  await create({ model, input: 'Remembered caterpillar', store: true })
  assert.equal(await listMessages(), ['Remembered caterpillar', 'An answer.'])
  const journal = JSON.stringify((await setup.get(`/api/persona/${model}/journal`)).body)
  assert.match(journal, 'Kept aardvark')
  assert.not.match(journal, 'bumblebee')
  // Neither the search nor the knowledge has it.
  const { body } = await setup.get(`/api/persona/${model}/search?q=aardvark`)
  assert.equal(body.found, [])
})

test('streams events in order, which can be fetched again from any number', async () => {
  const model = await setup.born()
  setup.answer = () => ({ content: 'One two', calls: [{ name: 'turn_on', arguments: { entity: 'lamp' } }] })
  const events = await collect(
    await setup.client.responses.create({ model, input: 'x', tools: [light], stream: true }),
  )
  assert.equal(
    events.map(({ type }) => type.replace('response.', '')),
    [
      ...['created', 'in_progress', 'output_item.added', 'content_part.added'],
      ...[
        'output_text.delta',
        'output_text.delta',
        'output_text.done',
        'content_part.done',
        'output_item.done',
      ],
      ...['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.done'],
      ...['output_item.done', 'completed'],
    ],
  )
  assert.equal(
    events.map(({ sequence_number: number }) => number),
    events.map((_, n) => n),
  )
  const last = events.at(-1)
  if (last?.type !== 'response.completed') throw new Error('not completed')
  assert.is(last.response.output.length, 2)
  assert.equal(last.response.usage?.output_tokens, 2)

  const again = await collect(
    await setup.client.responses.retrieve(last.response.id, { stream: true, starting_after: 3 }),
  )
  const withoutEnd = (event: Event) => (event.type === 'response.completed' ? event.type : event)
  assert.equal(again.map(withoutEnd), events.slice(4).map(withoutEnd))

  const runner = setup.client.responses.stream({ model, input: 'x', tools: [light] })
  const final = await runner.finalResponse()
  assert.is(final.output_text, 'One two')
})

test('calls tools of the client, and takes their results by previous_response_id or as items', async () => {
  const model = await setup.born()
  setup.answer = ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? 'It is on.'
      : { calls: [{ name: 'turn_on', arguments: { entity: 'lamp' } }] }
  const first = await create({ model, input: 'Light', tools: [light] })
  const [call] = first.output
  if (call?.type !== 'function_call') throw new Error('no call')
  assert.equal([call.name, call.arguments, first.output.length], ['turn_on', '{"entity":"lamp"}', 1])
  const output = { type: 'function_call_output' as const, call_id: call.call_id, output: 'on' }
  const continued = await create({
    model,
    tools: [light],
    previous_response_id: first.id,
    input: [output],
  })
  const talk = lastTalk()
  const stateless = await create({
    model,
    tools: [light],
    store: false,
    input: [{ role: 'user', content: 'Light' }, call, output],
  })
  assert.equal([continued.output_text, stateless.output_text], ['It is on.', 'It is on.'])
  assert.equal(lastTalk(), talk)
  assert.equal(
    talk.map(({ role }) => role),
    ['user', 'assistant', 'tool'],
  )
})

// Fails if only the items of the last request can hold the message that is remembered.
test('remembers the message and the final answer of a loop of tools once', async () => {
  const model = await setup.born()
  setup.answer = ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? 'It is on.'
      : { calls: [{ name: 'turn_on', arguments: { entity: 'lamp' } }] }
  const first = await create({ model, input: 'Light', tools: [light], store: true })
  const [call] = first.output
  if (call?.type !== 'function_call') throw new Error('no call')
  const output = { type: 'function_call_output' as const, call_id: call.call_id, output: 'on' }
  const previous = { model, tools: [light], store: true, previous_response_id: first.id }
  const second = await create({ ...previous, input: [output] })
  assert.is(second.output_text, 'It is on.')
  const { messages } = (await setup.get(`/api/persona/${model}/conversation`)).body
  assert.equal(
    messages.map(({ content }: { content: string }) => content),
    ['Light', 'It is on.'],
  )
  const again = create({
    ...previous,
    previous_response_id: second.id,
    input: [{ role: 'developer', content: 'x' }],
  })
  assert.equal([(await getErrorOf(again)).status, (await getErrorOf(again)).param], [422, 'input'])
})

test('asks for JSON through the feature of the provider', async () => {
  const model = await setup.born()
  setup.answer = () => '{"city":"Porto"}'
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const format = { type: 'json_schema' as const, name: 'place', schema }
  const response = await create({ model, input: 'Where?', text: { format } })
  assert.equal(JSON.parse(response.output_text), { city: 'Porto' })
  const body = setup.ollama.log.at(-1)?.body as { format?: unknown; tools?: unknown }
  assert.equal([body.format, body.tools], [schema, undefined])
  await create({ model, input: 'Where?', text: { format: { type: 'json_object' } }, max_output_tokens: 50 })
  const { format: anyForm, options } = Object(setup.ollama.log.at(-1)?.body)
  assert.equal([anyForm, options.num_predict], ['json', 50])
})

test('shows pictures to the Mind, and stores a note in their place', async () => {
  const model = await setup.born()
  setup.answer = () => 'A dot.'
  const image_url = `data:image/png;base64,${png.toString('base64')}`
  const response = await create({
    model,
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', image_url, detail: 'auto' },
        ],
      },
    ],
  })
  assert.match(lastTalk()[0]?.content ?? '', /<file name="picture 1">/)
  const { data } = await setup.client.responses.inputItems.list(response.id)
  assert.match(JSON.stringify(data), 'What is this?\\n[a picture, which is not kept]')
  assert.not.match(JSON.stringify((await setup.get(`/api/persona/${model}/journal`)).body), 'base64,')
})

test('reports an answer that was cut, and a failure in a stream', async () => {
  const model = await setup.born()
  setup.answer = () => ({ content: 'Once upon', length: true })
  const cut = await create({ model, input: 'A story' })
  assert.equal([cut.status, cut.incomplete_details], ['incomplete', { reason: 'max_output_tokens' }])
  setup.ollama.faults.errorLine = 'it broke'
  const events = await collect(await setup.client.responses.create({ model, input: 'x', stream: true }))
  const last = events.at(-1)
  if (last?.type !== 'response.failed') throw new Error(`ended with ${last?.type}`)
  assert.match(last.response.error?.message ?? '', 'it broke')
  setup.ollama.faults.errorLine = null
  setup.ollama.faults.fails = 99
  assert.is((await getErrorOf(create({ model, input: 'x' }))).status, 400)
})

test('deletes a response: its texts are erased from the journal, and nothing continues it', async () => {
  const model = await setup.born()
  setup.answer = () => 'The secret answer of the persona.'
  const first = await create({ model, input: 'The secret question of mine.' })
  setup.answer = () => 'Another.'
  const second = await create({ model, input: 'And another one?', previous_response_id: first.id })
  const deleted: unknown = await setup.client.responses.delete(first.id)
  assert.equal(deleted, { id: first.id, object: 'response.deleted', deleted: true })
  const journal = JSON.stringify((await setup.get(`/api/persona/${model}/journal`)).body)
  assert.not.match(journal, /secret (?:question|answer)/)
  assert.match(journal, 'And another one?')
  for (const work of [
    () => setup.client.responses.retrieve(first.id),
    () => setup.client.responses.delete(first.id),
    () => setup.client.responses.inputItems.list(first.id),
  ])
    assert.is((await getErrorOf(work())).status, 404)
  const error = await getErrorOf(create({ model, input: 'x', previous_response_id: second.id }))
  assert.equal([error.status, error.param], [400, 'previous_response_id'])
  assert.is((await setup.post(`/api/persona/${model}/verify`)).status, 200)
})

// Fails if a response of one persona is part of a talk with another.
test('finds only responses of the same persona', async () => {
  const model = await setup.born()
  const other = await setup.born({ name: 'Eve' })
  const { id, output } = await create({ model, input: 'x' })
  const error = await getErrorOf(create({ model: other, input: 'x', previous_response_id: id }))
  assert.is(error.param, 'previous_response_id')
  const reference = { type: 'item_reference' as const, id: output[0]?.id ?? '' }
  assert.is((await getErrorOf(create({ model: other, input: [reference] }))).param, 'input.0.id')
  for (const wrong of [
    'resp_1',
    `resp_${model}_zzzzzzzzzz_0`,
    `resp_${model}_1_0`,
    'resp_nobody_1_0',
    '%00',
    'x'.repeat(500),
  ])
    assert.is((await getErrorOf(setup.client.responses.retrieve(wrong))).status, 404, wrong)
})

test('refuses what it does not support by its name, and takes what clients always send', async () => {
  const model = await setup.born()
  const user = { role: 'user' as const, content: 'x' }
  const rows: readonly (readonly [body: object, status: number, param: string])[] = [
    [{ conversation: 'conv_1' }, 400, 'conversation'],
    [{ prompt: { id: 'p' } }, 400, 'prompt'],
    [{ unheard_of: 1 }, 400, 'unheard_of'],
    [{ include: ['message.output_text.logprobs'] }, 400, 'include.0'],
    [{ background: true, store: false }, 400, 'background'],
    [{ previous_response_id: 'resp_x' }, 400, 'previous_response_id'],
    [{ tools: [{ type: 'web_search' }] }, 422, 'tools.0.type'],
    [{ tools: [light], tool_choice: { type: 'function', name: 'y' } }, 422, 'tool_choice'],
    [{ text: { format: { type: 'grammar' } } }, 422, 'text.format.type'],
    [
      { text: { format: { type: 'json_schema', name: 'x', schema: { $ref: 'http://x' } } } },
      422,
      'text.format.schema',
    ],
    [{ metadata: { a: 1 } }, 422, 'metadata.a'],
    [{ max_output_tokens: 1 }, 422, 'max_output_tokens'],
    [{ input: [] }, 422, 'input'],
    [{ input: 7 }, 422, 'input'],
    [{ input: [{ type: 'computer_call' }] }, 400, 'input.0.type'],
    [{ input: [user, { type: 'item_reference', id: 'msg_1' }] }, 400, 'input.1.id'],
    [{ input: [{ role: 'user', content: [{ type: 'input_audio' }] }] }, 422, 'input.0.content.0.type'],
    [{ input: [{ role: 'tool', content: 'x' }] }, 422, 'input.0.role'],
    [{ input: [{ type: 'function_call_output', output: 'x' }] }, 422, 'input.0.call_id'],
    [{ input: 'x'.repeat(300_000) }, 413, ''],
    [{ store: true, input: [{ role: 'developer', content: 'x' }] }, 422, 'input'],
    [{ model: 'nobody' }, 404, ''],
  ]
  for (const [body, status, param] of rows) {
    const error = await getErrorOf(create({ model, input: 'x', ...body }))
    assert.equal([error.status, error.param ?? ''], [status, param], JSON.stringify(body))
  }
  assert.is(setup.getRequests().length, 0)
  const harmless = {
    ...{ temperature: 1, top_p: 1, user: 'x', safety_identifier: 'x', prompt_cache_key: 'x' },
    ...{ service_tier: 'auto', reasoning: { effort: 'low', summary: 'auto' }, truncation: 'auto' },
    ...{ include: ['reasoning.encrypted_content'], text: { verbosity: 'low' }, parallel_tool_calls: true },
    ...{ conversation: null, max_tool_calls: null, stream_options: { include_obfuscation: false } },
    input: [user, { type: 'reasoning', id: 'rs_1', summary: [] }],
  }
  assert.is((await create({ model, ...harmless } as unknown as Body)).status, 'completed')
})

test.run()
