/** Servers that refuse a field by name, with messages from their public issues, one per row. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Provider } from '../../facts/fact-values.ts'
import { createNetwork } from '../../packages/kit/network/network.ts'
import type { Prompt } from '../../packages/models/mind.ts'
import { createRefusedFields, withoutRefused } from '../../packages/models/providers/refused-fields.ts'
import { remedies } from '../../packages/models/providers/remedies.ts'
import { mindFailure, neverAborts, think } from '../models/cloud-stage.ts'
import {
  createChunks as anthropicWords,
  chunk,
  close,
  doneEvent,
  event,
  json,
  line,
  messageDelta,
  messageStart,
  messageStop,
  openMind,
  openModels,
  openServer as openOddServer,
  type ServerReply,
  type ServerRequest,
  prompt as usual,
  type World,
} from './odd-server.ts'

type Body = ServerRequest['body']

const test = suite<World>('servers: refusals', { closers: [] })
test.after.each(close)

/** Returns the refusal, or undefined when the request is accepted. */
type Refuse = (body: Body) => ServerReply | undefined

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const openAiStream = `${chunk({ content: 'hello' })}${chunk({}, 'stop')}${line({ choices: [], usage })}${doneEvent}`
const anthropicStream = `${messageStart}${anthropicWords(0, 'hello')}${messageDelta('end_turn')}${messageStop}`
const call = { id: 'call_1', type: 'function', function: { name: 'recall', arguments: '{"query":"fox"}' } }
const createOpenAiAnswer = (withCall: boolean) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  usage,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'hello', ...(withCall && { tool_calls: [call] }) },
      finish_reason: withCall ? 'tool_calls' : 'stop',
    },
  ],
})

const openServer = (world: World, refuse: Refuse) =>
  openOddServer(world, ({ method, path, body }) => {
    if (method === 'GET') return json({}, 404)
    const refusal = refuse(body)
    if (refusal) return refusal
    if (body.stream !== true) return json(createOpenAiAnswer(Array.isArray(body.tools)))
    return { body: path.endsWith('/messages') ? anthropicStream : openAiStream }
  })

const createError = (message: string, status: number) => ({ error: { message, code: status } })
/** The places in which a server may put its refusal. */
const places = {
  'an answer with its status': (message: string, status: number) =>
    json(createError(message, status), status),
  'the first event of a good stream': (message: string, status: number) => ({
    body: `: working on it\n\n${event({ type: 'error', ...createError(message, status) })}`,
  }),
  'JSON with a good status': (message: string, status: number) => json(createError(message, status)),
  'an error that is a string': (message: string, status: number) => json({ error: message }, status),
  'the detail of FastAPI': (detail: string, status: number) => json({ detail }, status),
  'a message alone': (message: string, status: number) => json({ object: 'error', message }, status),
} as const

const getRoles = (body: Body) => (body.messages as { role: string }[]).map(({ role }) => role)
const withTools: Prompt = { ...usual, system: 'You are Ada.' }

interface Row {
  readonly server: string
  readonly provider?: Provider
  readonly refuses: (body: Body) => boolean
  readonly status?: number
  readonly text: string
  /** Number of requests until the first answer. */
  readonly requests?: number
  readonly calls?: number
}

