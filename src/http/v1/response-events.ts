/** The events of a streamed response, in the order of OpenAI's API. */
import * as z from 'zod'
import { type Output, type ResponseObject, toMessageId } from './response-object.ts'

export const ResponseEvent = z
  .looseObject({ type: z.string(), sequence_number: z.int() })
  .meta({ id: 'ResponseStreamEvent' })
export type ResponseEvent = z.infer<typeof ResponseEvent>

export interface ResponseEvents {
  begin(response: ResponseObject): void
  words(delta: string): void
  /** The next event has at least this number. */
  skipTo(number: number): void
  /** Sends the items of the output and the last event. */
  end(response: ResponseObject): void
}

/** The same calls give the same events with the same numbers. `minLast`: min number of the last event. */
export const createResponseEvents = (send: (event: ResponseEvent) => void, minLast = 0): ResponseEvents => {
  let sequenceNumber = 0
  let responseId = ''
  let hasText = false
  const emit = (type: string, fields: object) => send({ type, sequence_number: sequenceNumber++, ...fields })
  const textPlace = () => ({ item_id: toMessageId(responseId), output_index: 0, content_index: 0 })
  const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

  const beginText = () => {
    hasText = true
    const item = { id: toMessageId(responseId), type: 'message', status: 'in_progress', role: 'assistant' }
    emit('response.output_item.added', { output_index: 0, item: { ...item, content: [] } })
    emit('response.content_part.added', { ...textPlace(), part: part('') })
  }
  const endText = (item: Extract<Output, { type: 'message' }>) => {
    const text = item.content.map((content) => content.text).join('')
    if (!hasText) beginText()
    emit('response.output_text.done', { ...textPlace(), text, logprobs: [] })
    emit('response.content_part.done', { ...textPlace(), part: part(text) })
    emit('response.output_item.done', { output_index: 0, item })
  }
  const sendCall = (item: Extract<Output, { type: 'function_call' }>, index: number) => {
    const place = { item_id: item.id, output_index: index }
    emit('response.output_item.added', {
      output_index: index,
      item: { ...item, status: 'in_progress', arguments: '' },
    })
    emit('response.function_call_arguments.delta', { ...place, delta: item.arguments })
    emit('response.function_call_arguments.done', { ...place, name: item.name, arguments: item.arguments })
    emit('response.output_item.done', { output_index: index, item })
  }
  const skipTo = (number: number) => {
    sequenceNumber = Math.max(sequenceNumber, number)
  }
  return {
    skipTo,
    begin: (response) => {
      responseId = response.id
      emit('response.created', { response })
      emit('response.in_progress', { response })
    },
    words: (delta) => {
      if (!hasText) beginText()
      emit('response.output_text.delta', { ...textPlace(), delta, logprobs: [] })
    },
    end: (response) => {
      for (const [index, item] of response.output.entries()) {
        if (item.type === 'message') endText(item)
        else sendCall(item, index)
      }
      skipTo(minLast)
      const { status } = response
      const name = status === 'completed' || status === 'incomplete' ? status : 'failed'
      emit(`response.${name}`, { response })
    },
  }
}

/** Returns the pieces of a text with these lengths. */
export const splitText = (text: string, lengths: readonly number[]): readonly string[] => {
  let from = 0
  const pieces = lengths.map((length) => {
    from += length
    return text.slice(from - length, from)
  })
  return pieces.filter((piece) => piece !== '')
}
