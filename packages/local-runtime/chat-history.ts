/** Converts a prompt to the chat history of node-llama-cpp. The same messages give the same history. */
import type { Prompt } from '../models/mind.ts'
import { toGrammarSchema } from './grammar-schema.ts'
import type { HistoryItem, ToolForm } from './model-protocol.ts'

type Said = Extract<HistoryItem, { readonly type: 'model' }>['response'][number]

/** Calls and their results belong to the turn of the model that made them. */
export const toHistory = ({ system, messages }: Prompt): readonly HistoryItem[] => {
  const results = new Map(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.call, message.content]] : [])),
  )
  const history: HistoryItem[] = system ? [{ type: 'system', text: system }] : []
  for (const message of messages) {
    if (message.role === 'tool') continue
    if (message.role === 'user') {
      history.push({ type: 'user', text: message.content })
      continue
    }
    const response: Said[] = [
      ...(message.content ? [message.content] : []),
      ...message.calls.map(({ id, name, input }) => ({
        type: 'functionCall' as const,
        name,
        params: input,
        result: results.get(id) ?? 'There is no result.',
      })),
    ]
    const last = history.at(-1)
    if (last?.type === 'model')
      history[history.length - 1] = { ...last, response: [...last.response, ...response] }
    else history.push({ type: 'model', response })
  }
  return history
}

export const toTools = ({ tools }: Prompt): Readonly<Record<string, ToolForm>> =>
  Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      { description, params: toGrammarSchema(parameters) },
    ]),
  )
