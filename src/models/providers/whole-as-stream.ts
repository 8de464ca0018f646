/** A whole chat completion as the event stream that the caller asked for. */
import { isObject } from '../../is-object.ts'

/** Returns what is no chat completion unchanged. */
export const asEventStream = async (response: Response): Promise<Response> => {
  const text = await response.text()
  const { status } = response
  const chunk = toChunk(text)
  if (!chunk) return new Response(text, { status, headers: response.headers })
  return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
    status,
    headers: { 'content-type': 'text/event-stream' },
  })
}

const toChunk = (text: string): object | undefined => {
  try {
    const whole: unknown = JSON.parse(text)
    if (!isObject(whole) || !Array.isArray(whole.choices)) return undefined
    return { ...whole, object: 'chat.completion.chunk', choices: whole.choices.filter(isObject).map(toDelta) }
  } catch {
    return undefined
  }
}

const toDelta = ({ message, ...choice }: Readonly<Record<string, unknown>>): object => {
  const delta = isObject(message) ? message : {}
  const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isObject) : []
  const indexed = calls.map((call, index) => ({ ...call, index }))
  return { ...choice, delta: { ...delta, ...(calls.length > 0 && { tool_calls: indexed }) } }
}
