/** Schema of a request to the OpenAI-compatible API. Fields that are not listed are ignored. */
import * as z from 'zod'
import type { SentMessage } from '../../agents/open-steps.ts'
import type { Limits } from '../../config.ts'
import { parseInput } from '../../mind/prompt/lenient-json.ts'
import { HttpRefused } from '../refused.ts'
import { type CutUrls, wholeUrl } from '../server/data-urls.ts'
import { type ReadParts, refuseFile, SentFileFields, type SentPart, toSentFile } from './sent-files.ts'
import { ChatToolChoice, ChatTools } from './tools.ts'

const TextPart = z.object({ type: z.literal('text'), text: z.string() })
const RefusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() })
const ImagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({
    url: z.string().describe('A data: URL of a PNG, JPEG, GIF or WebP picture. Nothing is fetched.'),
  }),
})
const FilePart = z.object({ type: z.literal('file'), file: SentFileFields })
const Part = z.union([TextPart, ImagePart, FilePart, RefusalPart])
type Part = z.infer<typeof Part>

const Content = z.union([z.string(), z.array(Part)])

/** Max calls in one message. */
const maxToolCalls = 128

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const

const ToolCall = z.object({
  id: z.string().min(1).max(200),
  function: z.object({ name: z.string().min(1).max(200), arguments: z.string() }),
})

const ChatMessage = z
  .object({
    role: z.enum(roles),
    content: Content.nullish(),
    tool_calls: z
      .array(ToolCall)
      .max(maxToolCalls)
      .nullish()
      .describe('In a message of the assistant: the calls of tools of the client, as it received them.'),
    tool_call_id: z.string().max(200).nullish().describe('In a message of a tool: the call that it answers.'),
  })
  .meta({ id: 'ChatMessage' })
type ChatMessage = z.infer<typeof ChatMessage>

export const ChatCompletionRequest = z
  .object({
    model: z
      .string()
      .describe('The id of a running persona, or its name if no other running persona has it.'),
    messages: z.preprocess(refineReadable, z.array(ChatMessage).min(1)),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    store: z
      .boolean()
      .nullish()
      .describe('Whether it remembers the newest message of the user and its answer.'),
    tools: ChatTools.nullish(),
    tool_choice: ChatToolChoice.nullish(),
    parallel_tool_calls: z
      .boolean()
      .nullish()
      .describe('With `false`, an answer contains at most one call of a tool of the client.'),
  })
  .meta({ id: 'ChatCompletionRequest' })
export type ChatCompletionRequest = z.infer<typeof ChatCompletionRequest>

const mostMessages = 5000
const mostParts = 1000

/** Checked before the schema, which would report every error of a million in every variant. */
function refineReadable(messages: unknown, context: z.RefinementCtx): unknown {
  if (!Array.isArray(messages)) return messages
  const refuse = (message: string, path: PropertyKey[] = []) => {
    context.addIssue({ code: 'custom', message, path })
    return z.NEVER
  }
  if (messages.length > mostMessages) return refuse(`at most ${mostMessages} messages are taken`)
  const parts = messages.reduce(
    (sum, message) => sum + (Array.isArray(message?.content) ? message.content.length : 0),
    0,
  )
  if (parts > mostParts) return refuse(`at most ${mostParts} parts are taken`)
  const unreadIndex = messages.findIndex((message) => !Content.nullish().safeParse(message?.content).success)
  return unreadIndex < 0 ? messages : refuse(contentForm, [unreadIndex, 'content'])
}

const contentForm =
  'content is a text, or a list of parts of type text, image_url or file: {"type": "image_url", "image_url": {"url": "data:image/png;base64,…"}}'

/** Returns the text of a message. Its parts become paragraphs. */
const getText = ({ content }: ChatMessage): string => {
  if (typeof content === 'string') return content
  return (content ?? [])
    .flatMap((part) => (part.type === 'text' ? part.text : part.type === 'refusal' ? part.refusal : []))
    .join('\n')
}

