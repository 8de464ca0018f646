/** The answers and the embeddings of a local model. */
import { createAnswerText } from '../models/answer-text.ts'
import { createCallIds } from '../models/call-ids.ts'
import { type Embedded, markFor, type Purpose } from '../models/embedder.ts'
import { type Mind, MindError, type Part, type Prompt } from '../models/mind.ts'
import { readPromptFiles, takesNothing } from '../models/prompt-files.ts'
import { toHistory, toTools } from './chat-history.ts'
import { dropNulls, toGrammarSchema } from './grammar-schema.ts'
import type { LocalModelOptions } from './local-runtime.ts'
import type { ModelProcess, Request } from './model-process.ts'

export const createLocalMind = (
  process: ModelProcess,
  { model, cacheKey = '' }: LocalModelOptions,
): Mind => ({
  async *think(prompt, signal) {
    await readPromptFiles(prompt, takesNothing, `The local model "${model}"`)
    const request: Request = {
      type: 'chat',
      key: cacheKey,
      history: toHistory(prompt),
      tools: prompt.form ? {} : toTools(prompt),
      schema: prompt.form?.schema ? toGrammarSchema(prompt.form.schema) : null,
      maxTokens: prompt.maxTokens ?? null,
    }
    yield* toParts(process.request(request, signal), prompt, model)
  },
})

async function* toParts(
  replies: ReturnType<ModelProcess['request']>,
  prompt: Prompt,
  model: string,
): AsyncGenerator<Part, void, undefined> {
  const answerText = createAnswerText(prompt.tools)
  const nextId = createCallIds(prompt)
  const calls: { readonly name: string; readonly input: unknown }[] = []
  let hasWords = false
  for await (const reply of replies) {
    if (reply.type === 'pulse') yield { type: 'pulse' }
    if (reply.type === 'call') calls.push({ name: reply.name, input: toInput(reply, prompt) })
    if (reply.type === 'words') {
      const text = answerText.next(reply.text)
      if (answerText.takeVoided()) {
        hasWords = false
        yield { type: 'again' }
      }
      hasWords ||= text.trim() !== ''
      yield text ? { type: 'words', text } : { type: 'pulse' }
    }
    if (reply.type !== 'end') continue
    const text = answerText.end()
    hasWords ||= text.trim() !== ''
    if (text) yield { type: 'words', text }
    const allCalls = [...calls, ...answerText.calls(calls)]
    if (reply.cut && !hasWords && allCalls.length === 0)
      throw new MindError(
        'refused',
        `The local model "${model}" reached its token limit before it answered. Ask for less at once, or choose another model.`,
      )
    for (const call of allCalls) yield { type: 'call', call: { id: nextId(), ...call } }
    const { input, cached, output, cut } = reply
    yield { type: 'end', usage: { input, cached, output }, ...(cut && { cut }) }
  }
}

const toInput = (call: { readonly name: string; readonly input?: unknown }, { tools }: Prompt): unknown =>
  dropNulls(call.input ?? {}, tools.find(({ name }) => name === call.name)?.parameters)

interface EmbeddingModel {
  readonly process: ModelProcess
  readonly model: string
}

/** Throws `MindError`, or the signal's reason. */
export const embedLocally = async (
  { process, model }: EmbeddingModel,
  texts: readonly string[],
  purpose: Purpose,
  signal: AbortSignal,
): Promise<Embedded> => {
  const mark = markFor(model, purpose)
  const request: Request = { type: 'embed', texts: texts.map((text) => `${mark}${text}`) }
  for await (const reply of process.request(request, signal))
    if (reply.type === 'vectors') return { vectors: reply.vectors, tokens: reply.tokens }
  throw new MindError('unreachable', `The local model "${model}" did not answer.`)
}
