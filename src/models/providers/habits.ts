/**
 * Servers that speak almost as OpenAI does, put right as their answers come in: some give the arguments of a
 * call as an object instead of its JSON.
 */
import type { Fetch } from '../../network/network.ts'

export const withHabits =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const { status, headers, body } = response
    if (!response.ok || !body) return response
    const type = headers.get('content-type') ?? ''
    if (type.includes('text/event-stream'))
      return new Response(body.pipeThrough(rightLines()), { status, headers })
    return type.includes('json') ? new Response(right(await response.text()), { status, headers }) : response
  }

/**
 * Line by line. Not a generator: one that waits for the next chunk cannot be told that nobody listens any
 * more.
 */
const rightLines = (): TransformStream<Uint8Array, Uint8Array> => {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0)
        controller.enqueue(encoder.encode(lines.map((line) => `${rightLine(line)}\n`).join('')))
    },
    flush(controller) {
      rest += decoder.decode()
      if (rest) controller.enqueue(encoder.encode(rightLine(rest)))
    },
  })
}

const rightLine = (line: string): string => {
  const [, mark = '', data = ''] = /^(data:\s*)(\{.*)$/s.exec(line) ?? []
  return mark ? `${mark}${right(data)}` : line
}

const right = (json: string): string => {
  if (!/"arguments"\s*:\s*\{/.test(json)) return json
  try {
    const told = JSON.parse(json)
    for (const { delta, message } of told.choices)
      for (const { function: made } of (delta ?? message)?.tool_calls ?? [])
        if (typeof made?.arguments === 'object') made.arguments = JSON.stringify(made.arguments)
    return JSON.stringify(told)
  } catch {
    return json
  }
}
