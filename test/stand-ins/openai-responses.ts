/**
 * OpenAI's Responses API: parses requests, refuses invalid ones, and writes responses as events or as a
 * whole. It follows the public API reference ("Create a response", "Streaming events") and the guide
 * "Reasoning models", and the types of the official client openai-node.
 */
import * as z from 'zod'
import {
  type Answer,
  type ConversationTurn,
  getUsage,
  type HeardFile,
  type HeardRequest,
  type Json,
  splitIntoChunks,
} from './provider.ts'

const Text = z.strictObject({ type: z.enum(['input_text', 'output_text']), text: z.string() })
const Image = z.strictObject({
  type: z.literal('input_image'),
  image_url: z.string().regex(/^data:image\/(?:png|jpeg|gif|webp);base64,/),
  detail: z.string().optional(),
})
const File = z.strictObject({
  type: z.literal('input_file'),
  filename: z.string(),
  file_data: z.string().regex(/^data:application\/pdf;base64,/),
})
const Message = z.strictObject({
  type: z.literal('message').optional(),
  id: z.string().optional(),
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image, File])).min(1)]),
})
const FunctionCall = z.strictObject({
  type: z.literal('function_call'),
  id: z.string().optional(),
  call_id: z.string().max(64),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  arguments: z.string(),
  status: z.string().optional(),
})
const Output = z.strictObject({
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: z.string(),
})
const Reasoning = z.strictObject({
  type: z.literal('reasoning'),
  id: z.string(),
  encrypted_content: z.string(),
  summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
})
const Item = z.union([Message, FunctionCall, Output, Reasoning])
type Item = z.infer<typeof Item>

const Request = z.strictObject({
  model: z.string(),
  input: z.array(Item).min(1),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
        description: z.string().optional(),
        parameters: z.looseObject({ type: z.literal('object') }),
        strict: z.boolean().optional(),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.enum(['none', 'auto', 'required']).optional(),
  stream: z.boolean().optional(),
  store: z.boolean().optional(),
  include: z.array(z.string()).optional(),
  max_output_tokens: z.int().min(16).optional(),
  prompt_cache_key: z.string().optional(),
  text: z.strictObject({ format: z.looseObject({ type: z.string() }) }).optional(),
})

/** The reasoning that must precede a call, by the call's name and arguments. */
export type IssuedItems = Map<string, object>

const getItems = (body: Json): readonly Item[] => {
  const result = z.array(Item).safeParse(body.input)
  return result.success ? result.data : []
}

/** Returns the error, or null for a valid request. */
export const getResponseRefusal = (body: Json, thinks: boolean, issuedItems: IssuedItems): string | null => {
  const result = Request.safeParse(body)
  if (!result.success) {
    const [issue] = result.error.issues
    return `Invalid '${issue?.path.join('.')}': ${issue?.message}`
  }
  const { input, tools = [], include = [] } = result.data
  const encrypted = include.includes('reasoning.encrypted_content')
  if (encrypted && !thinks) return 'Encrypted content is not supported with this model.'
  const loose = tools.findIndex(({ strict, parameters }) => strict !== false && !('required' in parameters))
  if (loose >= 0)
    return `Invalid schema for function '${tools[loose]?.name}': In context=(), 'required' is required to be supplied.`
  const calls = input.flatMap((item) => ('call_id' in item && 'name' in item ? [item.call_id] : []))
  const outputs = input.flatMap((item) => ('output' in item ? [item.call_id] : []))
  const unansweredId = calls.find((id) => !outputs.includes(id))
  if (unansweredId) return `No tool output found for function call ${unansweredId}.`
  const orphanId = outputs.find((id) => !calls.includes(id))
  if (orphanId) return `No tool call found for function call output with call_id ${orphanId}.`
  return refusedReasoning(input, issuedItems)
}

const refusedReasoning = (input: readonly Item[], issuedItems: IssuedItems): string | null => {
  for (const [at, item] of input.entries()) {
    const reasoning = 'name' in item ? issuedItems.get(callKey(item)) : undefined
    if (!reasoning) continue
    const earlierItems = input.slice(0, at).map((earlierItem) => JSON.stringify(sortKeys(earlierItem)))
    if (!earlierItems.includes(JSON.stringify(sortKeys(reasoning))))
      return `Item of type 'function_call' was provided without its required 'reasoning' item.`
  }
  return null
}

/** Clients omit the id of a call, and choose their own. */
const callKey = (call: { readonly name: string; readonly arguments: string }): string =>
  `${call.name} ${call.arguments}`

const sortKeys = (item: object): object => Object.fromEntries(Object.entries(item).sort())

export const parseResponses = (body: Json): HeardRequest => {
  const items = getItems(body)
  const isSystem = (item: Item) => 'role' in item && ['system', 'developer'].includes(item.role)
  const tools = Array.isArray(body.tools) ? (body.tools as readonly { readonly name: string }[]) : []
  return {
    model: String(body.model),
    system: items.flatMap((item) => (isSystem(item) ? [getText(item)] : [])).join('\n'),
    messages: joinSteps(items.filter((item) => !isSystem(item)).flatMap(parseItem)),
    tools: tools.map(({ name }) => name),
    stream: body.stream === true,
    body,
  }
}

const getText = (item: Item): string => {
  if (!('role' in item)) return ''
  if (typeof item.content === 'string') return item.content
  return item.content.map((part) => ('text' in part ? part.text : '')).join('')
}

