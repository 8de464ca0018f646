/**
 * A provider's chat model. Makes one streamed call. If the stream breaks off or cannot be parsed, requests
 * the whole answer once.
 */
import type { Call } from '../../../facts/fact-values.ts'
import { isObject } from '../../kit/is-object.ts'
import { createAnswerText } from '../answer-text.ts'
import { createCallIds, toInput } from '../call-ids.ts'
import { type Mind, MindError, type Part, type Prompt, type Tokens } from '../mind.ts'
import type { Takes } from '../sense-models.ts'
import { toUsage } from './asking.ts'
import type { ChatAnswer, ChatCall, ChatModel, ChatPart } from './chat-model.ts'
import { toChat } from './chat-prompt.ts'
import { type About, findBlindness, invalidIn, isMisread, quote, toModelError } from './failures.ts'
import { opaqueIn } from './opaque.ts'
import { type KeptChats, keptChat } from './open-chat-model.ts'
import { getAdapter } from './provider-table.ts'
import { type At, readAddress } from './read-address.ts'
import type { RefusedTools } from './refused-tools.ts'

export interface CloudMindDeps {
  readonly at: At
  readonly takes: Takes
  readonly chats: KeptChats
  readonly tools: RefusedTools
  /** Called when the model refuses pictures although it was expected to accept them. */
  readonly onBlind: () => void
}

export const createCloudMind = ({ at, takes, chats, tools, onBlind }: CloudMindDeps): Mind => ({
  async *think(prompt, signal, maxCalls = 2) {
    signal.throwIfAborted()
    const address = readAddress(at)
    const context = { address, model: at.model, now: at.now }
    const model = await keptChat(chats, at, address)
    const { withCacheKey } = await getAdapter(address.service)
    const routing = at.cacheKey === undefined ? {} : withCacheKey?.(at.cacheKey)
    for (let calls = 1; ; calls++) {
      const fittedPrompt = tools.fitted(prompt)
      const chat = await toChat(fittedPrompt, takes, address, at.model)
      const chatCall = { ...chat, ...routing, abortSignal: signal }
      const first = createAnswer(fittedPrompt, context)
      try {
        signal.throwIfAborted()
        yield* readStream(model, chatCall, first)
        if (first.ended() || calls >= maxCalls) return yield* first.end(calls)
        calls++
        const second = createAnswer(fittedPrompt, context)
        yield* second.readAll(
          await askWhole(model, chatCall, first.getText() !== '', context),
          first.getText(),
        )
        return yield* second.end(calls)
      } catch (error) {
        signal.throwIfAborted()
        const refusal = calls < maxCalls && first.getText() === '' ? invalidIn(error) : undefined
        if (refusal !== undefined && tools.learn(refusal, prompt)) continue
        const blindness = prompt.messages.some(isShown) ? findBlindness(error, context) : undefined
        if (blindness) onBlind()
        const { kind, message, retryAfter, fault } = blindness ?? toModelError(error, context)
        throw new MindError(kind, message, { retryAfter, calls, fault })
      }
    }
  },
})

/** A stream that cannot be parsed ends here like one that broke off. */
async function* readStream(
  model: ChatModel,
  chatCall: ChatCall,
  answer: Answer,
): AsyncGenerator<Part, void, undefined> {
  try {
    const { stream } = await model.doStream(chatCall)
    for await (const part of stream) yield* answer.read(part)
  } catch (error) {
    if (!isMisread(error)) throw error
    chatCall.abortSignal?.throwIfAborted()
  }
}

/** If it breaks off twice, the address is still correct, so the error must not blame it. */
const askWhole = async (
  model: ChatModel,
  chatCall: ChatCall,
  hasSpoken: boolean,
  context: About,
): Promise<ChatAnswer> => {
  try {
    return await model.doGenerate(chatCall)
  } catch (error) {
    throw hasSpoken && isMisread(error) ? brokeOff(context) : error
  }
}

const isShown = (message: Prompt['messages'][number]): boolean =>
  message.role === 'user' && (message.files?.length ?? 0) > 0

type Finish = Extract<ChatPart, { type: 'finish' }>
type Asked = Pick<Extract<ChatPart, { type: 'tool-call' }>, 'toolName' | 'input'>

interface Answer {
  /** Throws the errors that the provider reports. */
  read(part: ChatPart): Generator<Part, void, undefined>
  /** Yields a whole answer, as a continuation of the text so far if possible. */
  readAll(answer: ChatAnswer, spokenText: string): Generator<Part, void, undefined>
  getText(): string
  /** Returns true after the end mark. */
  ended(): boolean
  /**
   * Yields the calls and the end. `requests`: number of requests to the provider. Throws `MindError` if the
   * text is not a valid answer.
   */
  end(requests: number): Generator<Part, void, undefined>
}