/** Checks the sizes. Pictures and files may be long, texts may not. Throws body_too_large or invalid. */
export const measure = (
  { messages, store }: Pick<ChatCompletionRequest, 'store'> & { readonly messages: readonly ChatMessage[] },
  { message, json }: Pick<Limits, 'message' | 'json'>,
): void => {
  const sizes = messages.map((message) =>
    [getText(message), ...getCalls(message).map((call) => call.function.arguments)].reduce(
      (sum, text) => sum + Buffer.byteLength(text),
      0,
    ),
  )
  if (sizes.some((size) => size > message))
    throw new HttpRefused({ code: 'body_too_large', what: 'message', most: message })
  if (sizes.reduce((sum, size) => sum + size, 0) > json)
    throw new HttpRefused({ code: 'body_too_large', what: 'talk', most: json })
  if (store && !messages.some(({ role }) => role === 'user'))
    throw new HttpRefused({
      code: 'invalid',
      items: [{ type: 'value_error', loc: ['body', 'messages'], msg: nothingToStore }],
    })
}

const nothingToStore = 'Value error, with store there must be a message of the user to remember'

/** Restores long URLs inside texts. There they are plain text. */
export const withWholeWords = (messages: readonly ChatMessage[], urls: CutUrls): readonly ChatMessage[] => {
  if (urls.size === 0) return messages
  const restorePart = (part: Part): Part => {
    if (part.type === 'text') return { ...part, text: wholeUrl(part.text, urls) }
    return part.type === 'refusal' ? { ...part, refusal: wholeUrl(part.refusal, urls) } : part
  }
  return messages.map(({ content, ...message }) => ({
    ...message,
    content: typeof content === 'string' ? wholeUrl(content, urls) : content?.map(restorePart),
  }))
}

/** Returns the pictures and files of the user, the oldest first. Throws file_refused. */
export const listParts = (messages: readonly ChatMessage[]): readonly SentPart[] =>
  messages.flatMap(({ role, content }, n) =>
    (typeof content === 'string' ? [] : (content ?? [])).flatMap((part, index): readonly SentPart[] => {
      const param = `messages.${n}.content.${index}`
      if (part.type === 'file') {
        if (role !== 'user') throw refuseFile(param, 'Only messages of the user have files.')
        return [toSentFile(part.file, `${param}.file`)]
      }
      return part.type === 'image_url' && role === 'user' ? [{ url: part.image_url.url }] : []
    }),
  )

/**
 * `parts` are those of `listParts`, in the same order. `hasTools`: whether the client has tools; without
 * them its earlier calls are left out.
 */
export const toTalk = (
  messages: readonly ChatMessage[],
  parts: Pick<ReadParts, 'slice'>,
  hasTools: boolean,
): readonly SentMessage[] => {
  let partCount = 0
  return messages.flatMap((message): readonly SentMessage[] => {
    const content = getText(message)
    if (message.role !== 'user') {
      const calls = hasTools && message.role === 'assistant' ? getCalls(message).map(toCall) : []
      if (calls.length > 0) return [{ role: 'calls', content, calls }]
      const { tool_call_id: call } = message
      if (hasTools && message.role === 'tool' && call) return [{ role: 'result', content, call }]
      return content.trim() ? [{ role: standsFor[message.role], content }] : []
    }
    const first = partCount
    partCount += countParts(message)
    return [{ role: 'user', content, ...parts.slice(first, partCount) }]
  })
}

const getCalls = ({ tool_calls: calls }: ChatMessage): readonly z.infer<typeof ToolCall>[] => calls ?? []

const toCall = ({ id, function: { name, arguments: text } }: z.infer<typeof ToolCall>) => ({
  id,
  name,
  input: parseInput(text),
})

const countParts = ({ content }: ChatMessage): number =>
  typeof content === 'string'
    ? 0
    : (content ?? []).filter(({ type }) => type === 'image_url' || type === 'file').length

/**
 * Results of the client's own tools are information. Its system messages are notes that do not bind the
 * persona.
 */
const standsFor = {
  system: 'note',
  developer: 'note',
  assistant: 'assistant',
  tool: 'result',
  function: 'result',
} as const satisfies Readonly<Record<Exclude<ChatMessage['role'], 'user'>, SentMessage['role']>>
