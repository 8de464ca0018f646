/**
 * Converts a prompt to a form that all providers accept: alternating roles, the user first and last, a result
 * for every call, and restricted names and ids.
 */
import { isObject } from '../../kit/is-object.ts'
import type { Message, Opaque, Prompt, Shown, ToolSpec } from '../mind.ts'
import { readPromptFiles } from '../prompt-files.ts'
import type { Takes } from '../sense-models.ts'
import type { Chat } from './adapter.ts'
import type { Address } from './address.ts'
import type { ChatMessage } from './chat-model.ts'
import { carrying } from './opaque.ts'
import { getAdapter } from './provider-table.ts'

/** Reads the files. Throws `MindError` for a file that the model does not accept. */
export const toChat = async (
  source: Prompt,
  acceptedFiles: Takes,
  { service, at }: Address,
  model: string,
): Promise<Chat> => {
  const { system, messages, tools, toolChoice, form, maxTokens } = source
  const files = await readPromptFiles(source, acceptedFiles, `The model "${model}" at ${at}`)
  const turns = inTurns(messages)
  const ids = createIds()
  const chatMessages = turns.flatMap((turn) =>
    turn.role === 'user' ? [toUser(turn, files)] : toAssistant(turn, ids),
  )
  const prompt: ChatMessage[] = [
    ...(system.trim() ? [{ role: 'system', content: wellFormed(system) } as const] : []),
    ...chatMessages,
  ]
  const adapter = await getAdapter(service)
  const sentTools = tools.length > 0 || !adapter.wantsToolsCalled ? tools : calledIn(turns)
  const chat: Chat = {
    prompt,
    ...(sentTools.length > 0 && { tools: sentTools.map(toTool) }),
    ...(tools.length > 0 && toolChoice && { toolChoice: { type: toolChoice } }),
    ...(maxTokens && { maxOutputTokens: maxTokens }),
    ...(form && {
      responseFormat: {
        type: 'json',
        ...(form.schema && { name: form.name, schema: form.schema }),
      },
    }),
  }
  return adapter.complete?.(chat) ?? chat
}

interface UserTurn {
  readonly role: 'user'
  readonly texts: string[]
  readonly files: Shown[]
}

interface AssistantTurn {
  readonly role: 'assistant'
  readonly texts: string[]
  readonly calls: {
    readonly id: string
    readonly name: string
    readonly input: unknown
    result: string | null
  }[]
  opaque: Opaque | undefined
}

type Turn = UserTurn | AssistantTurn

const inTurns = (messages: readonly Message[]): readonly Turn[] => {
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.role === 'tool') answerCall(turns.at(-1), message)
    else if (message.role === 'user')
      join(turns, { role: 'user', texts: getTexts(message), files: [...(message.files ?? [])] })
    else
      join(turns, {
        role: 'assistant',
        texts: getTexts(message),
        calls: message.calls.map((call) => ({ ...call, result: null })),
        opaque: message.opaque?.(),
      })
  }
  return withUserEnds(turns)
}

const getTexts = ({ content }: Message): string[] => (content.trim() ? [wellFormed(content)] : [])

const answerCall = (
  last: Turn | undefined,
  { call: id, content }: Extract<Message, { role: 'tool' }>,
): void => {
  const call =
    last?.role === 'assistant' &&
    last.calls.find((candidate) => candidate.id === id && candidate.result === null)
  if (call) call.result = content
}

/** Merges a turn into the last one if the role is the same. Skips empty turns. */
const join = (turns: Turn[], turn: Turn): void => {
  const last = turns.at(-1)
  if (turn.texts.length + (turn.role === 'user' ? turn.files : turn.calls).length === 0) return
  if (turn.role === 'user' && last?.role === 'user') {
    last.texts.push(...turn.texts)
    last.files.push(...turn.files)
  } else if (turn.role === 'assistant' && last?.role === 'assistant' && last.calls.length === 0) {
    last.texts.push(...turn.texts)
    last.calls.push(...turn.calls)
    last.opaque = turn.opaque
  } else turns.push(turn)
}

/** Some providers reject a talk that begins or ends with the model's message. */
const withUserEnds = (turns: readonly Turn[]): readonly Turn[] => {
  const [first] = turns
  const last = turns.at(-1)
  const userTurn = (text: string): UserTurn => ({ role: 'user', texts: [text], files: [] })
  return [
    ...(first?.role === 'user' ? [] : [userTurn('(What was said before is not shown.)')]),
    ...turns,
    ...(last?.role === 'assistant' && last.calls.length === 0 ? [userTurn('(Go on.)')] : []),
  ]
}

const toUser = ({ texts, files }: UserTurn, bytes: ReadonlyMap<Shown, Uint8Array>): ChatMessage => {
  // One text part instead of several, because small servers accept only a text.
  const words = texts.length > 0 ? [{ type: 'text', text: texts.join('\n\n') } as const] : []
  const fileParts = files.map((file) => ({
    type: 'file' as const,
    mediaType: file.mime,
    filename: wellFormed(file.name).slice(0, 200),
    // Never a string, because the library would fetch an address in it.
    data: bytes.get(file) ?? new Uint8Array(),
  }))
  return { role: 'user', content: [...fileParts, ...words] }
}

const toAssistant = (
  { texts, calls, opaque }: AssistantTurn,
  nextId: () => string,
): readonly ChatMessage[] => {
  const words = texts.length > 0 ? [{ type: 'text', text: texts.join('\n\n') } as const] : []
  const namedCalls = calls.map((call) => ({
    ...call,
    toolCallId: nextId(),
    toolName: allowedName(call.name),
  }))
  const callParts = namedCalls.map(({ toolCallId, toolName, input }) => ({
    type: 'tool-call' as const,
    toolCallId,
    toolName,
    input: isObject(input) ? input : {},
  }))
  const results = namedCalls.map(({ toolCallId, toolName, result }) => ({
    type: 'tool-result' as const,
    toolCallId,
    toolName,
    output: { type: 'text' as const, value: wellFormed(result?.trim() ? result : 'No result came.') },
  }))
  const message: ChatMessage = { role: 'assistant', content: [...words, ...callParts], ...carrying(opaque) }
  return results.length > 0 ? [message, { role: 'tool', content: results }] : [message]
}

/** Nine letters and digits satisfy the strictest provider. Original ids are replaced by numbers in order. */
const createIds = (): (() => string) => {
  let count = 0
  return () => `call${String(++count).padStart(5, '0')}`
}

const allowedName = (name: string): string =>
  name
    .replace(/[^\w-]/g, '_')
    .replace(/^[^a-zA-Z_]/, '_')
    .slice(0, 64) || '_'

const calledIn = (turns: readonly Turn[]): readonly ToolSpec[] => {
  const names = new Set(
    turns.flatMap((turn) =>
      turn.role === 'assistant' ? turn.calls.map(({ name }) => allowedName(name)) : [],
    ),
  )
  return [...names].map((name) => ({
    name,
    description: 'Not to be used now.',
    parameters: { type: 'object', properties: {} },
  }))
}

const toTool = ({ name, description, parameters }: ToolSpec) => ({
  type: 'function' as const,
  name,
  description: wellFormed(description),
  inputSchema: parameters,
})

/** Replaces lone surrogates, because some providers reject them. */
const wellFormed = (text: string): string =>
  /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text