const parseItem = (item: Item): readonly ConversationTurn[] => {
  const empty = { text: '', calls: [], results: [], files: [] }
  if ('summary' in item) return []
  if ('output' in item)
    return [{ ...empty, role: 'tool', results: [{ id: item.call_id, name: null, content: item.output }] }]
  if ('name' in item) {
    const call = { id: item.call_id, name: item.name, input: JSON.parse(item.arguments) }
    return [{ ...empty, role: 'model', calls: [call] }]
  }
  const role = item.role === 'assistant' ? 'model' : 'user'
  return [{ ...empty, role, text: getText(item), files: getFiles(item) }]
}

const getFiles = ({ content }: z.infer<typeof Message>): readonly HeardFile[] =>
  (typeof content === 'string' ? [] : content).flatMap((part) => {
    const url = part.type === 'input_image' ? part.image_url : 'file_data' in part ? part.file_data : ''
    const [, mime, base64 = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
    const name = 'filename' in part ? part.filename : null
    return mime ? [{ mime, name, bytes: Buffer.from(base64, 'base64') }] : []
  })

/** Text and calls of one step are separate items. */
const joinSteps = (messages: readonly ConversationTurn[]): readonly ConversationTurn[] => {
  const list: ConversationTurn[] = []
  for (const message of messages) {
    const last = list.at(-1)
    if (last?.role === 'model' && message.role === 'model')
      list.splice(-1, 1, {
        ...last,
        text: last.text + message.text,
        calls: [...last.calls, ...message.calls],
      })
    else list.push(message)
  }
  return list
}

const event = (type: string, sequence_number: number, fields: Json): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...fields })}\n\n`

export const toResponse = (
  answer: Answer,
  modelRequest: HeardRequest,
  n: number,
  thinks: boolean,
  issuedItems: IssuedItems,
) => {
  const reasoning = {
    id: `rs_68af4030baa48193b0b43b4c2a176a1a${n}`,
    type: 'reasoning',
    encrypted_content: Buffer.from(`thoughts ${n} "of"  a model`).toString('base64'),
    summary: answer.thoughts ? [{ type: 'summary_text', text: answer.thoughts }] : [],
  }
  const text = answer.text ?? ''
  const message = {
    id: `msg_67ccd3acc8d48190a77525dc6de64b4104becb25c45c1d${n}`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [
      answer.refusal
        ? { type: 'refusal', refusal: answer.refusal }
        : { type: 'output_text', text, annotations: [] },
    ],
  }
  const calls = (answer.calls ?? []).map((call, index) => ({
    type: 'function_call',
    id: `fc_12345xyz${n}x${index}`,
    call_id: call.id ?? `call_12345xyz${n}x${index}`,
    name: call.name,
    arguments: JSON.stringify(call.input ?? {}),
    status: 'completed',
  }))
  if (thinks) for (const call of calls) issuedItems.set(callKey(call), reasoning)
  const output = [...(thinks ? [reasoning] : []), ...(text || answer.refusal ? [message] : []), ...calls]
  const { input, output: outputTokens, cached } = getUsage(modelRequest, answer)
  const reason = answer.end && (answer.end === 'length' ? 'max_output_tokens' : 'content_filter')
  const head = {
    id: `resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b${n}`,
    object: 'response',
    created_at: 1741476542,
    model: modelRequest.model,
    error: null,
    store: modelRequest.body.store,
  }
  const fullResponse = {
    ...head,
    status: reason ? 'incomplete' : 'completed',
    incomplete_details: reason ? { reason } : null,
    output,
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + outputTokens,
    },
  }
  const startedResponse = {
    ...head,
    status: 'in_progress',
    incomplete_details: null,
    output: [],
    usage: null,
  }
  const steps: (readonly [type: string, fields: Json])[] = [
    ['response.created', { response: startedResponse }],
    ...output.flatMap((item, output_index) => toEvents(item, output_index)),
    // Clients must ignore unknown events.
    ['response.anything_new', { response: { error: 'none' }, output_index: 99 }],
    [reason ? 'response.incomplete' : 'response.completed', { response: fullResponse }],
  ]
  return { events: steps.map(([type, fields], index) => event(type, index, fields)), whole: fullResponse }
}

const toEvents = (item: Json & { readonly id: string }, output_index: number) => {
  const itemFields = { item_id: item.id, output_index }
  const open =
    item.type === 'message'
      ? { ...item, status: 'in_progress', content: [] }
      : { ...item, ...('arguments' in item && { arguments: '' }), ...('summary' in item && { summary: [] }) }
  const steps: (readonly [type: string, fields: Json])[] = []
  if (Array.isArray(item.summary))
    for (const [summary_index, { text }] of item.summary.entries()) {
      const part = { ...itemFields, summary_index }
      steps.push([
        'response.reasoning_summary_part.added',
        { ...part, part: { type: 'summary_text', text: '' } },
      ])
      for (const delta of splitIntoChunks(text))
        steps.push(['response.reasoning_summary_text.delta', { ...part, delta }])
      steps.push(['response.reasoning_summary_part.done', { ...part, part: { type: 'summary_text', text } }])
    }
  if (Array.isArray(item.content))
    for (const [content_index, { text, refusal }] of item.content.entries()) {
      for (const delta of splitIntoChunks(text ?? ''))
        steps.push(['response.output_text.delta', { ...itemFields, content_index, delta, logprobs: [] }])
      for (const delta of splitIntoChunks(refusal ?? ''))
        steps.push(['response.refusal.delta', { ...itemFields, content_index, delta }])
      if (refusal) steps.push(['response.refusal.done', { ...itemFields, content_index, refusal }])
    }
  for (const delta of String(item.arguments ?? '').match(/[\s\S]{1,7}/g) ?? [])
    steps.push(['response.function_call_arguments.delta', { ...itemFields, delta }])
  return [
    ['response.output_item.added', { output_index, item: open }] as const,
    ...steps,
    ['response.output_item.done', { output_index, item }] as const,
  ]
}
