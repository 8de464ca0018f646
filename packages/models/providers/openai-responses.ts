/**
 * OpenAI's Responses API, for models that refuse tools, or all requests, on chat completions. The provider
 * stores nothing: reasoning arrives encrypted and is returned as opaque data. Source:
 * developers.openai.com/api/docs/guides/migrate-to-responses
 */
import type { Settings } from './adapter.ts'
import type { ChatCall, ChatModel, ChatPart } from './chat-model.ts'

type Finish = Extract<ChatPart, { type: 'finish' }>['finishReason']

export const openResponses = async (settings: Settings, name: string): Promise<ChatModel> => {
  const model = (await import('@ai-sdk/openai')).createOpenAI(settings).responses(name)
  const options = withoutReasoning.test(name)
    ? { store: false }
    : { store: false, include: ['reasoning.encrypted_content'] }
  const adapt = (call: ChatCall): ChatCall => ({
    ...call,
    // Tools are strict by default, but schemas of tool servers do not follow the rules of strict mode.
    ...(call.tools && {
      tools: call.tools.map((tool) => (tool.type === 'function' ? { ...tool, strict: false } : tool)),
    }),
    providerOptions: { ...call.providerOptions, openai: { ...call.providerOptions?.openai, ...options } },
  })
  return {
    doStream: async (call) => {
      const { stream, ...rest } = await model.doStream(adapt(call))
      return { ...rest, stream: stream.pipeThrough(withEndMark()) }
    },
    doGenerate: async (call) => {
      const answer = await model.doGenerate(adapt(call))
      return { ...answer, finishReason: withReason(answer.finishReason) }
    },
  }
}

/** These models refuse to return encrypted reasoning. */
const withoutReasoning = /^(?:ft:)?(?:chatgpt|gpt-[34])|-chat\b/

const withEndMark = () =>
  new TransformStream<ChatPart, ChatPart>({
    transform(part, controller) {
      controller.enqueue(
        part.type === 'finish' ? { ...part, finishReason: withReason(part.finishReason) } : part,
      )
    },
  })

/** A completed response has no reason. Without `response.completed`, the library reports `other`. */
const withReason = (reason: Finish): Finish =>
  reason.unified === 'other' || reason.unified === 'error' ? reason : { ...reason, raw: reason.raw ?? 'stop' }
