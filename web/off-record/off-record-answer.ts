/** Requests an answer that is not saved, and streams it. */
import { type Failure, readFailure } from '../shared/answer.ts'
import { client } from '../shared/client.ts'
import { toFields, toList, toText } from '../shared/shapes.ts'
import { eventData } from './event-data.ts'
import type { ShownPicture } from './shown-pictures.ts'

export interface Line {
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly pictures: readonly ShownPicture[]
}

interface StreamOptions {
  readonly signal: AbortSignal
  readonly onWords: (delta: string) => void
}

/** `cut`: ended at the model's length limit. `absent`: the persona is not running. */
export type Ending = 'whole' | 'cut' | 'absent' | Failure

/** Never rejects. The result is meaningless after the signal was aborted. */
export const streamOffRecordAnswer = async (
  id: string,
  lines: readonly Line[],
  { signal, onWords }: StreamOptions,
): Promise<Ending> => {
  const messages = lines.map(({ role, content, pictures }) => ({
    role,
    content:
      pictures.length === 0 ? content : [...pictures.map(toPart), { type: 'text' as const, text: content }],
  }))
  try {
    const { data, error, response } = await client.POST('/v1/chat/completions', {
      // Without `store`, the daemon saves nothing.
      body: { model: id, messages, stream: true },
      parseAs: 'stream',
      signal,
    })
    return response.ok && data ? await readStream(data, onWords) : toEnding(response.status, error)
  } catch {
    return readFailure(null, null)
  }
}

const toPart = ({ url }: ShownPicture) => ({ type: 'image_url' as const, image_url: { url } })

const readStream = async (
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
  onWords: StreamOptions['onWords'],
): Promise<Ending> => {
  let ending: Ending = 'whole'
  for await (const data of eventData(bytes)) {
    if (data === '[DONE]') return ending
    const chunk = toFields(JSON.parse(data))
    // After the first chunk, an error can only be reported inside the stream.
    if (chunk.error !== undefined) return toEnding(200, chunk)
    const { delta, finish_reason } = toFields(toList(chunk.choices)[0])
    if (finish_reason === 'length') ending = 'cut'
    const deltaText = toText(toFields(delta).content)
    if (deltaText !== '') onWords(deltaText)
  }
  return readFailure(null, null)
}

const notRunning = new Set(['model_not_found', 'life_over'])

const toEnding = (status: number, body: unknown): Ending =>
  notRunning.has(toText(toFields(toFields(body).error).code)) ? 'absent' : readFailure(status, body)
