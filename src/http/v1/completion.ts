/** Shapes of the completions of the OpenAI-compatible API, whole or in chunks. */
import * as z from 'zod'
import type { ExchangeResult } from '../../agents/api-chat.ts'

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
  .enum(['stop', 'length'])
  .describe('`length`: the answer ends at the limit of the model behind the persona.')
const getFinishReason = ({ cut }: ExchangeResult): z.infer<typeof FinishReason> => (cut ? 'length' : 'stop')

export const ChatCompletion = z
  .object({
    ...completionInfo,
    object: z.literal('chat.completion'),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
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
        delta: z.object({ role: z.literal('assistant').optional(), content: z.string().optional() }),
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
      message: { role: 'assistant', content: exchange.text, refusal: null },
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
      choice({}, getFinishReason(exchange)),
      ...(withUsage ? [chunk([], toUsage(exchange))] : []),
    ],
  }
}
