/**
 * Mends answers of servers that speak almost as OpenAI does, chunk by chunk, so that an answer that is whole
 * in substance is neither lost nor asked for again.
 */
import { type Fields, isObject } from '../../is-object.ts'
import type { Fetch } from '../../network/network.ts'

export const withHabits =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const { status, headers, body } = response
    if (!response.ok || !body) return response
    const type = headers.get('content-type') ?? ''
    if (type.includes('text/event-stream'))
      return new Response(body.pipeThrough(mendLines()), { status, headers })
    return type.includes('json') ? new Response(mend(await response.text()), { status, headers }) : response
  }

/**
 * Line by line. Not a generator: a generator that waits for the next chunk cannot be cancelled.
 */
const mendLines = (): TransformStream<Uint8Array, Uint8Array> => {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const mender = createMender()
  let rest = ''
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0)
        controller.enqueue(encoder.encode(lines.map((line) => `${mender.line(line)}\n`).join('')))
    },
    // Reached only when the server ended its answer: a connection that broke is an error of the stream.
    flush(controller) {
      rest += decoder.decode()
      controller.enqueue(encoder.encode(`${mender.line(rest)}${mender.end()}`))
    },
  })
}

interface Call {
  readonly index: number
  readonly id: string | null
  arguments: string
}

const createMender = () => {
  const calls: Call[] = []
  let hasContent = false
  let isFinished = false
  // A server that names finish reasons and gives none was cut off; one that never names them was not.
  let namesReasons = false

  const findCall = ({ index, id, function: made }: Fields): Call => {
    const name = isObject(made) ? made.name : undefined
    const known =
      typeof index === 'number'
        ? calls.find((call) => call.index === index)
        : typeof id === 'string' && id !== ''
          ? calls.find((call) => call.id === id)
          : name
            ? undefined
            : calls.at(-1)
    if (known) return known
    const at = typeof index === 'number' ? index : calls.length
    const call = { index: at, id: typeof id === 'string' && id !== '' ? id : `call_${at}`, arguments: '' }
    calls.push(call)
    return call
  }
  const mendCall = (call: Fields): Fields => {
    const known = findCall(call)
    const made = withText(isObject(call.function) ? call.function : {})
    const isFirst = known.arguments === '' && Boolean(made.name)
    known.arguments += String(made.arguments ?? '')
    return { ...call, index: known.index, ...(isFirst && { id: known.id }), function: made }
  }
  const mendChoice = (choice: Fields): Fields => {
    const reason = typeof choice.finish_reason === 'string' ? choice.finish_reason || null : null
    if (reason !== null) isFinished = true
    if ('finish_reason' in choice) namesReasons = true
    const delta = isObject(choice.delta) ? choice.delta : {}
    if (delta.content) hasContent = true
    const made = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isObject).map(mendCall) : []
    const { tool_calls: _, role: __, ...plain } = delta
    const mended = made.length > 0 ? { ...plain, tool_calls: made } : plain
    return { ...choice, finish_reason: reason, delta: mended }
  }
  const chunk = (told: Fields): Fields => {
    if (told.error !== undefined && told.error !== null) {
      isFinished = true
      return told
    }
    const { error: _, ...plain } = told
    const choices = Array.isArray(told.choices) ? told.choices.filter(isObject) : []
    return { ...plain, choices: choices.map(mendChoice) }
  }
  /** What a finish reason would have said. Nothing for half a call: that answer is incomplete. */
  const end = (): string => {
    const isWhole = calls.every((call) => parse(call.arguments || '{}') !== undefined)
    if (isFinished || !isWhole || !(hasContent || calls.length > 0)) return ''
    isFinished = true
    const choice = { index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }
    return `\ndata: ${JSON.stringify({ choices: [choice] })}\n\n`
  }
  const line = (text: string): string => {
    const [, data] = /^data:[ \t]*([^\r]*)/.exec(text) ?? []
    if (data === undefined) return text
    if (data.trim() === '[DONE]') return `${end()}${text}`
    const told = parse(data)
    if (isObject(told)) return `data: ${JSON.stringify(chunk(told))}`
    // A keep-alive: no chunk was begun.
    return data.startsWith('{') ? text : ':'
  }
  return { line, end: () => (namesReasons ? '' : end()) }
}

const withText = (made: Fields): Fields =>
  isObject(made.arguments) ? { ...made, arguments: JSON.stringify(made.arguments) } : made

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** A whole answer whose calls have their arguments as an object. */
const mend = (json: string): string => {
  if (!/"arguments"\s*:\s*\{/.test(json)) return json
  const told = parse(json)
  if (!isObject(told) || !Array.isArray(told.choices)) return json
  const choices = told.choices.filter(isObject).map((choice) => {
    const message = isObject(choice.message) ? choice.message : {}
    if (!Array.isArray(message.tool_calls)) return choice
    const calls = message.tool_calls
      .filter(isObject)
      .map((call) => ({ ...call, function: withText(isObject(call.function) ? call.function : {}) }))
    return { ...choice, message: { ...message, tool_calls: calls } }
  })
  return JSON.stringify({ ...told, choices })
}
