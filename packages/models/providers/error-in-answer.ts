/** Detects errors inside responses with a success status. */
import { type Fields, isObject } from '../../kit/is-object.ts'
import { dataIn, parse } from './mended-answers.ts'

/**
 * Returns the error of an event or a body, or undefined. vLLM marks it as an object of the type `error`,
 * FastAPI puts it under `detail`, some gateways under `message`.
 */
export const errorIn = (body: Fields): unknown => {
  const { error, object, message, detail, choices } = body
  if (error !== undefined && error !== null) return error
  if (Array.isArray(choices) || 'usage' in body) return undefined
  if (object === 'error') return { message }
  const words = [detail, message].find((words) => typeof words === 'string' && words !== '')
  return words === undefined ? undefined : { message: words }
}

/** Max UTF-16 units read to find the first event. */
const maxHeld = 65_536

export interface Beginning {
  /** The response with its whole body, including the part that was read. */
  readonly response: Response
  /** The received text if the response begins with an error. */
  readonly refusal: string | undefined
}

/** Waits for the first event of a stream, or for the whole body of a JSON response. */
export const readBeginning = async (response: Response): Promise<Beginning> => {
  const { status, headers } = response
  const type = headers.get('content-type') ?? ''
  if (type.includes('json')) {
    const text = await response.text()
    return { response: new Response(text, { status, headers }), refusal: refusalIn(text) }
  }
  if (!response.body || !type.includes('text/event-stream')) return { response, refusal: undefined }
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  const decoder = new TextDecoder()
  let text = ''
  let data: string | undefined
  for (let isDone = false; !isDone && data === undefined && text.length < maxHeld; ) {
    const read = await reader.read()
    isDone = read.done
    if (read.value) chunks.push(read.value)
    text += decoder.decode(read.value, { stream: !isDone })
    data = firstData(isDone ? `${text}\n` : text)
  }
  return { response: new Response(rejoin(chunks, reader), { status, headers }), refusal: refusalIn(data) }
}

const refusalIn = (json: string | undefined): string | undefined => {
  const event = json === undefined ? undefined : parse(json)
  return isObject(event) && errorIn(event) !== undefined ? json : undefined
}

/** Uses only complete lines. Keep-alives are not events. */
const firstData = (text: string): string | undefined =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => dataIn(line))
    .find((data) => data?.startsWith('{')) ?? undefined

const rejoin = (
  chunks: readonly Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> => {
  const first = chunks.values()
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { value: chunk } = first.next()
        if (chunk) return controller.enqueue(chunk)
        const { done, value } = await reader.read()
        if (value) controller.enqueue(value)
        if (done) controller.close()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
