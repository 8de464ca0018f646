/**
 * Data that a model requires back in the next step of a turn: reasoning, signatures, encrypted items. A form
 * per protocol collects it from an answer and attaches it to the same answer in the next request.
 */
import { createHash } from 'node:crypto'
import type { Opaque } from '../mind.ts'
import type { ChatAnswer, ChatCall, ChatMessage, ChatModel, ChatPart } from './chat-model.ts'

/** The protocol of a request. Data of one protocol is never sent over another. */
export type Way = 'chat' | 'responses' | 'messages'

export type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>

export interface Collector {
  part(part: ChatPart): void
  whole(answer: ChatAnswer): void
  /** Returns JSON, or undefined if the answer had none. */
  data(): unknown
}

export interface OpaqueForm {
  readonly way: Way
  /** Whether `part` needs the raw chunks. */
  readonly readsRaw: boolean
  collect(): Collector
  /** Returns the message unchanged if the data has another form. */
  attach(message: AssistantMessage, data: unknown): AssistantMessage
}

/** Identifies the model of the data. It is sent only to that model. */
export const opaqueTag = (service: string, base: string, model: string, way: Way): string =>
  createHash('sha256')
    .update(JSON.stringify([service, base, model, way]))
    .digest('hex')

/** No library reads provider options of this name, so unattached data is not sent. */
const ownKey = 'daimon'

/** Returns options of an assistant message that pass its opaque data to `withOpaque`. */
export const carrying = (opaque: Opaque | undefined): Pick<AssistantMessage, 'providerOptions'> =>
  opaque ? { providerOptions: { [ownKey]: { opaque } as never } } : {}

export const opaqueIn = (metadata: ChatAnswer['providerMetadata']): Opaque | undefined =>
  metadata?.[ownKey]?.opaque as Opaque | undefined

export const withOpaque = (model: ChatModel, form: OpaqueForm, tag: string): ChatModel => {
  const attachAll = (call: ChatCall): ChatCall => ({
    ...call,
    prompt: call.prompt.map((message) => {
      if (message.role !== 'assistant') return message
      const opaque = opaqueIn(message.providerOptions)
      if (!opaque) return message
      const { [ownKey]: _, ...providerOptions } = message.providerOptions ?? {}
      const plain = { ...message, providerOptions }
      return opaque.for === tag ? form.attach(plain, opaque.data) : plain
    }),
  })
  const metadata = (collector: Collector, answerMetadata: ChatAnswer['providerMetadata']) => {
    const data = collector.data()
    return data === undefined
      ? {}
      : { providerMetadata: { ...answerMetadata, [ownKey]: { opaque: { for: tag, data } as never } } }
  }
  return {
    doStream: async (call) => {
      const collector = form.collect()
      const { stream, ...rest } = await model.doStream({
        ...attachAll(call),
        includeRawChunks: form.readsRaw,
      })
      const collecting = new TransformStream<ChatPart, ChatPart>({
        transform(part, controller) {
          collector.part(part)
          if (part.type === 'raw') return
          controller.enqueue(
            part.type === 'finish' ? { ...part, ...metadata(collector, part.providerMetadata) } : part,
          )
        },
      })
      return { ...rest, stream: stream.pipeThrough(collecting) }
    },
    doGenerate: async (call) => {
      const collector = form.collect()
      const answer = await model.doGenerate(attachAll(call))
      collector.whole(answer)
      return { ...answer, ...metadata(collector, answer.providerMetadata) }
    },
  }
}
