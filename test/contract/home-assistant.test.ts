/**
 * Requests in the form of Home Assistant's conversation agents, replayed over a real socket. Local OpenAI LLM
 * (hass_local_openai_llm, `entity.py`) and Extended OpenAI Conversation (extended_openai_conversation,
 * `__init__.py`) use chat completions. OpenAI Conversation (`openai_conversation/entity.py`) uses responses.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shareSetup } from './v1-setup.ts'

const setup = shareSetup(test)

const text = { type: 'string' }
const texts = { type: 'array', items: text }
const target = { name: text, area: text, floor: text, domain: texts, device_class: texts }
/** Schemas as voluptuous_openapi converts those of the Assist API. */
const assist = [
  ['HassTurnOn', 'Turns on/opens/presses a device or entity.', target],
  ['HassTurnOff', 'Turns off/closes a device or entity.', target],
  [
    'HassLightSet',
    'Sets the brightness or color of a light',
    { ...target, brightness: { type: 'integer', minimum: 0, maximum: 100 } },
  ],
  ['GetLiveContext', 'Provides real-time information about the CURRENT state of devices.', {}],
] as const
const prompt =
  'You are a voice assistant for Home Assistant.\nAnswer questions about the world truthfully.\nAnswer in plain text. Keep it simple and to the point.'

/** The lamp of the house, and the results of its tools. */
const createHouse = () => {
  const on = new Set<string>()
  const run = (
    name: string,
    args: {
      name?: string
      list?: readonly { domain: string; service: string; service_data: { entity_id: string } }[]
    },
  ): unknown => {
    if (name === 'HassTurnOn') on.add(args.name ?? '')
    if (name === 'HassTurnOff') on.delete(args.name ?? '')
    for (const { domain, service, service_data: data } of args.list ?? [])
      on.add(`${domain}.${service} ${data.entity_id}`)
    if (name === 'GetLiveContext')
      return {
        success: true,
        result: [...on].map((device) => `- names: ${device}\n  state: 'on'`).join('\n'),
      }
    return { speech: {}, response_type: 'action_done', data: { success: [...on], failed: [] } }
  }
  return { on, run }
}

