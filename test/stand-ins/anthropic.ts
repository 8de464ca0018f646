/**
 * A stand-in for Anthropic's API over a real socket. It follows the public pages on platform.claude.com/docs:
 * "Messages" and "List Models" of the API reference, "Streaming messages" (order of events, ping, errors
 * inside a stream), "Handle tool calls" (results first, every call answered in the next message), "Vision"
 * and "PDF support" (kinds of files), "Errors" (statuses, shape, `request_id`), "Prompt caching" (usage), and
 * the types of the official client anthropic-sdk-typescript.
 */
import { getAnthropicRefusal, type MessagesRequest } from './anthropic-rules.ts'
import type { Reply, Troubles } from './faults.ts'
import {
  type Answer,
  type Call,
  type ConversationTurn,
  createStandIn,
  getAnswer,
  getUsage,
  type HeardRequest,
  type Json,
  type StandIn,
  type StandInOptions,
  splitIntoChunks,
} from './provider.ts'

const types: Readonly<Record<number, readonly [string, string]>> = {
  400: ['invalid_request_error', 'The request is not valid.'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'Not Found'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: ['rate_limit_error', 'This request would exceed the rate limit for your organization.'],
  500: ['api_error', 'Internal server error'],
  529: ['overloaded_error', 'Overloaded'],
}

const troubles: Troubles = {
  refusal: (status, message, retryAfter) => {
    const [type, usual] = types[status] ?? ['api_error', 'Internal server error']
    return {
      status,
      json: {
        type: 'error',
        error: { type, message: message ?? usual },
        request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
      },
      headers: {
        'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy',
        ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      },
    }
  },
  event: (message) => event('error', { error: { type: 'overloaded_error', message } }),
}

export const createAnthropic = async (options: StandInOptions = {}): Promise<StandIn> => {
  const { models = ['claude-sonnet-4-5', 'claude-haiku-4-5'], answer: script } = options
  let answerCount = 0

  const getRefusal = ({ key, headers, body }: Call): Reply | null => {
    if (key === 'none') return troubles.refusal(401, 'x-api-key header is required')
    if (key === 'wrong') return troubles.refusal(401)
    if (headers['anthropic-version'] !== '2023-06-01')
      return troubles.refusal(400, 'anthropic-version: header is required')
    const model = body.model
    if (typeof model === 'string' && !models.includes(model)) return troubles.refusal(404, `model: ${model}`)
    return null
  }

  const answer = async (call: Call, modelRequest: HeardRequest | null): Promise<Reply> => {
    const { method, path, query, body } = call
    const no = getRefusal(call)
    if (no) return no
    if (method === 'GET' && path === '/v1/models') return list(models, query)
    const [, modelId] = /^\/v1\/models\/([^/]+)$/.exec(path) ?? []
    if (method === 'GET' && modelId)
      return models.includes(modelId)
        ? { status: 200, json: model(modelId) }
        : troubles.refusal(404, `model: ${modelId}`)
    if (method !== 'POST' || path !== '/v1/messages') return troubles.refusal(404)
    const wrong = getAnthropicRefusal(body)
    if (wrong || !modelRequest) return troubles.refusal(400, wrong ?? undefined)
    const reply = toMessage(await getAnswer(script, modelRequest), modelRequest, answerCount++)
    return modelRequest.stream ? reply : { status: 200, json: reply.whole }
  }
  return createStandIn({ ...troubles, keyHeader: 'x-api-key', hear, answer }, options)
}

const model = (id: string) => ({ type: 'model', id, display_name: id, created_at: '2025-09-29T00:00:00Z' })

/** Pages of 20 models, unless the client asks for more. */
const list = (models: readonly string[], query: URLSearchParams): Reply => {
  const limit = Number(query.get('limit') ?? 20)
  if (!(limit >= 1 && limit <= 1000))
    return troubles.refusal(400, 'limit: Input should be less than or equal to 1000')
  const first = query.has('after_id') ? models.indexOf(String(query.get('after_id'))) + 1 : 0
  const page = models.slice(first, first + limit)
  const json = {
    data: page.map(model),
    has_more: first + limit < models.length,
    first_id: page[0] ?? null,
    last_id: page.at(-1) ?? null,
  }
  return { status: 200, json }
}

const hear = ({ method, path, body }: Call): HeardRequest | null => {
  if (method !== 'POST' || path !== '/v1/messages') return null
  const { messages, system, tools } = body as Partial<MessagesRequest>
  return {
    model: String(body.model),
    system: typeof system === 'string' ? system : (system ?? []).map(({ text }) => text).join('\n'),
    messages: Array.isArray(messages) ? messages.map(parseMessage) : [],
    tools: (tools ?? []).map(({ name }) => name),
    stream: body.stream === true,
    body,
  }
}

const parseMessage = ({ role, content }: MessagesRequest['messages'][number]): ConversationTurn => {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const results = blocks.flatMap((block) =>
    block.type === 'tool_result'
      ? [{ id: block.tool_use_id, name: null, content: resultText(block.content) }]
      : [],
  )
  const saidRole = role === 'assistant' ? 'model' : 'user'
  return {
    role: results.length > 0 ? 'tool' : saidRole,
    text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    calls: blocks.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
    results,
    files: blocks.flatMap((block) => {
      if ((block.type !== 'image' && block.type !== 'document') || block.source.type !== 'base64') return []
      const name = block.type === 'document' ? (block.title ?? null) : null
      return [{ mime: block.source.media_type, name, bytes: Buffer.from(block.source.data, 'base64') }]
    }),
  }
}

const resultText = (content: unknown): unknown =>
  Array.isArray(content) ? content.map((part) => (part as { text?: string }).text ?? '').join('') : content

const event = (type: string, data: Json = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

const toMessage = (answer: Answer, modelRequest: HeardRequest, n: number) => {
  const { text = '', thoughts, calls = [], end, explanation } = answer
  const { input, output, cached, writtenTokens } = getUsage(modelRequest, answer)
  const ids = calls.map(({ id }, index) => id ?? `toolu_01A09q90qw90lq91780${n}x${index}`)
  const blocks: Json[] = [
    ...(thoughts ? [{ type: 'thinking', thinking: thoughts, signature: 'c2lnbmF0dXJl' }] : []),
    ...(text ? [{ type: 'text', text }] : []),
    ...calls.map((call, index) => ({
      type: 'tool_use',
      id: ids[index],
      name: call.name,
      input: call.input ?? {},
    })),
  ]
  const ends = { length: 'max_tokens', filter: 'refusal', blocked: 'refusal' } as const
  const stop_reason = end ? ends[end] : calls.length > 0 ? 'tool_use' : 'end_turn'
  // Tokens read from the cache or written to it are not counted as input tokens.
  const usage = {
    input_tokens: input - cached - writtenTokens,
    cache_creation_input_tokens: writtenTokens,
    cache_read_input_tokens: cached,
    output_tokens: output,
  }
  const head = {
    id: `msg_01XFDUDYJgAACzvnptvVoYE${n}`,
    type: 'message',
    role: 'assistant',
    model: modelRequest.model,
  }
  const details = explanation && { stop_details: { type: 'refusal', category: null, explanation } }
  const message = { ...head, content: blocks, stop_reason, stop_sequence: null, ...details, usage }
  const openingEvent = {
    ...head,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  }
  const events = [
    event('message_start', { message: openingEvent }),
    ...blocks.flatMap((block, index) => blockEvents(block, index)),
    event('message_delta', { delta: { stop_reason, stop_sequence: null, ...details }, usage }),
    event('message_stop'),
  ]
  return { events, whole: message }
}

const blockEvents = (block: Json, index: number): string[] => {
  const delta = (deltaBody: Json) => event('content_block_delta', { index, delta: deltaBody })
  const open = (content_block: Json) => event('content_block_start', { index, content_block })
  const close = event('content_block_stop', { index })
  if (block.type === 'thinking') {
    const { thinking, signature } = block
    return [
      open({ type: 'thinking', thinking: '', signature: '' }),
      delta({ type: 'thinking_delta', thinking }),
      delta({ type: 'signature_delta', signature }),
      close,
    ]
  }
  if (block.type === 'text') {
    const deltas = splitIntoChunks(String(block.text)).map((text) => delta({ type: 'text_delta', text }))
    return [open({ type: 'text', text: '' }), event('ping'), ...deltas, close]
  }
  const json = Object.keys(block.input as object).length > 0 ? JSON.stringify(block.input) : ''
  const pieces = ['', ...(json.match(/[\s\S]{1,7}/g) ?? [])].map((partial_json) =>
    delta({ type: 'input_json_delta', partial_json }),
  )
  return [open({ ...block, input: {} }), ...pieces, close]
}
