/** Shapes of responses and their items. */
import * as z from 'zod'
import type { ResponseItem, ResponseRequest } from '../../../facts/fact-values.ts'
import type { EndedResponse } from '../../persona/rules/responses.ts'

const MessageOutput = z.object({
  id: z.string(),
  type: z.literal('message'),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  role: z.literal('assistant'),
  content: z.array(
    z.object({
      type: z.literal('output_text'),
      text: z.string(),
      annotations: z.array(z.unknown()),
      logprobs: z.array(z.unknown()),
    }),
  ),
})
const CallOutput = z.object({
  id: z.string(),
  type: z.literal('function_call'),
  status: z.enum(['in_progress', 'completed']),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string().describe('JSON.'),
})
const Output = z.union([MessageOutput, CallOutput])
export type Output = z.infer<typeof Output>

const Status = z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'])
export type Status = z.infer<typeof Status>

const Usage = z.object({
  input_tokens: z.int(),
  input_tokens_details: z.object({ cached_tokens: z.int() }),
  output_tokens: z.int(),
  output_tokens_details: z.object({ reasoning_tokens: z.int() }),
  total_tokens: z.int(),
})

const Format = z.union([
  z.object({ type: z.enum(['text', 'json_object']) }),
  z.object({
    type: z.literal('json_schema'),
    name: z.string(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean(),
  }),
])

export const ResponseObject = z
  .object({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int().describe('Seconds since 1970.'),
    completed_at: z.int().nullable(),
    status: Status,
    background: z.boolean(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.object({ reason: z.literal('max_output_tokens') }).nullable(),
    instructions: z.string().nullable(),
    max_output_tokens: z.int().nullable(),
    max_tool_calls: z.null(),
    metadata: z.record(z.string(), z.string()),
    model: z.string().describe('The id of the persona.'),
    output: z.array(Output),
    parallel_tool_calls: z.boolean(),
    previous_response_id: z.string().nullable(),
    reasoning: z.object({ effort: z.null(), summary: z.null() }),
    service_tier: z.literal('default'),
    store: z.boolean().describe('Whether it can be fetched and continued.'),
    temperature: z.null(),
    text: z.object({ format: Format }),
    tool_choice: z.union([
      z.enum(['auto', 'none', 'required']),
      z.object({ type: z.literal('function'), name: z.string() }),
    ]),
    tools: z.array(
      z.object({
        type: z.literal('function'),
        name: z.string(),
        description: z.string(),
        parameters: z.record(z.string(), z.unknown()),
        strict: z.literal(false),
      }),
    ),
    top_logprobs: z.literal(0),
    top_p: z.null(),
    truncation: z.literal('disabled'),
    usage: Usage.nullable(),
    user: z.null(),
  })
  .meta({ id: 'Response' })
export type ResponseObject = z.input<typeof ResponseObject>

const InputPart = z.object({ type: z.enum(['input_text', 'output_text']), text: z.string() })
const InputItem = z.union([
  z.object({
    id: z.string(),
    type: z.literal('message'),
    status: z.literal('completed'),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: z.array(InputPart),
  }),
  CallOutput,
  z.object({
    id: z.string(),
    type: z.literal('function_call_output'),
    status: z.literal('completed'),
    call_id: z.string(),
    output: z.string(),
  }),
])

export const InputItemList = z
  .object({
    object: z.literal('list'),
    data: z.array(InputItem),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'ResponseInputItemList' })

export const DeletedResponse = z
  .object({ id: z.string(), object: z.literal('response.deleted'), deleted: z.literal(true) })
  .meta({ id: 'DeletedResponse' })

/** The parts of a response that are known when it begins. `at`: epoch ms. */
export interface ResponseBase {
  readonly id: string
  readonly persona: string
  readonly at: number
  readonly previous: string | null
  readonly background: boolean
  readonly isStored: boolean
  readonly request: ResponseRequest
}

interface End {
  readonly status: Status
  readonly ended?: EndedResponse | undefined
  /** Epoch ms. */
  readonly endedAt?: number | undefined
}

export const toResponse = (
  { id, persona, at, previous, background, isStored, request }: ResponseBase,
  { status, ended, endedAt }: End,
): ResponseObject => ({
  id,
  object: 'response',
  created_at: toSeconds(at),
  completed_at: status === 'completed' && endedAt !== undefined ? toSeconds(endedAt) : null,
  status,
  background,
  error: ended?.error ?? (status === 'failed' ? stoppedError : null),
  incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
  instructions: request.instructions,
  max_output_tokens: request.maxTokens,
  max_tool_calls: null,
  metadata: request.metadata,
  model: persona,
  output: ended ? toOutput(id, ended) : [],
  parallel_tool_calls: request.parallel,
  previous_response_id: previous,
  reasoning: { effort: null, summary: null },
  service_tier: 'default',
  store: isStored,
  temperature: null,
  text: { format: toFormat(request.format) },
  tool_choice: typeof request.choice === 'string' ? request.choice : { type: 'function', ...request.choice },
  tools: request.tools.map((tool) => ({ type: 'function', ...tool, strict: false })),
  top_logprobs: 0,
  top_p: null,
  truncation: 'disabled',
  usage: ended?.tokens ? toUsage(ended.tokens) : null,
  user: null,
})

const toSeconds = (time: number): number => Math.floor(time / 1000)

const stoppedError = { code: 'stopped', message: 'The persona was stopped before it had answered.' }

const toUsage = ({ input, output, cached }: NonNullable<EndedResponse['tokens']>): z.input<typeof Usage> => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
})