const rows: readonly Row[] = [
  {
    server: 'vLLM without a parser of tool calls',
    refuses: (body) => 'tools' in body,
    text: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  },
  {
    server: 'OpenRouter, a model without tools',
    refuses: (body) => 'tools' in body,
    status: 404,
    text: 'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs',
  },
  {
    server: 'Ollama over the OpenAI protocol',
    refuses: (body) => 'tools' in body,
    text: 'registry.ollama.ai/library/gemma:2b does not support tools',
  },
  {
    server: 'llama.cpp without --jinja',
    refuses: (body) => 'tools' in body,
    status: 500,
    text: 'tools param requires --jinja flag',
  },
  {
    server: 'a server that validates strictly',
    refuses: (body) => 'stream_options' in body,
    status: 422,
    text: "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted'}]",
  },
  {
    server: 'an older Azure deployment',
    refuses: (body) => 'stream_options' in body,
    text: 'Unrecognized request argument supplied: stream_options',
  },
  {
    server: 'llama.cpp before it streamed tool calls',
    refuses: (body) => body.stream === true && 'tools' in body,
    status: 500,
    text: 'Cannot use tools with stream',
    calls: 1,
  },
  {
    server: 'Bedrock behind a gateway',
    refuses: (body) => body.stream === true && 'tools' in body,
    text: "This model doesn't support tool use in streaming mode.",
    calls: 1,
  },
  {
    server: 'a model without the system role, with developer',
    refuses: (body) => getRoles(body).includes('system'),
    text: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
  },
  {
    server: "Gemma's chat template",
    refuses: (body) => getRoles(body).some((role) => role === 'system' || role === 'developer'),
    text: 'System role not supported',
    requests: 3,
  },
  {
    server: 'a gateway that speaks as Anthropic',
    provider: 'anthropic',
    refuses: (body) => JSON.stringify(body).includes('cache_control'),
    text: 'system.0.cache_control: Extra inputs are not permitted',
  },
]

for (const [place, refusal] of Object.entries(places))
  for (const { server, provider = 'openai', refuses, status = 400, text, requests = 2, calls = 0 } of rows)
    test(`gets an answer from ${server} with ${place}, and its next request is not refused`, async (world) => {
      const { asked, url } = await openServer(world, (body) =>
        refuses(body) ? refusal(text, status) : undefined,
      )
      const mind = openMind(world, url, provider)
      const first = await think(mind, withTools)
      assert.is(first.text, 'hello')
      assert.is(first.calls.length, calls)
      assert.is(asked.length, requests)
      assert.is((await think(mind, withTools)).text, 'hello')
      assert.is(asked.length, requests + 1)
      assert.match(JSON.stringify(asked.at(-1)?.body), 'You are Ada.')
    })

/** Fields that are sent to some models only. */
const fields: readonly {
  readonly request: Body
  readonly words: readonly string[]
  readonly acceptedBodies: Body
}[] = [
  {
    request: { max_tokens: 16 },
    words: [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ],
    acceptedBodies: { max_completion_tokens: 16 },
  },
  {
    request: { max_completion_tokens: 16 },
    words: ['body.max_completion_tokens: Extra inputs are not permitted'],
    acceptedBodies: { max_tokens: 16 },
  },
  {
    request: { temperature: 0.2 },
    words: [
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    ],
    acceptedBodies: {},
  },
  {
    request: { tool_choice: 'auto' },
    words: ["No endpoints found that support the provided 'tool_choice' value."],
    acceptedBodies: {},
  },
  {
    request: { parallel_tool_calls: true },
    words: ["Unsupported parameter: 'parallel_tool_calls' is not supported with this model."],
    acceptedBodies: {},
  },
  {
    request: { prompt_cache_key: 'a1' },
    words: ['Unrecognized request argument supplied: prompt_cache_key'],
    acceptedBodies: {},
  },
  {
    request: { text: { format: { type: 'json_schema' } } },
    words: ["Invalid parameter: 'text.format' of type 'json_schema' is not supported with this model."],
    acceptedBodies: {},
  },
  {
    request: { output_config: { format: { type: 'json_schema' } } },
    words: ["'m' does not support output format."],
    acceptedBodies: {},
  },
  {
    request: { response_format: { type: 'json_schema', json_schema: {} } },
    words: [
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
      "Invalid parameter: 'response_format' of type 'json_object' is not supported with this model.",
    ],
    acceptedBodies: {},
  },
]

for (const { request, words, acceptedBodies } of fields)
  test(`sends ${Object.keys(request)[0]} in a form that the server accepts`, async (world) => {
    let refusedCount = 0
    const { asked: requests, url } = await openServer(world, () => {
      const message = words[refusedCount++]
      return message === undefined ? undefined : json(createError(message, 400), 400)
    })
    const network = createNetwork({ env: {} })
    world.closers.push(() => network.close())
    const fetch = withoutRefused(network.local, createRefusedFields(Date.now))
    const body = JSON.stringify({ model: 'm', messages: [], ...request })
    const { status } = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })
    assert.is(status, 200)
    assert.equal(requests.at(-1)?.body, { model: 'm', messages: [], ...acceptedBodies })
  })