interface Message {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

const post = async (body: object, path = 'chat/completions') => {
  const response = await fetch(`${setup.daemon.url}/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
    body: JSON.stringify(body),
  })
  assert.is(response.status, 200)
  return response
}

/** Reads a stream as `_transform_stream` does: the arguments of each call arrive in pieces. */
const readStream = async (response: Response): Promise<Message> => {
  let content = ''
  const calls: { id: string; function: { name: string; arguments: string } }[] = []
  for (const line of (await response.text()).split('\n\n')) {
    if (!line.startsWith('data: {')) continue
    const { choices } = JSON.parse(line.slice(6))
    const delta = choices[0]?.delta ?? {}
    content += delta.content ?? ''
    for (const { id, index, function: called } of delta.tool_calls ?? []) {
      if (id) calls.push({ id, function: { ...called } })
      else
        Object.assign(calls[index]?.function ?? {}, {
          arguments: calls[index]?.function.arguments + called.arguments,
        })
    }
  }
  return { role: 'assistant', content: content || null, ...(calls.length > 0 && { tool_calls: calls }) }
}

/** Local OpenAI LLM: streams, and sends the content of a user as parts. */
const askLocal = async (model: string, house: ReturnType<typeof createHouse>, messages: Message[]) => {
  for (let n = 0; n < 10; n++) {
    const answer = await readStream(
      await post({
        model,
        messages,
        user: '01KB',
        temperature: 0.6,
        stream: true,
        stream_options: { include_usage: true },
        parallel_tool_calls: true,
        tools: assist.map(([name, description, properties]) => ({
          type: 'function',
          function: { name, description, parameters: { type: 'object', properties, required: [] } },
        })),
      }),
    )
    messages.push(answer)
    if (!answer.tool_calls) return answer.content
    for (const { id, function: called } of answer.tool_calls)
      messages.push(
        Object.assign(
          { role: 'tool', content: JSON.stringify(house.run(called.name, JSON.parse(called.arguments))) },
          { tool_call_id: id },
        ),
      )
  }
  throw new Error('too many iterations')
}

test('switches a lamp on and says what is on for Local OpenAI LLM', async () => {
  const model = await setup.born()
  const house = createHouse()
  setup.answer = ({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return /state: 'on'/.test(last.content) ? 'The kitchen lamp is on.' : 'Done.'
    return /What is on/.test(last?.content ?? '')
      ? { calls: [{ name: 'GetLiveContext', arguments: {} }] }
      : { calls: [{ name: 'HassTurnOn', arguments: { name: 'Kitchen Lamp', domain: ['light'] } }] }
  }
  const said = (content: string) => ({ role: 'user', content: [{ type: 'text', text: content }] })
  const messages: Message[] = [{ role: 'system', content: prompt }, said('Turn on the kitchen lamp')]
  assert.is(await askLocal(model, house, messages), 'Done.')
  assert.equal([...house.on], ['Kitchen Lamp'])
  messages.push(said('What is on?'))
  assert.is(await askLocal(model, house, messages), 'The kitchen lamp is on.')
  const [, ...talk] = setup.getRequests().at(-1)?.messages ?? []
  assert.equal(
    talk.map(({ role }) => role),
    ['user', 'user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'tool'],
  )
  assert.match(talk[0]?.content ?? '', '<note from="the program">\nYou are a voice assistant')
})

test('runs a scene for Extended OpenAI Conversation', async () => {
  const model = await setup.born()
  const house = createHouse()
  setup.answer = ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? 'Good night.'
      : {
          calls: [
            {
              name: 'execute_services',
              arguments: {
                list: [{ domain: 'scene', service: 'turn_on', service_data: { entity_id: 'scene.night' } }],
              },
            },
          ],
        }
  const service = {
    type: 'object',
    properties: {
      domain: { type: 'string', description: 'The domain of the service' },
      service: { type: 'string', description: 'The service to be called' },
      service_data: {
        type: 'object',
        description: 'The service data object to indicate what to control.',
        properties: { entity_id: { type: 'string', description: 'The entity_id' } },
        required: ['entity_id'],
      },
    },
    required: ['domain', 'service', 'service_data'],
  }
  const spec = {
    name: 'execute_services',
    description: 'Use this function to execute service of devices in Home Assistant.',
    parameters: { type: 'object', properties: { list: { type: 'array', items: service } } },
  }
  const messages: unknown[] = [
    { role: 'system', content: 'I want you to act as smart home manager of Home Assistant.' },
    { role: 'user', content: 'Night scene, please' },
  ]
  const ask = async (tool_choice: string) => {
    const response = await post({
      model,
      messages,
      max_tokens: 150,
      top_p: 1,
      temperature: 0.5,
      user: '01KB',
      tools: [{ type: 'function', function: spec }],
      tool_choice,
    })
    const { choices } = (await response.json()) as { choices: { finish_reason: string; message: Message }[] }
    return choices[0]
  }
  const first = await ask('auto')
  assert.is(first?.finish_reason, 'tool_calls')
  const [call] = first?.message.tool_calls ?? []
  const { name, arguments: input } = call?.function ?? { name: '', arguments: '{}' }
  messages.push(first?.message, {
    tool_call_id: call?.id,
    role: 'tool',
    name,
    content: String(house.run(name, JSON.parse(input))),
  })
  const second = await ask('none')
  assert.equal([second?.finish_reason, second?.message.content], ['stop', 'Good night.'])
  assert.equal([...house.on], ['scene.turn_on scene.night'])
})

/** OpenAI Conversation: streams, sends all items again, and splits an answer into one item per call. */
test('asks for the state and switches a lamp off for OpenAI Conversation', async () => {
  const model = await setup.born({ name: 'olga' })
  const house = createHouse()
  house.on.add('Lamp')
  setup.answer = ({ messages }) => {
    const results = messages.filter(({ role }) => role === 'tool').length
    if (results === 0)
      return {
        content: 'I look.',
        calls: [
          { name: 'GetLiveContext', arguments: {} },
          { name: 'HassTurnOff', arguments: { name: 'Lamp' } },
        ],
      }
    return 'The lamp was on. It is off now.'
  }
  const input: Record<string, unknown>[] = [
    { type: 'message', role: 'developer', content: prompt },
    { type: 'message', role: 'user', content: 'What is on? Turn it off.' },
  ]
  let answer = ''
  for (let n = 0; n < 10 && answer === ''; n++) {
    const response = await post(
      {
        model: 'olga',
        input: [...input],
        max_output_tokens: 3000,
        top_p: 1,
        temperature: 1,
        user: '01KB',
        store: false,
        stream: true,
        reasoning: { effort: 'low', summary: 'auto' },
        include: ['reasoning.encrypted_content'],
        tools: assist.map(([name, description, properties]) => ({
          type: 'function',
          name,
          description,
          parameters: { type: 'object', properties, required: [] },
          strict: false,
        })),
      },
      'responses',
    )
    let text = ''
    let call = { name: '', call_id: '', arguments: '' }
    const calls: (typeof call)[] = []
    for (const block of (await response.text()).split('\n\n')) {
      const [, event, data] = /^event: (\S+)\ndata: (.*)$/.exec(block) ?? []
      if (data === undefined) continue
      const fields = JSON.parse(data)
      assert.is(fields.type, event)
      if (event === 'response.output_item.added' && fields.item.type === 'function_call') call = fields.item
      if (event === 'response.output_text.delta') text += fields.delta
      if (event === 'response.function_call_arguments.delta') call.arguments += fields.delta
      if (event === 'response.function_call_arguments.done') calls.push(call)
    }
    if (calls.length === 0) answer = text
    input.push({ type: 'message', role: 'assistant', content: text })
    for (const { name, call_id, arguments: text } of calls)
      input.push(
        { type: 'function_call', name, arguments: JSON.stringify(JSON.parse(text)), call_id },
        {
          type: 'function_call_output',
          call_id,
          output: JSON.stringify(house.run(name, JSON.parse(text))),
        },
      )
  }
  assert.is(answer, 'The lamp was on. It is off now.')
  assert.equal([...house.on], [])
  const journal = JSON.stringify((await setup.get(`/api/persona/${model}/journal`)).body)
  assert.not.match(journal, 'Turn it off')
})

test.run()
