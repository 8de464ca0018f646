/** Converts a whole answer of a chat to the event stream that the caller requested. */
import { type Fields, isObject } from '../../kit/is-object.ts'
import { errorIn } from './error-in-answer.ts'
import { parse } from './mended-answers.ts'

/** Returns the response unchanged if it is not JSON or not an answer of a chat. */
export const asEventStream = async (response: Response): Promise<Response> => {
  const { status, headers } = response
  if (!headers.get('content-type')?.includes('json')) return response
  const text = await response.text()
  const events = toEvents(parse(text))
  if (!events) return new Response(text, { status, headers })
  return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
    status,
    headers: { 'content-type': 'text/event-stream' },
  })
}

const toEvents = (answer: unknown): readonly object[] | undefined => {
  if (!isObject(answer)) return undefined
  if (errorIn(answer) !== undefined) return [answer]
  if (Array.isArray(answer.choices))
    return [
      { ...answer, object: 'chat.completion.chunk', choices: answer.choices.filter(isObject).map(toDelta) },
    ]
  if (answer.object === 'response' && Array.isArray(answer.output)) return toResponseEvents(answer)
  return answer.type === 'message' && Array.isArray(answer.content) ? toAnthropicEvents(answer) : undefined
}

const toDelta = ({ message, ...choice }: Fields): object => {
  const delta = isObject(message) ? message : {}
  const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isObject) : []
  const indexedCalls = calls.map((call, index) => ({ ...call, index }))
  const reason = calls.length > 0 ? 'tool_calls' : delta.content || delta.refusal ? 'stop' : null
  return {
    ...choice,
    finish_reason: choice.finish_reason ?? reason,
    delta: { ...delta, ...(calls.length > 0 && { tool_calls: indexedCalls }) },
  }
}

const toResponseEvents = (response: Fields): readonly object[] => {
  const items = Array.isArray(response.output) ? response.output.filter(isObject) : []
  const end = response.status === 'completed' ? 'completed' : response.error ? 'failed' : 'incomplete'
  return [
    { type: 'response.created', sequence_number: 0, response },
    ...items.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      ...toTextEvents(item).map((text) => ({ item_id: item.id, output_index, ...text })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: `response.${end}`, sequence_number: 1, response },
  ]
}

const toTextEvents = ({ type, content, summary }: Fields): readonly object[] => {
  const list = type === 'message' ? content : type === 'reasoning' ? summary : undefined
  return (Array.isArray(list) ? list.filter(isObject) : []).flatMap(({ text, refusal }, index): object[] => {
    if (type === 'reasoning')
      return [
        { type: 'response.reasoning_summary_part.added', summary_index: index },
        { type: 'response.reasoning_summary_text.delta', summary_index: index, delta: text },
      ]
    return typeof refusal === 'string'
      ? [{ type: 'response.refusal.delta', content_index: index, delta: refusal }]
      : [{ type: 'response.output_text.delta', content_index: index, delta: text }]
  })
}

const toAnthropicEvents = ({
  content,
  usage,
  stop_reason,
  stop_details,
  ...message
}: Fields): readonly object[] => {
  const blocks = Array.isArray(content) ? content.filter(isObject) : []
  return [
    { type: 'message_start', message: { ...message, content: [], usage } },
    ...blocks.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      ...toDeltas(content_block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stop_reason ?? null, stop_details }, usage },
    { type: 'message_stop' },
  ]
}

/** The library reads the text of a block from its deltas, and the input of a call from its start. */
const toDeltas = ({ type, text, thinking, signature }: Fields): readonly object[] => {
  if (type === 'text') return [{ type: 'text_delta', text }]
  if (type !== 'thinking') return []
  return [
    { type: 'thinking_delta', thinking },
    { type: 'signature_delta', signature },
  ]
}