test('sends a refused field again after a day and after the organ is prepared again', async (world) => {
  let time = 1_700_000_000_000
  const { asked: requests, url } = await openServer(world, (body) =>
    'tools' in body ? json(createError('m does not support tools', 400), 400) : undefined,
  )
  const models = openModels(world, () => time)
  const organ = { provider: 'openai', model: 'm', url, apiKey: 'k' } as const
  const count = async () => {
    const countBefore = requests.length
    await think(models.mind(organ, null), withTools)
    return requests.length - countBefore
  }
  assert.equal([await count(), await count()], [2, 1])
  time += 86_400_000
  assert.equal([await count(), await count()], [2, 1])
  const chats = () => requests.filter(({ method }) => method === 'POST').length
  const chatsBefore = chats()
  await models.prepare('thinking', organ, () => {}, neverAborts)
  // The refused request and the accepted one.
  assert.is(chats() - chatsBefore, 2)
  assert.equal([await count(), await count()], [1, 1])
})

const creationRefusals = [
  [
    'tools',
    'm does not support tools',
    (body: Body) => 'tools' in body,
    'tools (the persona can talk, and use none)',
  ],
  [
    'streams with tools',
    'This model does not support tool use in streaming mode',
    (body: Body) => 'tools' in body && body.stream === true,
    'streaming together with tools (the answer comes whole)',
  ],
  [
    'the system role',
    'system role is not supported',
    (body: Body) => getRoles(body).includes('system'),
    'the system role (sent as developer)',
  ],
] as const

// Fails if the check sends no stream or no tool, or is skipped for a listed model.
for (const [what, words, refuses, remedy] of creationRefusals)
  test(`detects a server that refuses ${what} when the organ is prepared, with few tokens`, async (world) => {
    const { asked: requests, url } = await openOddServer(world, ({ method, path, body }) => {
      if (method === 'GET') return json({ data: [{ id: 'm' }] })
      if (refuses(body)) return json(createError(words, 400), 400)
      if (body.stream !== true) return json(createOpenAiAnswer(false))
      return { body: path.endsWith('/messages') ? anthropicStream : openAiStream }
    })
    const models = openModels(world)
    const organ = { provider: 'openai', model: 'm', url, apiKey: 'k' } as const
    await models.prepare('thinking', organ, () => {}, neverAborts)
    assert.equal(models.refusals(organ, null), [remedy])
    const chats = requests.filter(({ method }) => method === 'POST')
    assert.is(chats.length, 2)
    for (const { body } of chats) assert.is(body.max_tokens, 16)
    await think(models.mind(organ, null), withTools)
    assert.is(requests.filter(({ method }) => method === 'POST').length, 3)
  })

test('fails immediately with the message of the server if there is no remedy for a refused stream', async (world) => {
  const { url } = await openOddServer(world, ({ method, body }) => {
    if (method === 'GET') return json({ data: [{ id: 'm' }] })
    if (body.stream === true) return json(createError('This gateway has no streams.', 400), 400)
    return json(createOpenAiAnswer(false))
  })
  const organ = { provider: 'openai', model: 'm', url, apiKey: 'k' } as const
  const models = openModels(world)
  const failure = await models
    .prepare('thinking', organ, () => {}, neverAborts)
    .then(
      () => undefined,
      (reason: Error) => reason,
    )
  assert.match(failure?.message ?? '', 'This gateway has no streams')
})

test('limits the requests to a server that refuses everything and throws its message', async (world) => {
  const message = 'stream_options, tools and system role: not supported. m does not support tools'
  const { asked: requests, url } = await openServer(world, () => json(createError(message, 400), 400))
  const failure = await mindFailure(() => think(openMind(world, url), withTools))
  assert.match(failure.message, 'not supported')
  assert.ok(requests.length <= 2 * (remedies.length + 1), String(requests.length))
})

test.run()
