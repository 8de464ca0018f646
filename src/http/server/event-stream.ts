/**
 * A reply as a stream of server-sent events, begun late: until then it can still become an error with a
 * status of its own.
 */
import type { ServerResponse } from 'node:http'
import type { Clock } from '../../../packages/kit/time/clock.ts'

export interface EventStream {
  readonly begun: boolean
  /** One `data:` line; JSON unless it is a text. */
  send(data: unknown): void
  /** Closes it where it has begun. To be called however it ends. */
  end(): void
}

/** Milliseconds between two signs of life. */
const silence = 15_000
/** Bytes that somebody who reads nothing may let pile up. */
const mostWaiting = 8 * 1024 * 1024

/** `first` is sent when it begins: with the first words, or with the first sign of life. */
export const openEventStream = (response: ServerResponse, clock: Clock, first: unknown): EventStream => {
  let begun = false

  const write = (text: string) => {
    if (!response.destroyed && !response.writableEnded) response.write(text)
    if (response.writableLength > mostWaiting) response.destroy()
  }
  const send = (data: unknown) => {
    if (!begun) begin()
    write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
  const begin = () => {
    begun = true
    if (!response.destroyed)
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
      })
    send(first)
  }
  const rest = clock.every(silence, () => {
    if (!begun) begin()
    write(': thinking\n\n')
  })

  return {
    get begun() {
      return begun
    },
    send,
    end: () => {
      rest()
      if (begun) response.end()
    },
  }
}
