/** Servers that refuse a field by name, in the words of their public issues: a row each. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Provider } from '../../journal/facts/fact-values.ts'
import type { Prompt } from '../../src/models/mind.ts'
import { createModels } from '../../src/models/open-models.ts'
import { createRefusedFields, withoutRefused } from '../../src/models/providers/refused-fields.ts'
import { remedies } from '../../src/models/providers/remedies.ts'
import { createNetwork } from '../../src/network/network.ts'
import { hello, mindFailure, never, recall, think } from '../models/cloud-stage.ts'

type Body = Record<string, unknown>

const test = suite<{ servers: Server[] }>('servers that refuse a field', { servers: [] })
test.after.each(async ({ servers }) => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

interface Rules {
  /** Returns the refusal, or undefined when the request is accepted. */
  readonly refuse: (body: Body) => readonly [status: number, words: string] | undefined
}

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const chunk = (choices: unknown, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`
const openAiStream = `${chunk([{ index: 0, delta: { role: 'assistant', content: 'hello' } }])}${chunk([{ index: 0, delta: {}, finish_reason: 'stop' }], { usage })}data: [DONE]\n\n`
const call = { id: 'call_1', type: 'function', function: { name: 'recall', arguments: '{"query":"fox"}' } }
const openAiWhole = (withCall: boolean) => ({
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm', usage },
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'hello', ...(withCall && { tool_calls: [call] }) },
      finish_reason: withCall ? 'tool_calls' : 'stop',
    },
  ],
})
const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const anthropicStream = [
  {
    type: 'message_start',
    message: {
      ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null },
      usage: { input_tokens: 3, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
]
  .map(event)
  .join('')

const openServer = async (servers: Server[], { refuse }: Rules) => {
  const asked: Body[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const isChat = /^\/v1\/(?:chat\/completions|messages)$/.test(request.url ?? '')
    if (request.method === 'GET' || !isChat) return void response.writeHead(404).end()
    const body: Body = JSON.parse(Buffer.concat(pieces).toString())
    asked.push(body)
    const refusal = refuse(body)
    if (refusal) {
      const [status, message] = refusal
      response.writeHead(status, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ error: { message, code: status } }))
    }
    const streams = body.stream === true
    response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' })
    if (!streams) return void response.end(JSON.stringify(openAiWhole(Array.isArray(body.tools))))
    response.end(request.url?.endsWith('/messages') ? anthropicStream : openAiStream)
  }
  const server = createServer((request, response) => void answer(request, response))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const rolesIn = (body: Body) => (body.messages as { role: string }[]).map(({ role }) => role)
const withTools: Prompt = { ...hello, system: 'You are Ada.', tools: [recall] }

interface Row {
  readonly server: string
  readonly provider?: Provider
  readonly refuses: (body: Body) => boolean
  readonly status?: number
  readonly words: string
  /** Requests until the first answer. */
  readonly requests?: number
  readonly calls?: number
}

const rows: readonly Row[] = [
  {
    server: 'vLLM without a parser of tool calls',
    refuses: (body) => 'tools' in body,
    words: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  },
  {
    server: 'OpenRouter, a model without tools',
    refuses: (body) => 'tools' in body,
    status: 404,
    words:
      'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs',
  },
  {
    server: 'Ollama over the OpenAI protocol',
    refuses: (body) => 'tools' in body,
    words: 'registry.ollama.ai/library/gemma:2b does not support tools',
  },
  {
    server: 'llama.cpp without --jinja',
    refuses: (body) => 'tools' in body,
    status: 500,
    words: 'tools param requires --jinja flag',
  },
  {
    server: 'a server that validates strictly',
    refuses: (body) => 'stream_options' in body,
    status: 422,
    words:
      "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted'}]",
  },
  {
    server: 'an older Azure deployment',
    refuses: (body) => 'stream_options' in body,
    words: 'Unrecognized request argument supplied: stream_options',
  },
  {
    server: 'llama.cpp before it streamed tool calls',
    refuses: (body) => body.stream === true && 'tools' in body,
    status: 500,
    words: 'Cannot use tools with stream',
    calls: 1,
  },
  {
    server: 'Bedrock behind a gateway',
    refuses: (body) => body.stream === true && 'tools' in body,
    words: "This model doesn't support tool use in streaming mode.",
    calls: 1,
  },
  {
    server: 'a model without the system role, with developer',
    refuses: (body) => rolesIn(body).includes('system'),
    words: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
  },
  {
    server: "Gemma's chat template",
    refuses: (body) => rolesIn(body).some((role) => role === 'system' || role === 'developer'),
    words: 'System role not supported',
    requests: 3,
  },
  {
    server: 'a gateway that speaks as Anthropic',
    provider: 'anthropic',
    refuses: (body) => JSON.stringify(body).includes('cache_control'),
    words: 'system.0.cache_control: Extra inputs are not permitted',
  },
]

for (const { server, provider = 'openai', refuses, status = 400, words, requests = 2, calls = 0 } of rows)
  test(`${server}: the answer comes, and the next request is not refused`, async ({ servers }) => {
    const refuse = (body: Body) => (refuses(body) ? ([status, words] as const) : undefined)
    const { asked, url } = await openServer(servers, { refuse })
    const models = createModels({
      urls: { local: url, anthropic: '', openai: '', gemini: '', xai: '' },
      env: {},
    })
    const mind = models.mind({ provider, model: 'm', url, apiKey: 'k' }, null)
    try {
      const first = await think(mind, withTools)
      assert.is(first.text, 'hello')
      assert.is(first.calls.length, calls)
      assert.is(asked.length, requests)
      assert.is((await think(mind, withTools)).text, 'hello')
      assert.is(asked.length, requests + 1)
      assert.match(JSON.stringify(asked.at(-1)), 'You are Ada.')
    } finally {
      await models.close()
    }
  })

for (const tail of ['/v1/chat/completions', '/v1/responses/', '/v1/models', '/chat/completions', '/v1/'])
  test(`an address that was pasted with ${tail} is read as the address before it`, async ({ servers }) => {
    const { url } = await openServer(servers, { refuse: () => undefined })
    const urls = { local: url, anthropic: '', openai: '', gemini: '', xai: '' }
    const models = createModels({ urls, env: {} })
    try {
      const mind = models.mind({ provider: 'openai', model: 'm', url: `${url}${tail}`, apiKey: 'k' }, null)
      assert.is((await think(mind, hello)).text, 'hello')
    } finally {
      await models.close()
    }
  })

/** Fields that a chat sends for some models only. */
const fields: readonly { readonly sent: Body; readonly words: readonly string[]; readonly accepted: Body }[] =
  [
    {
      sent: { max_tokens: 16 },
      words: [
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ],
      accepted: { max_completion_tokens: 16 },
    },
    {
      sent: { max_completion_tokens: 16 },
      words: ['body.max_completion_tokens: Extra inputs are not permitted'],
      accepted: { max_tokens: 16 },
    },
    {
      sent: { temperature: 0.2 },
      words: [
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      ],
      accepted: {},
    },
    {
      sent: { tool_choice: 'auto' },
      words: ["No endpoints found that support the provided 'tool_choice' value."],
      accepted: {},
    },
    {
      sent: { parallel_tool_calls: true },
      words: ["Unsupported parameter: 'parallel_tool_calls' is not supported with this model."],
      accepted: {},
    },
    {
      sent: { response_format: { type: 'json_schema', json_schema: {} } },
      words: [
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        "Invalid parameter: 'response_format' of type 'json_object' is not supported with this model.",
      ],
      accepted: {},
    },
  ]

for (const { sent, words, accepted } of fields)
  test(`${Object.keys(sent)[0]}: is sent in a form that the server accepts`, async ({ servers }) => {
    let refused = 0
    const refuse = () => {
      const said = words[refused++]
      return said === undefined ? undefined : ([400, said] as const)
    }
    const { asked, url } = await openServer(servers, { refuse })
    const network = createNetwork({ env: {} })
    try {
      const fetch = withoutRefused(network.local, createRefusedFields(Date.now))
      const body = JSON.stringify({ model: 'm', messages: [], ...sent })
      const { status } = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })
      assert.is(status, 200)
      assert.equal(asked.at(-1), { model: 'm', messages: [], ...accepted })
    } finally {
      await network.close()
    }
  })

test('a field is tried again after a day, and after the organ is prepared again', async ({ servers }) => {
  let time = 1_700_000_000_000
  const refuse = (body: Body) => ('tools' in body ? ([400, 'm does not support tools'] as const) : undefined)
  const { asked, url } = await openServer(servers, { refuse })
  const urls = { local: url, anthropic: '', openai: '', gemini: '', xai: '' }
  const models = createModels({ urls, env: {}, now: () => time })
  const organ = { provider: 'openai', model: 'm', url, apiKey: 'k' } as const
  const count = async () => {
    const before = asked.length
    await think(models.mind(organ, null), withTools)
    return asked.length - before
  }
  try {
    assert.equal([await count(), await count()], [2, 1])
    time += 86_400_000
    assert.equal([await count(), await count()], [2, 1])
    await models.prepare('thinking', organ, () => {}, never)
    assert.equal([await count(), await count()], [2, 1])
  } finally {
    await models.close()
  }
})

test('a server that refuses everything is asked a bounded number of times, and its words are kept', async ({
  servers,
}) => {
  const words = 'stream_options, tools and system role: not supported. m does not support tools'
  const { asked, url } = await openServer(servers, { refuse: () => [400, words] })
  const models = createModels({
    urls: { local: url, anthropic: '', openai: '', gemini: '', xai: '' },
    env: {},
  })
  try {
    const mind = models.mind({ provider: 'openai', model: 'm', url, apiKey: 'k' }, null)
    const error = await mindFailure(() => think(mind, withTools))
    assert.match(error.message, 'not supported')
    assert.ok(asked.length <= 2 * (remedies.length + 1), String(asked.length))
  } finally {
    await models.close()
  }
})

test.run()
