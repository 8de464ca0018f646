/**
 * A provider's endpoint: lists its models, checks the key, and tests a model.
 */
import type { Slot } from '../../../facts/fact-values.ts'
import { firstPrompt } from '../first-prompt.ts'
import { MindError } from '../mind.ts'
import { isSpokenTo, type Progress } from '../models.ts'
import { takesNothing } from '../prompt-files.ts'
import type { ChatCall, ChatModel } from './chat-model.ts'
import { toChat } from './chat-prompt.ts'
import { type About, isMisread, refusalIn, toModelError } from './failures.ts'
import { list } from './listing.ts'
import { openChatModel } from './open-chat-model.ts'
import { type At, readAddress } from './read-address.ts'

/** All throw `MindError`, or the signal's reason. */
export interface Endpoint {
  names(target: At, signal?: AbortSignal): Promise<readonly string[]>
  prepare(slot: Slot, target: At, progress: (p: Progress) => void, signal?: AbortSignal): Promise<void>
  probe(target: At, signal?: AbortSignal): Promise<void>
}

/** `timeout`: timeout of a probe in ms. */
export const createEndpoint = (timeout: number): Endpoint => ({
  names: async (target, signal) => {
    const context = toAbout(target)
    const models = await list(context, signal)
    const { title, at: shownAddress } = context.address
    if (models === 'odd')
      throw new MindError(
        'unreachable',
        `${title} at ${shownAddress} did not answer with a list of models. Check the address.`,
        { fault: 'address_wrong' },
      )
    if (models === 'absent')
      throw new MindError(
        'refused',
        `${title} at ${shownAddress} does not list its models. Type a name yourself.`,
        { fault: 'no_list' },
      )
    return models
  },

  prepare: async (slot, target, progress, signal) => {
    const context = toAbout(target)
    const models = await list(context, signal)
    // Models without a chat are not tested here, because lists omit many of them. Their errors appear at the
    // first use.
    if (!isSpokenTo(slot)) return
    // Compatible servers list models that they serve without tools or streams, and some list without a key.
    const isKnownProvider = context.address.service !== 'compatible'
    if (isKnownProvider && Array.isArray(models) && models.includes(target.model)) return
    progress({ model: target.model, status: 'waking the model', completed: null, total: null })
    await oneWord(context, target.model, signal)
  },

  probe: async (target, signal) => {
    const context = toAbout(target)
    const { service, title, at: shownAddress } = context.address
    const timeoutError = new MindError(
      'unreachable',
      `${title} at ${shownAddress} did not answer within ${timeout / 1000} s. Try again in a moment.`,
      { fault: 'unreachable' },
    )
    const models = await withTimeout(timeout, timeoutError, signal, (combinedSignal) =>
      list(context, combinedSignal),
    )
    // A missing model is not an error, because many servers list only some of their models, or none. But the
    // endpoint of a known provider must return a list.
    if (models === 'odd' && service !== 'compatible')
      throw new MindError(
        'unreachable',
        `${title} at ${shownAddress} did not answer as it should. Check whether this machine is online.`,
      )
  },
})

const toAbout = (target: At): About => ({
  address: readAddress(target),
  model: target.model,
  now: target.now,
})

/**
 * Sends a request like a turn: streamed, with a tool. Accepts any answer, because a model that thinks first
 * may use up the whole limit.
 */
const oneWord = async (context: About, name: string, signal: AbortSignal | undefined): Promise<void> => {
  const model = await openChatModel(context.address, name)
  try {
    const chat = await toChat(firstPrompt, takesNothing, context.address, name)
    // Some services reject a lower limit.
    await readWord(model, { ...chat, maxOutputTokens: 16, ...(signal ? { abortSignal: signal } : {}) })
  } catch (error) {
    signal?.throwIfAborted()
    const refusal = error instanceof Error ? refusalIn(error) : undefined
    if (refusal && /max_tokens or model output limit was reached/.test(refusal.body)) return
    throw toModelError(error, context)
  }
}

/** As in a turn, requests the whole answer once if the stream is cut off or cannot be parsed. */
const readWord = async (model: ChatModel, chatCall: ChatCall): Promise<void> => {
  try {
    const { stream } = await model.doStream(chatCall)
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'finish' && part.finishReason.raw !== undefined) return
    }
  } catch (error) {
    if (!isMisread(error)) throw error
    chatCall.abortSignal?.throwIfAborted()
  }
  await model.doGenerate(chatCall)
}

// Not AbortSignal.timeout inside AbortSignal.any: Node 20 may collect it before it fires.
const withTimeout = async <T>(
  ms: number,
  timeoutError: MindError,
  signal: AbortSignal | undefined,
  work: (combinedSignal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const limit = new AbortController()
  const abort = () => limit.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => limit.abort(timeoutError), ms)
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
