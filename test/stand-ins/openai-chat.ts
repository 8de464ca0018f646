/**
 * Chat completions in the format of OpenAI and compatible servers: parses requests, and writes responses in
 * chunks or as a whole.
 */
import type { ChatMessage } from './openai-rules.ts'
import {
  type Answer,
  type ConversationTurn,
  getUsage,
  type HeardRequest,
  type Json,
  splitIntoChunks,
} from './provider.ts'

/** Differences of other servers from OpenAI. */
export interface Manners {
  /** The field that contains a model's thoughts. */
  readonly reasoning: 'reasoning_content' | 'reasoning' | null
  /** OpenAI sends usage only on request; xAI sends it with every chunk. */
  readonly usage: 'asked' | 'always' | 'never'
  /** A call comes in one chunk. */
  readonly wholeCalls: boolean
  /** Arguments are an object instead of JSON text. */
  readonly objectArguments: boolean
  /** Calls have no id. */
  readonly idless: boolean
  /** Deltas without text have `content: null`. */
  readonly nullContent: boolean
  /** A response with calls has the same finish reason as one with text. */
  readonly alwaysStop: boolean
  /** Sends a comment before the first chunk as a keep-alive. */
  readonly comments: boolean
  /** The stream ends with `[DONE]`. */
  readonly isDone: boolean
}

export const openAiManners: Manners = {
  reasoning: null,
  usage: 'asked',
  wholeCalls: false,
  objectArguments: false,
  idless: false,
  nullContent: false,
  alwaysStop: false,
  comments: false,
  isDone: true,
}

export const parseChat = (body: Json): HeardRequest => {
  const messages = Array.isArray(body.messages) ? (body.messages as readonly ChatMessage[]) : []
  const tools = Array.isArray(body.tools)
    ? (body.tools as readonly { readonly function: { readonly name: string } }[])
    : []
  return {
    model: String(body.model),
    system: messages
      .flatMap(({ role, content }) => (role === 'system' || role === 'developer' ? [getText(content)] : []))
      .join('\n'),
    messages: messages.filter(({ role }) => role !== 'system' && role !== 'developer').map(parseMessage),
    tools: tools.map((tool) => tool.function.name),
    stream: body.stream === true,
    body,
  }
}

const getText = (content: ChatMessage['content']): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')

const parseMessage = (message: ChatMessage): ConversationTurn => {
  const empty = { calls: [], results: [], files: [] }
  const text = getText(message.content)
  if (message.role === 'assistant') {
    const calls = (message.tool_calls ?? []).map(({ id, function: madeFunction }) => ({
      id,
      name: madeFunction.name,
      input: JSON.parse(madeFunction.arguments),
    }))
    return { ...empty, role: 'model', text, calls }
  }
  if (message.role === 'tool')
    return {
      ...empty,
      role: 'tool',
      text: '',
      results: [{ id: message.tool_call_id, name: null, content: text }],
    }
  const parts = typeof message.content === 'string' ? [] : (message.content ?? [])
  const files = parts.flatMap((part) => {
    if (part.type === 'image_url') return parseDataUrl(part.image_url.url, null)
    if (part.type === 'file') return parseDataUrl(part.file.file_data ?? '', part.file.filename ?? null)
    if (part.type === 'input_audio')
      return [
        {
          mime: `audio/${part.input_audio.format}`,
          name: null,
          bytes: Buffer.from(part.input_audio.data, 'base64'),
        },
      ]
    return []
  })
  return { ...empty, role: 'user', text, files }
}

const parseDataUrl = (url: string, name: string | null) => {
  const [, mime, base64 = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  return mime ? [{ mime, name, bytes: Buffer.from(base64, 'base64') }] : []
}

const data = (json: Json): string => `data: ${JSON.stringify(json)}\n\n`

export const toCompletion = (answer: Answer, modelRequest: HeardRequest, n: number, manners: Manners) => {
  const head = {
    id: `chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT${n}`,
    created: 1741569952,
    model: modelRequest.model,
    system_fingerprint: null,
  }
  const calls = (answer.calls ?? []).map((call, index) => ({
    index,
    ...(manners.idless ? {} : { id: call.id ?? `call_12345xyz${n}x${index}` }),
    type: 'function',
    function: {
      name: call.name,
      arguments: manners.objectArguments ? (call.input ?? {}) : JSON.stringify(call.input ?? {}),
    },
  }))
  const finish_reason = getFinish(answer, manners)
  const usage = toUsage(answer, modelRequest)
  const line = answer.text ?? ''
  const reasoningFields = manners.reasoning && answer.thoughts ? { [manners.reasoning]: answer.thoughts } : {}
  const message = {
    role: 'assistant',
    content: answer.refusal || (calls.length > 0 && !line) ? null : line,
    refusal: answer.refusal ?? null,
    ...reasoningFields,
    ...(calls.length > 0 ? { tool_calls: calls.map(({ index, ...call }) => call) } : {}),
  }
  const completion = {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    ...(manners.usage === 'never' ? {} : { usage }),
  }

  const isUsageRequested =
    (modelRequest.body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true
  const usageField =
    manners.usage === 'always'
      ? { usage }
      : manners.usage === 'asked' && isUsageRequested
        ? { usage: null }
        : {}
  const chunk = (delta: Json, finish: string | null = null) =>
    data({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...usageField,
    })
  const silent = manners.nullContent ? { content: null } : {}
  const events = [
    ...(manners.comments ? [': OPENROUTER PROCESSING\n\n'] : []),
    chunk({ role: 'assistant', content: manners.nullContent ? null : '', refusal: null }),
    ...(manners.reasoning
      ? splitIntoChunks(answer.thoughts ?? '').map((text) =>
          chunk({ ...silent, [`${manners.reasoning}`]: text }),
        )
      : []),
    ...splitIntoChunks(line).map((content) => chunk({ content })),
    ...splitIntoChunks(answer.refusal ?? '').map((refusal) => chunk({ refusal })),
    ...calls
      .flatMap((call) =>
        manners.wholeCalls || manners.objectArguments ? [{ ...silent, tool_calls: [call] }] : pieces(call),
      )
      .map((piece) => chunk(piece)),
    chunk({ ...silent }, finish_reason),
    ...(manners.usage === 'asked' && isUsageRequested
      ? [data({ ...head, object: 'chat.completion.chunk', choices: [], usage })]
      : []),
    ...(manners.isDone ? ['data: [DONE]\n\n'] : []),
  ]
  return { events, whole: completion }
}

const getFinish = ({ end, calls = [] }: Answer, { alwaysStop }: Manners): string => {
  if (end) return end === 'length' ? 'length' : 'content_filter'
  return calls.length > 0 && !alwaysStop ? 'tool_calls' : 'stop'
}

/** Tokens read from the cache are a part of the prompt's tokens. */
const toUsage = (answer: Answer, modelRequest: HeardRequest) => {
  const { input, output, cached } = getUsage(modelRequest, answer)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

interface MadeCall {
  readonly index: number
  readonly function: { readonly name: string; readonly arguments: unknown }
}

/** The name first, then the arguments in pieces. */
const pieces = (call: MadeCall): Json[] => [
  { tool_calls: [{ ...call, function: { name: call.function.name, arguments: '' } }] },
  ...(String(call.function.arguments).match(/[\s\S]{1,7}/g) ?? []).map((piece) => ({
    tool_calls: [{ index: call.index, function: { arguments: piece } }],
  })),
]
