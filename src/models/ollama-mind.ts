/** A local model as a mind: `/api/chat` streamed, with a context as large as the prompt needs. */
import type { Call, Usage } from '../../journal/events.ts'
import type { Message, Mind, Part, Prompt, ToolSpec } from './mind.ts'
import type { Fetch } from './network.ts'
import type { Descriptions } from './ollama-descriptions.ts'
import { isStatus, type Line, type Runtime, RuntimeError } from './ollama-runtime.ts'
import { createSpokenWords } from './spoken-words.ts'

export interface OllamaMindDeps {
  readonly runtime: Runtime
  readonly fetch: Fetch
  readonly descriptions: Descriptions
  /** The model as the person knows it, and the name it is called by. */
  readonly model: string
  readonly name: string
}

export const createOllamaMind = ({ runtime, fetch, descriptions, model, name }: OllamaMindDeps): Mind => {
  const chat = (body: object, signal: AbortSignal) => ({ path: '/api/chat', body, signal, fetch, model, wrapped: name !== model })

  async function* answer(body: object, calls: CallReader, signal: AbortSignal): AsyncGenerator<Part, void, undefined> {
    const spoken = createSpokenWords()
    let said = ''
    for await (const line of runtime.lines(chat({ ...body, stream: true }, signal))) {
      calls.read(line)
      const text = spoken.next(wordsOf(line))
      said += text
      if (text) yield { type: 'words', text }
      if (line.done !== true) continue
      const rest = spoken.end()
      if (rest) yield { type: 'words', text: rest }
      yield* calls.end()
      yield { type: 'end', usage: usageOf(line) }
      return
    }
    // Cut off without its end mark: asked once more, whole.
    calls.clear()
    const lines = await runtime.all(chat({ ...body, stream: false }, signal))
    yield* afterAll(lines, said, calls)
  }

  /** The whole answer, told so that it continues what was said before where it can. */
  function* afterAll(lines: readonly Line[], said: string, calls: CallReader): Generator<Part, void, undefined> {
    const last = lines.at(-1)
    if (!last || (last.done !== true && (lines.length > 1 || !last.message))) {
      throw new RuntimeError('unreachable', `${runtime.at} broke off its answer twice. Its own log may say why.`, 'line', undefined, 2)
    }
    for (const line of lines) calls.read(line)
    const spoken = createSpokenWords()
    const text = lines.map((line) => spoken.next(wordsOf(line))).join('') + spoken.end()
    const continues = text.startsWith(said)
    if (!continues) yield { type: 'again' }
    const words = continues ? text.slice(said.length) : text
    if (words) yield { type: 'words', text: words }
    yield* calls.end()
    yield { type: 'end', usage: usageOf(last) }
  }

  return {
    async *think(prompt, signal) {
      const { context, tools } = await descriptions.of(runtime, name, signal)
      const calls = createCallReader(prompt)
      const body = { model: name, messages: toMessages(prompt), options: { num_ctx: contextFor(prompt, context) } }
      if (tools === false || prompt.tools.length === 0) return yield* answer(body, calls, signal)
      try {
        yield* answer({ ...body, tools: prompt.tools.map(toTool) }, calls, signal)
      } catch (error) {
        if (!isStatus(error, 400, 'line') || !/does not support tools/.test(error.message)) throw error
        descriptions.takesNoTools(runtime, name)
        yield* answer(body, calls, signal)
      }
    },
  }
}

const least = 4096
/** While the model's limit is not told: what a machine at home can be expected to hold. */
const most = 32_768
const roomToAnswer = 2048

/** In tokens, as a power of two: at three bytes a token the prompt is never taken for smaller than it is, and a runtime reloads the model at every other size. */
const contextFor = (prompt: Prompt, limit: number | null): number => {
  const needed = Math.ceil(Buffer.byteLength(JSON.stringify(prompt)) / 3) + roomToAnswer
  return Math.min(Math.max(least, 2 ** Math.ceil(Math.log2(needed))), limit ?? most)
}

const toMessages = ({ system, messages }: Prompt) => [...(system ? [{ role: 'system', content: system }] : []), ...messages.map(toMessage)]

const toMessage = (message: Message) => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.content }
    case 'assistant': {
      const tool_calls = message.calls.map(({ name, input }) => ({ function: { name, arguments: isObject(input) ? input : {} } }))
      return { role: 'assistant', content: message.content, ...(tool_calls.length > 0 ? { tool_calls } : {}) }
    }
    case 'tool':
      return { role: 'tool', content: message.content, tool_name: message.name }
  }
}

const toTool = ({ name, description, parameters }: ToolSpec) => ({ type: 'function', function: { name, description, parameters } })

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Thinking comes beside the words, and is not said. */
const wordsOf = ({ message }: Line): string => (isObject(message) && typeof message.content === 'string' ? message.content : '')

const usageOf = ({ prompt_eval_count: input, eval_count: output }: Line): Usage => ({ input: count(input), output: count(output) })

const count = (value: unknown) => (Number.isInteger(value) ? (value as number) : null)

interface CallReader {
  read(line: Line): void
  clear(): void
  end(): Generator<Part, void, undefined>
}

/** Calls get ids of ours: not every runtime gives one, and they must differ within a prompt. */
const createCallReader = (prompt: Prompt): CallReader => {
  const before = prompt.messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
  const first = Math.max(0, ...before.map(({ id }) => Number(/^call-(\d+)$/.exec(id)?.[1] ?? 0))) + 1
  let calls: Call[] = []
  return {
    read: ({ message }) => {
      const made = isObject(message) && Array.isArray(message.tool_calls) ? message.tool_calls : []
      for (const { function: asked } of made.filter(isObject)) {
        if (!isObject(asked) || typeof asked.name !== 'string' || !asked.name) continue
        calls.push({ id: `call-${first + calls.length}`, name: asked.name, input: toInput(asked.arguments) })
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

/** Arguments that are no JSON are handed on as they are: the tool's own refusal tells the model best. */
const toInput = (given: unknown): unknown => {
  if (typeof given !== 'string') return given ?? {}
  try {
    return JSON.parse(given || '{}')
  } catch {
    return given
  }
}
