/**
 * Passes the answers of a chat through a mender before a library parses them: event streams line by line,
 * JSON in one piece. Unknown parts would otherwise end a stream that is complete.
 */
import type { Fields } from '../../kit/is-object.ts'
import type { Fetch } from '../../kit/network/network.ts'

export interface Mender {
  /** Mends one line without its line feed. */
  line(text: string): string
  /**
   * Returns the missing end of the stream. `isFramed`: the transfer itself proves that the end was intended.
   */
  end(isFramed: boolean): string
}

export interface Mending {
  createStream(): Mender
  whole(json: string): string
}

export const withMended =
  (fetch: Fetch, mendingOptions: Mending): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const { status, headers, body } = response
    if (!response.ok || !body) return response
    const type = headers.get('content-type') ?? ''
    if (type.includes('html')) return response
    if (!type.includes('json'))
      return new Response(body.pipeThrough(mendLines(mendingOptions.createStream(), isFramed(headers))), {
        status,
        headers,
      })
    const text = await response.text()
    // Some servers declare an event stream as JSON.
    const isStream = /^\s*(?:data|event|id)?:/.test(text)
    return new Response(
      isStream ? mendText(mendingOptions.createStream(), text) : mendingOptions.whole(text),
      {
        status,
        headers,
      },
    )
  }

/**
 * A chunked body ends with an empty chunk; without it, the connection broke. A body that ends with its
 * connection may be incomplete.
 */
const isFramed = (headers: Headers): boolean =>
  headers.get('transfer-encoding')?.toLowerCase().includes('chunked') ?? false

const mendText = (mender: Mender, text: string): string =>
  `${text
    .split('\n')
    .map((line) => mender.line(line))
    .join('\n')}${mender.end(true)}`

/** Not a generator: a generator that waits for the next chunk cannot be cancelled. */
const mendLines = (mender: Mender, isEventStream: boolean): TransformStream<Uint8Array, Uint8Array> => {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0)
        controller.enqueue(encoder.encode(lines.map((line) => `${mender.line(line)}\n`).join('')))
    },
    // Called only if the server ended the response. A broken connection is an error of the stream.
    flush(controller) {
      rest += decoder.decode()
      controller.enqueue(encoder.encode(`${mender.line(rest)}${mender.end(isEventStream)}`))
    },
  })
}

/** Returns the data of a line, or null if it has none. */
export const dataIn = (line: string): string | null => /^data:[ \t]*([^\r]*)/.exec(line)?.[1] ?? null

export const toEvent = (data: Fields): string => `\n\ndata: ${JSON.stringify(data)}\n\n`

/** Returns undefined for invalid JSON. */
export const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
