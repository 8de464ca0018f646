/** A local model's chat: `/api/chat` streamed. */

import type { Call } from '../../../facts/fact-values.ts'
import { isObject } from '../../kit/is-object.ts'
import type { Fetch } from '../../kit/network/network.ts'
import { type AnswerText, createAnswerText } from '../answer-text.ts'
import { createCallIds, toInput } from '../call-ids.ts'
import type { Message, Mind, Part, Prompt, Shown, Tokens, ToolSpec } from '../mind.ts'
import { readPromptFiles } from '../prompt-files.ts'
import type { Descriptions } from './descriptions.ts'
import { type LocalSettings, toLoadFields } from './local-settings.ts'
import { isStatus, type Line, type Runtime, RuntimeError } from './runtime.ts'

export interface OllamaMindDeps {
  readonly runtime: Runtime
  readonly fetch: Fetch
  readonly descriptions: Descriptions
  /** The user's name of the model. `name`: its name on the runtime. */
  readonly model: string
  readonly name: string
  readonly settings: LocalSettings
}

export const createOllamaMind = ({
  runtime,
  fetch,
  descriptions,
  model,
  name,
  settings,
}: OllamaMindDeps): Mind => {
  const usedUp = `"${model}" at ${runtime.at} reached its token limit before it answered. Ask for less at once, or choose a model with a larger context window.`
  const brokeOff = (suffix: string) =>
    new RuntimeError('unreachable', `${runtime.at} broke off its answer${suffix}. See its log.`, 'line')

  async function* answer(
    ask: (stream: boolean) => Lines,
    calls: CallReader,
    maxCalls: number,
    offeredTools: readonly ToolSpec[],
  ): AsyncGenerator<Part, void, undefined> {
    const answerText = createAnswerText(offeredTools)
    let spokenText = ''
    for await (const line of ask(true)) {
      calls.read(line)
      const text = answerText.next(getText(line))
      if (answerText.takeVoided()) {
        spokenText = ''
        yield { type: 'again' }
      }
      spokenText += text
      if (text) yield { type: 'words', text }
      else if (line.done !== true) yield { type: 'pulse' }
      if (line.done !== true) continue
      const rest = answerText.end()
      if (rest) yield { type: 'words', text: rest }
      yield* finish(line, spokenText + rest, calls.end(answerText))
      return
    }
    if (maxCalls < 2) throw brokeOff('')
    // The stream broke off. Request the whole answer once.
    calls.clear()
    const lines: Line[] = []
    for await (const line of ask(false)) lines.push(line)
    yield* afterAll(lines, spokenText, calls, createAnswerText(offeredTools))
  }

  /** Yields the whole answer, as a continuation of the text so far if possible. */
  function* afterAll(
    lines: readonly Line[],
    previousText: string,
    calls: CallReader,
    answerText: AnswerText,
  ): Generator<Part, void, undefined> {
    const last = lines.at(-1)
    if (!last || (last.done !== true && (lines.length > 1 || !last.message))) throw brokeOff(' twice')
    for (const line of lines) calls.read(line)
    const text = answerText.next(lines.map(getText).join('')) + answerText.end()
    const continues = text.startsWith(previousText)
    if (!continues) yield { type: 'again' }
    const words = continues ? text.slice(previousText.length) : text
    if (words) yield { type: 'words', text: words }
    yield* finish(last, text, calls.end(answerText))
  }

  function* finish(line: Line, text: string, calls: readonly Call[]): Generator<Part, void, undefined> {
    const isCutOff = line.done_reason === 'length'
    if (isCutOff && text.trim() === '' && calls.length === 0)
      throw new RuntimeError('refused', usedUp, 'line')
    for (const call of calls) yield { type: 'call', call }
    yield { type: 'end', usage: toUsage(line), ...(isCutOff && { cut: isCutOff }) }
  }

  return {
    async *think(prompt, signal, maxCalls = 2) {
      const { context, tools, images } = await descriptions.describe(runtime, name, signal)
      const calls = createCallReader(prompt)
      const files = await readPromptFiles(
        prompt,
        { images: images !== false, documents: false },
        `The model "${model}" at ${runtime.at}`,
      )
      const { options, ...loadFields } = toLoadFields(settings, context)
      const body = {
        model: name,
        messages: toMessages(prompt, files),
        options: { ...options, ...(prompt.maxTokens && { num_predict: prompt.maxTokens }) },
        ...loadFields,
      }
      let requestCount = 0
      const send = (fields: object) => {
        requestCount++
        return runtime.lines({
          path: '/api/chat',
          body: { ...body, ...fields },
          signal,
          fetch,
          model,
          isWrapped: name !== model,
        })
      }
      /** `formats`: the next one is requested if the runtime refuses the previous one. */
      const ask = (fields: object, formats: readonly unknown[]) =>
        async function* (stream: boolean) {
          for (const [n, format] of formats.entries())
            try {
              return yield* send({ ...fields, stream, ...(format !== undefined && { format }) })
            } catch (error) {
              if (n === formats.length - 1 || !refusesSchema(error)) throw error
              requestCount--
            }
        }
      const withoutTools = () => answer(ask({}, answerFormats(prompt)), calls, maxCalls, [])
      const withOrWithoutTools = async function* () {
        if (tools === false || prompt.tools.length === 0) return yield* withoutTools()
        try {
          const formats = prompt.toolChoice === 'required' ? callFormats(prompt.tools) : answerFormats(prompt)
          yield* answer(ask({ tools: prompt.tools.map(toTool) }, formats), calls, maxCalls, prompt.tools)
        } catch (error) {
          if (!refusesTools(error)) throw error
          descriptions.takesNoTools(runtime, name)
          yield* withoutTools()
        }
      }
      try {
        for await (const part of withOrWithoutTools())
          yield part.type === 'end' && requestCount > 1 ? { ...part, calls: requestCount } : part
      } catch (error) {
        if (!(error instanceof RuntimeError)) throw error
        const { kind, message, status, retryAfter, fault } = error
        throw new RuntimeError(kind, message, status, { retryAfter, calls: requestCount, fault })
      }
    },
  }
}

