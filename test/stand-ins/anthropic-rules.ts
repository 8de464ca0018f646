/** Requests that Anthropic's Messages API refuses, with its own messages if they are public. */
import * as z from 'zod'
import { findDeepestIssue } from './deepest.ts'
import { contradictsType } from './media.ts'
import type { Json } from './provider.ts'

const cache = {
  cache_control: z
    .strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
    .nullish(),
}
const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/, 'invalid base64 data')
const text = z
  .string()
  .regex(/\S/, 'text content blocks must contain non-whitespace text')
  .min(1, 'text content blocks must be non-empty')

const Text = z.strictObject({ type: z.literal('text'), text, citations: z.unknown().optional(), ...cache })
const Image = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      data: base64,
    }),
    z.strictObject({ type: z.literal('url'), url: z.string() }),
  ]),
  ...cache,
})
const Document = z.strictObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: base64 }),
    z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
    z.strictObject({ type: z.literal('url'), url: z.string() }),
  ]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: z.strictObject({ enabled: z.boolean() }).nullish(),
  ...cache,
})
const id = z.string().regex(/^[a-zA-Z0-9_-]+$/, "String should match pattern '^[a-zA-Z0-9_-]+$'")
const name = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,128}$/, "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'")
const ToolUse = z.strictObject({
  type: z.literal('tool_use'),
  id,
  name,
  input: z.record(z.string(), z.unknown()),
  ...cache,
})
const ToolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: id,
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image, Document]))]).optional(),
  is_error: z.boolean().optional(),
  ...cache,
})
const Block = z.discriminatedUnion('type', [Text, Image, Document, ToolUse, ToolResult])
type Block = z.infer<typeof Block>
const Message = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string(), z.array(Block)]),
})

const Tool = z.strictObject({
  name,
  type: z.literal('custom').nullish(),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  strict: z.boolean().optional(),
  eager_input_streaming: z.boolean().nullish(),
  ...cache,
})

export const MessagesRequest = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  messages: z.array(Message).min(1, 'at least one message is required'),
  system: z.union([z.string(), z.array(Text)]).optional(),
  tools: z.array(Tool).optional(),
  tool_choice: z.looseObject({ type: z.enum(['auto', 'any', 'tool', 'none']) }).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().optional(),
  top_k: z.int().optional(),
  stop_sequences: z.array(z.string()).optional(),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  thinking: z.looseObject({ type: z.enum(['enabled', 'disabled', 'adaptive']) }).optional(),
  service_tier: z.string().optional(),
  output_config: z.looseObject({}).optional(),
  ...cache,
})
export type MessagesRequest = z.infer<typeof MessagesRequest>

/** Returns the error, or null for a valid request. */
export const getAnthropicRefusal = (body: Json): string | null => {
  const roles = Array.isArray(body.messages) ? body.messages.map((message) => message?.role) : []
  if (roles.includes('system'))
    return 'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.'
  const result = MessagesRequest.safeParse(body)
  if (!result.success) return spell(result.error)
  const { messages, tools } = result.data
  const blocks = messages.map(({ content }) => (typeof content === 'string' ? [] : content))
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role'
  if (messages.at(-1)?.role !== 'user')
    return 'This model does not support assistant message prefill. The conversation must end with a user message.'
  const empty = messages.findIndex(({ content }) => content.length === 0)
  if (empty >= 0)
    return `messages.${empty}: all messages must have non-empty content except for the optional final assistant message`
  if (!tools?.length && blocks.flat().some(({ type }) => type === 'tool_use' || type === 'tool_result'))
    return 'Requests which include `tool_use` or `tool_result` blocks must define tools.'
  const names = tools?.map((tool) => tool.name) ?? []
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.'
  const marks = JSON.stringify(body).match(/"cache_control":\{/g)?.length ?? 0
  if (marks > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`
  return refusedPairs(messages, blocks) ?? refusedBytes(blocks.flat())
}

/** Consecutive messages of one role count as one. */
const refusedPairs = (messages: MessagesRequest['messages'], blocks: readonly Block[][]): string | null => {
  const turns: Block[][] = []
  for (const [at, { role }] of messages.entries()) {
    if (messages[at - 1]?.role === role) turns.at(-1)?.push(...(blocks[at] ?? []))
    else turns.push([...(blocks[at] ?? [])])
  }
  const usedIds = new Set<string>()
  for (const [at, turn] of turns.entries()) {
    const callIds = at === 0 ? [] : getIds(turns[at - 1] ?? [])
    for (const [n, block] of turn.entries()) {
      if (block.type === 'tool_result' && !callIds.includes(block.tool_use_id))
        return `messages.${at}.content.${n}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
      if (block.type === 'tool_use' && usedIds.has(block.id)) return 'messages: `tool_use` ids must be unique'
      if (block.type === 'tool_use') usedIds.add(block.id)
    }
    // Results come first, then text.
    const resultIds = turn
      .slice(0, callIds.length)
      .flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
    const missingIds = callIds.filter((id) => !resultIds.includes(id))
    if (missingIds.length > 0)
      return `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missingIds.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
  }
  return null
}

const getIds = (turn: readonly Block[]) =>
  turn.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))

const refusedBytes = (blocks: readonly Block[]): string | null => {
  for (const block of blocks) {
    if ((block.type !== 'image' && block.type !== 'document') || block.source.type !== 'base64') continue
    const { media_type, data } = block.source
    if (!contradictsType(media_type, Buffer.from(data, 'base64'))) continue
    return block.type === 'image'
      ? `Image does not match the provided media type ${media_type}`
      : 'The PDF specified was not valid.'
  }
  return null
}

const spell = (error: z.ZodError): string => {
  const { issue, path } = findDeepestIssue(error)
  const fieldPath = path.join('.')
  if (issue?.code === 'unrecognized_keys')
    return `${[...path, issue.keys[0]].join('.')}: Extra inputs are not permitted`
  if (issue?.code === 'invalid_type' && /undefined/.test(issue.message)) return `${fieldPath}: Field required`
  if (issue && /text content blocks/.test(issue.message)) return `messages: ${issue.message}`
  return `${fieldPath}: ${issue?.message}`
}
