/** Shapes of the completions of the OpenAI-compatible API, whole or in chunks. */
import * as z from 'zod'
import type { ExchangeResult } from '../../agents/api-chat.ts'
import type { ClientCall } from '../../agents/client-tools.ts'

const Usage = z
  .object({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
    prompt_tokens_details: z.object({ cached_tokens: z.int() }),
  })
  .meta({ id: 'CompletionUsage' })

const completionInfo = {
  id: z.string(),
  created: z.int().describe('Seconds since 1970.'),
  model: z.string().describe('The id of the persona.'),
}

const FinishReason = z
  .enum(['stop', 'length', 'tool_calls'])
  .describe(
    '`length`: the answer ends at the limit of the model behind the persona. `tool_calls`: the client runs the calls and sends the results.',
  )
const getFinishReason = ({ cut, calls }: ExchangeResult): z.infer<typeof FinishReason> =>
  calls.length > 0 ? 'tool_calls' : cut ? 'length' : 'stop'

const ToolCall = z
  .object({
    id: z.string(),
    type: z.literal('function'),
    function: z.object({ name: z.string(), arguments: z.string().describe('JSON.') }),
  })
  .meta({ id: 'ChatToolCall' })

const toToolCall = ({ id, name, arguments: text }: ClientCall): z.input<typeof ToolCall> => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})

export const ChatCompletion = z
  .object({
    ...completionInfo,
    object: z.literal('chat.completion'),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string().nullable().describe('Null if there are only calls.'),
          refusal: z.null(),
          tool_calls: z.array(ToolCall).optional(),
        }),
        logprobs: z.null(),
        finish_reason: FinishReason,
      }),
    ),
    usage: Usage,
  })
  .meta({ id: 'ChatCompletion' })

export const ChatCompletionChunk = z
  .object({
    ...completionInfo,
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.object({
        index: z.int(),
        delta: z.object({
          role: z.literal('assistant').optional(),
          content: z.string().optional(),
          tool_calls: z
            .array(
              z.object({
                index: z.int(),
                id: z.string().optional(),
                type: z.literal('function').optional(),
                function: z.object({ name: z.string().optional(), arguments: z.string() }),
              }),
            )
            .optional(),
        }),
        logprobs: z.null(),
        finish_reason: FinishReason.nullable(),
      }),
    ),
    usage: Usage.nullable()
      .optional()
      .describe('Only with `stream_options.include_usage`: in the last chunk, null before.'),
  })
  .meta({ id: 'ChatCompletionChunk' })
type Chunk = z.input<typeof ChatCompletionChunk>

export interface About {
  readonly id: string
  readonly created: number
  readonly model: string
}

const toUsage = ({ tokens: { input, output, cached } }: ExchangeResult): z.input<typeof Usage> => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
})

export const toCompletion = (info: About, exchange: ExchangeResult): z.input<typeof ChatCompletion> => ({
  ...info,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: exchange.text || exchange.calls.length === 0 ? exchange.text : null,
        refusal: null,
        ...(exchange.calls.length > 0 && { tool_calls: exchange.calls.map(toToolCall) }),
      },
      logprobs: null,
      finish_reason: getFinishReason(exchange),
    },
  ],
  usage: toUsage(exchange),
})

/** Creates the chunks of one completion. */
export const createChunks = (info: About, withUsage: boolean) => {
  const chunk = (choices: Chunk['choices'], usage: Chunk['usage'] = null): Chunk => ({
    ...info,
    object: 'chat.completion.chunk',
    choices,
    ...(withUsage ? { usage } : {}),
  })
  const choice = (
    delta: Chunk['choices'][number]['delta'],
    finish_reason: z.infer<typeof FinishReason> | null = null,
  ) => chunk([{ index: 0, delta, logprobs: null, finish_reason }])
  return {
    first: choice({ role: 'assistant', content: '' }),
    words: (content: string) => choice({ content }),
    last: (exchange: ExchangeResult): readonly Chunk[] => [
      ...exchange.calls.flatMap((call, index) => {
        const { id, type, function: called } = toToolCall(call)
        const { name, arguments: text } = called
        return [
          choice({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
          choice({ tool_calls: [{ index, function: { arguments: text } }] }),
        ]
      }),
      choice({}, getFinishReason(exchange)),
      ...(withUsage ? [chunk([], toUsage(exchange))] : []),
    ],
  }
}