type Lines = AsyncGenerator<Line, void, undefined>

type Bytes = ReadonlyMap<Shown, Uint8Array>

const toMessages = ({ system, messages }: Prompt, files: Bytes) => [
  ...(system ? [{ role: 'system', content: system }] : []),
  ...messages.map((message) => toMessage(message, files)),
]

const toMessage = (message: Message, files: Bytes) => {
  switch (message.role) {
    case 'user': {
      const images = (message.files ?? []).map((file) =>
        Buffer.from(files.get(file) ?? []).toString('base64'),
      )
      return { role: 'user', content: message.content, ...(images.length > 0 ? { images } : {}) }
    }
    case 'assistant': {
      const tool_calls = message.calls.map(({ name, input }) => ({
        function: { name, arguments: isObject(input) ? input : {} },
      }))
      return { role: 'assistant', content: message.content, ...(tool_calls.length > 0 ? { tool_calls } : {}) }
    }
    case 'tool':
      return { role: 'tool', content: message.content, tool_name: message.name }
  }
}

const answerFormats = ({ form }: Prompt): readonly unknown[] =>
  form ? [...(form.schema ? [form.schema] : []), 'json'] : [undefined]

/**
 * Ollama has no `tool_choice`. An answer in the form of a call is read like a call that a model writes as
 * text. The second form is for tools whose schema the runtime does not accept.
 */
const callFormats = (tools: readonly ToolSpec[]): readonly unknown[] => {
  const toForm = (names: readonly string[], parameters: object) => ({
    type: 'object',
    properties: { name: { type: 'string', enum: names }, arguments: parameters },
    required: ['name', 'arguments'],
  })
  const forms = tools.map(({ name, parameters }) => toForm([name], parameters))
  const names = tools.map(({ name }) => name)
  return [forms.length === 1 ? forms[0] : { anyOf: forms }, toForm(names, { type: 'object' }), undefined]
}

export const refusesTools = (error: unknown): boolean =>
  isStatus(error, 400, 'line') && /does not support tools/.test(error.message)

/** Runtimes before 0.5 accept no schema, others cannot convert some of them to a grammar. */
const refusesSchema = (error: unknown): boolean =>
  isStatus(error, 400, 500) && /\b(?:format|grammar|schema)\b/i.test(error.message)

export const toTool = ({ name, description, parameters }: ToolSpec) => ({
  type: 'function',
  function: { name, description, parameters },
})

/** Ignores the separate field for thinking. */
const getText = ({ message }: Line): string =>
  isObject(message) && typeof message.content === 'string' ? message.content : ''

const toUsage = ({ prompt_eval_count: input, eval_count: output }: Line): Tokens => ({
  input: count(input),
  output: count(output),
})

const count = (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null

interface CallReader {
  read(line: Line): void
  clear(): void
  /** Returns the parsed calls, then those in the text. */
  end(answerText: AnswerText): readonly Call[]
}

const createCallReader = (prompt: Prompt): CallReader => {
  const nextId = createCallIds(prompt)
  let calls: Call[] = []
  return {
    read: ({ message }) => {
      const toolCalls = isObject(message) && Array.isArray(message.tool_calls) ? message.tool_calls : []
      for (const { function: call } of toolCalls.filter(isObject)) {
        if (!isObject(call) || typeof call.name !== 'string' || !call.name) continue
        calls.push({ id: nextId(), name: call.name, input: toInput(call.arguments) })
      }
    },
    clear: () => {
      calls = []
    },
    end: (answerText) => [...calls, ...answerText.calls(calls).map((call) => ({ id: nextId(), ...call }))],
  }
}
