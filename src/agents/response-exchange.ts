/** Converts a request for a response to an exchange. */
import type { ResponseItem, ResponseRequest } from '../../facts/fact-values.ts'
import type { Attachments } from '../mind/prompt/caller-prompt.ts'
import { parseInput } from '../mind/prompt/lenient-json.ts'
import type { EndedResponse } from '../persona/rules/responses.ts'
import type { Exchange, ExchangeResult } from './api-chat.ts'
import type { SentMessage } from './open-steps.ts'

/** `attachments`: by the position of their message in the input. */
interface Content {
  readonly earlierItems: readonly ResponseItem[]
  readonly request: ResponseRequest
  readonly attachments?: ReadonlyMap<number, Attachments>
}

type ExchangeContent = Pick<Exchange, 'talk' | 'tools' | 'store' | 'form' | 'maxTokens'>

export const toExchange = ({ earlierItems, request, attachments }: Content): ExchangeContent => {
  const { input, instructions, tools, choice, parallel, format, maxTokens, remember } = request
  const hasTools = tools.length > 0
  const notes = [instructions, format && describeFormat(format)]
  return {
    talk: [
      ...notes.flatMap((content) => (content?.trim() ? [{ role: 'note', content } as const] : [])),
      ...toTalk(earlierItems, hasTools),
      ...toTalk(input, hasTools, attachments),
    ],
    tools: hasTools ? { specs: tools, choice, parallel } : undefined,
    store: remember,
    ...(format && {
      form: { name: format.name, ...(format.schema && { schema: format.schema }) },
    }),
    ...(maxTokens !== null && { maxTokens }),
  }
}

/** Max UTF-16 units of a schema in the note. */
const maxSchema = 8000

/** For models whose server does not support the form of an answer. */
const describeFormat = ({ schema }: NonNullable<ResponseRequest['format']>): string => {
  const schemaText = JSON.stringify(schema)
  const isShown = schema !== null && schemaText.length <= maxSchema
  return `Answer with one JSON object and nothing else.${isShown ? ` It matches this JSON Schema: ${schemaText}` : ''}`
}

const toTalk = (
  items: readonly ResponseItem[],
  hasTools: boolean,
  attachments: Content['attachments'] = new Map(),
): readonly SentMessage[] => {
  const talk: SentMessage[] = []
  for (const [n, item] of items.entries()) {
    if (item.type === 'call') {
      if (hasTools) addCall(talk, item)
    } else if (item.type === 'result')
      talk.push({ role: 'result', content: item.output, ...(hasTools && { call: item.call }) })
    else if (item.role === 'user')
      talk.push({ role: 'user', content: item.text, ...(attachments.get(n) ?? noAttachments) })
    else if (item.text.trim())
      talk.push({ role: item.role === 'assistant' ? 'assistant' : 'note', content: item.text })
  }
  return talk
}

const noAttachments: Attachments = { pictures: [], files: [] }

/** Joins calls with the text and the other calls of their answer. */
const addCall = (
  talk: SentMessage[],
  { call: id, name, arguments: text }: Extract<ResponseItem, { type: 'call' }>,
): void => {
  const call = { id, name, input: parseInput(text) }
  const last = talk.at(-1)
  if (last?.role !== 'calls' && last?.role !== 'assistant')
    return void talk.push({ role: 'calls', content: '', calls: [call] })
  const calls = last.role === 'calls' ? [...last.calls, call] : [call]
  talk.splice(-1, 1, { role: 'calls', content: last.content, calls })
}

/** `deltas`: the pieces in which the text was generated. They are stored only if they are the text. */
export const toEnded = (
  id: string,
  { text, calls, cut, tokens }: ExchangeResult,
  deltas: readonly string[],
): EndedResponse => ({
  id,
  status: cut && calls.length === 0 ? 'incomplete' : 'completed',
  text,
  // A model that was interrupted and answered with other words has streamed both.
  deltas: deltas.join('') === text ? deltas.map(({ length }) => length) : [],
  calls,
  tokens,
  error: null,
})
