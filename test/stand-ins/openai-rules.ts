/** Requests that OpenAI's Chat Completions refuse, with the original messages if they are public. */
import * as z from 'zod'
import { findDeepestIssue } from './deepest.ts'
import { contradictsType } from './media.ts'
import type { Json } from './provider.ts'

const Text = z.strictObject({ type: z.literal('text'), text: z.string() })
const ImageUrl = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({ url: z.string(), detail: z.enum(['auto', 'low', 'high']).optional() }),
})
const Audio = z.strictObject({
  type: z.literal('input_audio'),
  input_audio: z.strictObject({ data: z.string(), format: z.enum(['wav', 'mp3']) }),
})
const File = z.strictObject({
  type: z.literal('file'),
  file: z.strictObject({
    filename: z.string().optional(),
    file_data: z.string().optional(),
    file_id: z.string().optional(),
  }),
})
const Part = z.discriminatedUnion('type', [Text, ImageUrl, Audio, File])
type Part = z.infer<typeof Part>

const name = z
  .string()
  .regex(
    /^[a-zA-Z0-9_-]{1,64}$/,
    "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
  )
const ToolCall = z.strictObject({
  id: z.string().max(40, 'string too long. Expected a string with maximum length 40'),
  type: z.literal('function'),
  function: z.strictObject({ name, arguments: z.string() }),
})
const words = z.union([z.string(), z.array(Text).min(1)])
const Message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content: words, name: z.string().optional() }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(Part).min(1)]),
    name: z.string().optional(),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: words.nullish(),
    refusal: z.string().nullish(),
    name: z.string().optional(),
    tool_calls: z.array(ToolCall).min(1, 'empty array. Expected an array with minimum length 1').optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content: words, tool_call_id: z.string() }),
])
export type ChatMessage = z.infer<typeof Message>

const Tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name,
    description: z.string().optional(),
    parameters: z.looseObject({ type: z.literal('object') }).optional(),
    strict: z.boolean().nullish(),
  }),
})

const ChatRequest = z.strictObject({
  model: z.string(),
  messages: z
    .array(Message)
    .min(1, 'empty array. Expected an array with minimum length 1, but got an empty array instead.'),
  tools: z
    .array(Tool)
    .min(1, 'empty array. Expected an array with minimum length 1, but got an empty array instead.')
    .optional(),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), z.looseObject({})]).optional(),
  parallel_tool_calls: z.boolean().optional(),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().nullish(),
  n: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  presence_penalty: z.number().nullish(),
  frequency_penalty: z.number().nullish(),
  seed: z.int().nullish(),
  user: z.string().optional(),
  response_format: z.looseObject({ type: z.string() }).optional(),
  reasoning_effort: z.string().nullish(),
  verbosity: z.string().nullish(),
  store: z.boolean().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  modalities: z.array(z.string()).optional(),
  audio: z.looseObject({}).optional(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  prediction: z.looseObject({}).optional(),
  service_tier: z.string().nullish(),
  prompt_cache_key: z.string().optional(),
  prompt_cache_retention: z.string().nullish(),
  safety_identifier: z.string().optional(),
})

export interface Habits {
  /** Supported image types. */
  readonly pictures: readonly string[]
  /** Accepts PDF. */
  readonly documents: boolean
  /** Reasoning models, which accept neither `max_tokens` nor a temperature. */
  readonly thinks: (model: string) => boolean
}

export const openAiHabits: Habits = {
  pictures: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  documents: true,
  thinks: (model) => /^(o\d|gpt-5)/.test(model),
}

/** Returns the error, or null for a valid request. */
export const getOpenAiRefusal = (body: Json, habits: Habits): string | null => {
  if (body.model === undefined) return 'you must provide a model parameter'
  if (body.messages === undefined) return "Missing required parameter: 'messages'."
  const result = ChatRequest.safeParse(body)
  if (!result.success) return spell(result.error)
  const { model, messages, stream, stream_options, max_tokens, temperature } = result.data
  if (stream_options && !stream)
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled."
  if (habits.thinks(model) && max_tokens)
    return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
  if (habits.thinks(model) && temperature !== undefined && temperature !== null && temperature !== 1)
    return `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`
  return (
    refusedPairs(messages) ??
    messages
      .map((message, index) => refusedMessage(message, index, habits))
      .find((refusal) => refusal !== null) ??
    null
  )
}

const refusedPairs = (messages: readonly ChatMessage[]): string | null => {
  let open: string[] = []
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id))
        return "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
      open = open.filter((id) => id !== message.tool_call_id)
      continue
    }
    if (open.length > 0) return findUnanswered(open, at)
    open = message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : []
  }
  return open.length > 0 ? findUnanswered(open, messages.length) : null
}

const findUnanswered = (ids: readonly string[], index: number) =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')} (messages.[${index}].role)`

const refusedMessage = (message: ChatMessage, index: number, habits: Habits): string | null => {
  const { role, content } = message
  if (role === 'assistant' && (content === null || content === undefined) && !message.tool_calls)
    return `Invalid value for 'messages.[${index}].content': expected a string, got null.`
  if (role !== 'user' || typeof content === 'string') return null
  const problems = (content as readonly Part[]).map((part, n) =>
    refusedPart(part, `messages[${index}].content[${n}]`, habits),
  )
  return problems.find((problem) => problem !== null) ?? null
}

const refusedPart = (part: Part, fieldPath: string, { pictures, documents }: Habits): string | null => {
  if (part.type === 'image_url') {
    const data = /^data:([^;,]+);base64,(.*)$/s.exec(part.image_url.url)
    if (!data)
      return /^https?:/.test(part.image_url.url)
        ? null
        : `Invalid '${fieldPath}.image_url.url'. Expected a valid URL, but got a value with an invalid format.`
    const [, mime = '', base64 = ''] = data
    if (!pictures.includes(mime) || contradictsType(mime, Buffer.from(base64, 'base64')))
      return `You uploaded an unsupported image. Please make sure your image has of one the following formats: [${pictures.map((kind) => `'${kind.slice(6)}'`).join(', ')}].`
  }
  if (part.type === 'file' && part.file.file_id === undefined) {
    if (!documents) return `Invalid value: 'file'. Supported values are: 'text', 'image_url'.`
    if (!part.file.filename) return `Missing required parameter: '${fieldPath}.file.file_id'.`
    const data = /^data:([^;,]+);base64,(.*)$/s.exec(part.file.file_data ?? '')
    if (data?.[1] !== 'application/pdf')
      return `Invalid file data: '${fieldPath}.file.file_data'. Expected a base64-encoded data URL with an application/pdf MIME type (e.g. 'data:application/pdf;base64,aW1nIGJ5dGVzIGhlcmU='), but got ${data ? `unsupported MIME type '${data[1]}'` : "a value without the 'data:' prefix"}.`
    if (contradictsType('application/pdf', Buffer.from(data[2] ?? '', 'base64')))
      return 'The file you provided is not a valid PDF.'
  }
  return null
}

const spell = (error: z.ZodError): string => {
  const { issue, path } = findDeepestIssue(error)
  if (!issue) return 'invalid request'
  const fieldPath = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1)
  if (issue.code === 'unrecognized_keys')
    return fieldPath
      ? `Unknown parameter: '${fieldPath}.${issue.keys[0]}'.`
      : `Unrecognized request argument supplied: ${issue.keys[0]}`
  if (issue.code === 'invalid_type' && /undefined/.test(issue.message))
    return `Missing required parameter: '${fieldPath}'.`
  return `Invalid '${fieldPath}': ${issue.message}`
}