const createAnswer = (prompt: Prompt, context: About): Answer => {
  const answerText = createAnswerText(prompt.tools)
  const toolCalls: Asked[] = []
  let fullText = ''
  let finish: Pick<Finish, 'finishReason' | 'usage' | 'providerMetadata'> | undefined

  const getCalls = (): readonly Omit<Call, 'id'>[] => {
    const parsedCalls = toolCalls.map(({ toolName, input }) => ({ name: toolName, input: toInput(input) }))
    return [...parsedCalls, ...answerText.calls(parsedCalls)]
  }
  const speak = function* (text: string): Generator<Part, void, undefined> {
    fullText += text
    if (text) yield { type: 'words', text }
  }
  return {
    *read(part) {
      if (part.type === 'error') throw part.error
      const text = part.type === 'text-delta' ? answerText.next(part.delta) : ''
      if (answerText.takeVoided()) {
        fullText = ''
        yield { type: 'again' }
      }
      if (text) yield* speak(text)
      else if (part.type.endsWith('-delta')) yield { type: 'pulse' }
      if (part.type === 'tool-call' && !part.providerExecuted) toolCalls.push(part)
      if (part.type === 'finish') finish = part
    },
    *readAll({ content, finishReason, usage, providerMetadata }, spokenText) {
      const text =
        answerText.next(content.map((part) => (part.type === 'text' ? part.text : '')).join('')) +
        answerText.end()
      toolCalls.push(...content.filter((part) => part.type === 'tool-call'))
      // A whole answer is complete without a finish reason, unless it is empty.
      const { raw = text.trim() || getCalls().length > 0 ? 'whole' : undefined } = finishReason
      finish = {
        finishReason: { ...finishReason, raw },
        usage,
        ...(providerMetadata && { providerMetadata }),
      }
      if (text.startsWith(spokenText)) return yield* speak(text.slice(spokenText.length))
      yield { type: 'again' }
      yield* speak(text)
    },
    getText: () => fullText,
    ended: () => finish?.finishReason.raw !== undefined,
    *end(requests) {
      yield* speak(answerText.end())
      const calls = getCalls()
      judge(finish, fullText.trim() !== '' || calls.length > 0, context)
      const opaque = opaqueIn(finish?.providerMetadata)
      const nextId = createCallIds(prompt)
      for (const { name, input } of calls) {
        const call: Call = { id: nextId(), name, input }
        yield { type: 'call', call }
      }
      yield {
        type: 'end',
        usage: toTokens(finish?.usage),
        ...(requests > 1 ? { calls: requests } : {}),
        ...toCut(finish?.finishReason),
        ...(opaque && { opaque }),
      }
    },
  }
}

const toCut = (reason: Finish['finishReason'] | undefined) =>
  reason?.unified === 'length' ? { cut: true } : {}

/** An empty answer with an end mark is valid: the model may have said everything before its tool calls. */
const judge = (
  finish: Pick<Finish, 'finishReason' | 'providerMetadata'> | undefined,
  hasAnswer: boolean,
  context: About,
): void => {
  const { address, model } = context
  const { title, at } = address
  const reason = finish?.finishReason
  // If the model itself declined, it did so in text with an ordinary end.
  if (reason?.unified === 'content-filter' && reason.raw !== 'stop')
    throw new MindError(
      'refused',
      `${title} at ${at} did not let "${model}" answer this: its content filter stopped it${explainFilter(finish, address)}. Rephrase it, or choose another model.`,
    )
  if (reason?.unified === 'length' && !hasAnswer)
    throw new MindError(
      'refused',
      `"${model}" at ${at} reached its token limit before it answered. Ask for less at once, or choose a model with a larger context window.`,
    )
  if (reason?.raw === undefined || reason.unified === 'error' || (reason.unified !== 'stop' && !hasAnswer))
    throw brokeOff(context)
}

/**
 * Returns the provider's words in parentheses, or else the name of its reason. Sources:
 * platform.claude.com/docs/en/build-with-claude/handling-stop-reasons (`stop_details`) and
 * ai.google.dev/api/generate-content (`finishMessage`).
 */
const explainFilter = (
  finish: Pick<Finish, 'finishReason' | 'providerMetadata'> | undefined,
  address: About['address'],
): string => {
  const { anthropic, google } = finish?.providerMetadata ?? {}
  const details = isObject(anthropic?.stopDetails) ? anthropic.stopDetails : {}
  const texts = [details.explanation, google?.finishMessage, details.category, finish?.finishReason.raw]
  const text = texts.find((candidate) => typeof candidate === 'string' && candidate.trim() !== '')
  const quotedText = typeof text === 'string' ? quote(text, address) : ''
  return quotedText && ` (${quotedText})`
}

const brokeOff = ({ address: { at }, model }: About): MindError =>
  new MindError('unreachable', `"${model}" at ${at} broke off its answer. Try again in a moment.`)

/** Some libraries report 0 for an unknown count. */
const toTokens = (usage: Finish['usage'] | undefined): Tokens => {
  if (!usage?.inputTokens.total)
    return { input: null, output: usage?.outputTokens.total || null, cached: null }
  const { made: _, ...tokens } = toUsage({
    input: usage.inputTokens.total,
    output: usage.outputTokens.total,
    cached: usage.inputTokens.cacheRead,
    written: usage.inputTokens.cacheWrite,
  })
  return tokens
}