const toFormat = (format: ResponseRequest['format']): z.input<typeof Format> => {
  if (!format) return { type: 'text' }
  const { name, schema } = format
  return schema ? { type: 'json_schema', name, schema, strict: false } : { type: 'json_object' }
}

// --- ids of items: they contain the id of their response and a position in it

const toItemId = (kind: 'msg' | 'fc' | 'fco', responseId: string, position: string): string =>
  `${kind}_${responseId.slice('resp_'.length)}_${position}`

/** Returns null if no item can have this id. `index`: in the output, or in the input. */
export const parseItemId = (
  id: string,
): { readonly responseId: string; readonly isInput: boolean; readonly index: number } | null => {
  const [, tail, input, index] = /^(?:msg|fc|fco)_(.+)_(i?)(\d{1,6})$/.exec(id) ?? []
  return tail === undefined
    ? null
    : { responseId: `resp_${tail}`, isInput: input === 'i', index: Number(index) }
}

export const toMessageId = (responseId: string): string => toItemId('msg', responseId, '0')

/** Returns the items of the output. Their order is that of `toItems`. */
const toOutput = (
  id: string,
  { text, calls, status }: Pick<EndedResponse, 'text' | 'calls' | 'status'>,
): Output[] => {
  const messages: Output[] = text
    ? [
        {
          id: toMessageId(id),
          type: 'message',
          status: status === 'incomplete' ? 'incomplete' : 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
        },
      ]
    : []
  return [
    ...messages,
    ...calls.map(
      (call, n): Output => ({
        id: toItemId('fc', id, String(messages.length + n)),
        type: 'function_call',
        status: 'completed',
        call_id: call.id,
        name: call.name,
        arguments: call.arguments,
      }),
    ),
  ]
}

export const toInputItem = (
  responseId: string,
  item: ResponseItem,
  index: number,
): z.input<typeof InputItem> => {
  const id = (kind: 'msg' | 'fc' | 'fco') => toItemId(kind, responseId, `i${index}`)
  if (item.type === 'message') {
    const { role, text } = item
    const type = role === 'assistant' ? 'output_text' : 'input_text'
    return { id: id('msg'), type: 'message', status: 'completed', role, content: [{ type, text }] }
  }
  if (item.type === 'call') {
    const { call, name, arguments: input } = item
    return {
      id: id('fc'),
      type: 'function_call',
      status: 'completed',
      call_id: call,
      name,
      arguments: input,
    }
  }
  return {
    id: id('fco'),
    type: 'function_call_output',
    status: 'completed',
    call_id: item.call,
    output: item.output,
  }
}
