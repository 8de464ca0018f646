/** A local model's chat: `/api/chat` streamed. */

import type { Call } from '../../../journal/facts/fact-values.ts'
import { isObject } from '../../kit/is-object.ts'
import type { Fetch } from '../../kit/network/network.ts'
import { createCallIds, toInput } from '../call-ids.ts'
import type { Message, Mind, Part, Prompt, Shown, Tokens, ToolSpec } from '../mind.ts'
import { readPromptFiles } from '../prompt-files.ts'
import { createSpokenWords } from '../spoken-words.ts'
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
  ): AsyncGenerator<Part, void, undefined> {
    const spokenWords = createSpokenWords()
    let said = ''
    for await (const line of ask(true)) {
      calls.read(line)
      const text = spokenWords.next(getText(line))
      if (spokenWords.takeVoided()) {
        said = ''
        yield { type: 'again' }
      }
      said += text
      if (text) yield { type: 'words', text }
      else if (line.done !== true) yield { type: 'pulse' }
      if (line.done !== true) continue
      const rest = spokenWords.end()
      if (rest) yield { type: 'words', text: rest }
      yield* finish(line, said + rest, calls)
      return
    }
    if (maxCalls < 2) throw brokeOff('')
    // The stream broke off. Request the whole answer once.
    calls.clear()
    const lines: Line[] = []
    for await (const line of ask(false)) lines.push(line)
    yield* afterAll(lines, said, calls)
  }

  /** Yields the whole answer, as a continuation of the text so far if possible. */
  function* afterAll(
    lines: readonly Line[],
    previousText: string,
    calls: CallReader,
  ): Generator<Part, void, undefined> {
    const last = lines.at(-1)
    if (!last || (last.done !== true && (lines.length > 1 || !last.message))) throw brokeOff(' twice')
    for (const line of lines) calls.read(line)
    const spokenWords = createSpokenWords()
    const text = spokenWords.next(lines.map(getText).join('')) + spokenWords.end()
    const continues = text.startsWith(previousText)
    if (!continues) yield { type: 'again' }
    const words = continues ? text.slice(previousText.length) : text
    if (words) yield { type: 'words', text: words }
    yield* finish(last, text, calls)
  }

  function* finish(line: Line, text: string, calls: CallReader): Generator<Part, void, undefined> {
    const cut = line.done_reason === 'length'
    const callParts = [...calls.end()]
    if (cut && text.trim() === '' && callParts.length === 0) throw new RuntimeError('refused', usedUp, 'line')
    yield* callParts
    yield { type: 'end', usage: toUsage(line), ...(cut && { cut }) }
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
      const body = {
        model: name,
        messages: toMessages(prompt, files),
        ...toLoadFields(settings, context),
        ...(prompt.form && { format: prompt.form }),
      }
      let requestCount = 0
      const ask = (fields: object) => (stream: boolean) => {
        requestCount++
        return runtime.lines({
          path: '/api/chat',
          body: { ...body, ...fields, stream },
          signal,
          fetch,
          model,
          isWrapped: name !== model,
        })
      }
      const withOrWithoutTools = async function* () {
        if (tools === false || prompt.tools.length === 0) return yield* answer(ask({}), calls, maxCalls)
        try {
          yield* answer(ask({ tools: prompt.tools.map(toTool) }), calls, maxCalls)
        } catch (error) {
          if (!refusesTools(error)) throw error
          descriptions.takesNoTools(runtime, name)
          yield* answer(ask({}), calls, maxCalls)
        }
      }
      try {
        for await (const part of withOrWithoutTools())
          yield part.type === 'end' && requestCount > 1 ? { ...part, calls: requestCount } : part
      } catch (error) {
        if (!(error instanceof RuntimeError)) throw error
        throw new RuntimeError(error.kind, error.message, error.status, error.retryAfter, requestCount)
      }
    },
  }
}

type Lines = ReturnType<Runtime['lines']>

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

export const refusesTools = (error: unknown): boolean =>
  isStatus(error, 400, 'line') && /does not support tools/.test(error.message)

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
  end(): Generator<Part, void, undefined>
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
    *end() {
      for (const call of calls) yield { type: 'call', call }
    },
  }
}
