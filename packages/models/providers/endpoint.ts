/**
 * A provider's endpoint: which models it offers, whether it answers and takes the key, whether it knows a
 * model.
 */
import type { Slot } from '../../../journal/facts/fact-values.ts'
import { firstPrompt } from '../first-prompt.ts'
import { MindError } from '../mind.ts'
import { isSpokenTo, type Progress } from '../models.ts'
import { takesNothing } from '../prompt-files.ts'
import { type At, readAddress } from './address.ts'
import { type ChatCall, type ChatModel, openChatModel } from './chat-model.ts'
import { toChat } from './chat-prompt.ts'
import { type About, isMisread, refusalIn, troubleOf } from './failures.ts'
import { list } from './listing.ts'

/** All throw `MindError`, or the signal's reason. */
export interface Endpoint {
  names(at: At, signal?: AbortSignal): Promise<readonly string[]>
  prepare(slot: Slot, at: At, progress: (p: Progress) => void, signal?: AbortSignal): Promise<void>
  probe(at: At, signal?: AbortSignal): Promise<void>
}

/** `timeout`: how long a probe may take, in milliseconds. */
export const createEndpoint = (timeout: number): Endpoint => ({
  names: async (at, signal) => {
    const about = aboutOf(at)
    const listed = await list(about, signal)
    const { title, at: shown } = about.address
    if (listed === 'odd')
      throw new MindError(
        'unreachable',
        `${title} at ${shown} did not answer with a list of models. Check the address.`,
      )
    if (listed === 'absent')
      throw new MindError(
        'refused',
        `${title} at ${shown} does not tell which models it has. Type the name of one yourself.`,
      )
    return listed
  },

  prepare: async (slot, at, progress, signal) => {
    const about = aboutOf(at)
    const listed = await list(about, signal)
    // What an organ that is not spoken to can do is told when it is used, and lists leave out much of what
    // serves them.
    if (!isSpokenTo(slot)) return
    // Other servers list models that they serve without tools or streams, and lists without a key.
    const isOwn = about.address.service !== 'compatible'
    if (isOwn && Array.isArray(listed) && listed.includes(at.model)) return
    progress({ model: at.model, status: 'waking the model', completed: null, total: null })
    await oneWord(about, at.model, signal)
  },

  probe: async (at, signal) => {
    const about = aboutOf(at)
    const { service, title, at: shown } = about.address
    const late = new MindError(
      'unreachable',
      `${title} at ${shown} did not answer within ${timeout / 1000} s. It may go well again in a moment.`,
    )
    const listed = await within(timeout, late, signal, (both) => list(about, both))
    // A model that is not listed is not judged: many servers list few of what they serve, or none. But a
    // provider's own endpoint has a list.
    if (listed === 'odd' && service !== 'compatible')
      throw new MindError(
        'unreachable',
        `${title} at ${shown} did not answer as it should. Check whether this machine is online.`,
      )
  },
})

const aboutOf = (at: At): About => ({ address: readAddress(at), model: at.model, now: at.now })

/**
 * Asks as a turn does: streamed, with a tool. Any answer is one: a model that thinks first may use up all it
 * may say here.
 */
const oneWord = async (about: About, name: string, signal: AbortSignal | undefined): Promise<void> => {
  const model = await openChatModel(about.address, name)
  try {
    const chat = await toChat(firstPrompt, takesNothing, about.address, name)
    // Less is refused by some.
    await readWord(model, { ...chat, maxOutputTokens: 16, ...(signal ? { abortSignal: signal } : {}) })
  } catch (error) {
    signal?.throwIfAborted()
    const refusal = error instanceof Error ? refusalIn(error) : undefined
    if (refusal && /max_tokens or model output limit was reached/.test(refusal.body)) return
    throw troubleOf(error, about)
  }
}

/** As in a turn, a stream that is cut or cannot be read is asked for once more, whole. */
const readWord = async (model: ChatModel, asked: ChatCall): Promise<void> => {
  try {
    const { stream } = await model.doStream(asked)
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'finish' && part.finishReason.raw !== undefined) return
    }
  } catch (error) {
    if (!isMisread(error)) throw error
    asked.abortSignal?.throwIfAborted()
  }
  await model.doGenerate(asked)
}

// Not AbortSignal.timeout inside AbortSignal.any: Node 20 may collect it before it fires.
const within = async <T>(
  ms: number,
  late: MindError,
  signal: AbortSignal | undefined,
  work: (both: AbortSignal) => Promise<T>,
): Promise<T> => {
  const limit = new AbortController()
  const cut = () => limit.abort(signal?.reason)
  if (signal?.aborted) cut()
  signal?.addEventListener('abort', cut, { once: true })
  const timer = setTimeout(() => limit.abort(late), ms)
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cut)
  }
}
