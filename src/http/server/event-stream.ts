/**
 * Sends a reply as server-sent events. The response begins as late as possible, so that an earlier error
 * still gets its own status.
 */
import type { ServerResponse } from 'node:http'
import type { Clock } from '../../../packages/kit/time/clock.ts'

export interface EventStream {
  readonly begun: boolean
  /** Begins the response if it has not begun. */
  begin(): void
  /** Sends one `data:` line, after the name of the event if given. Values other than strings become JSON. */
  send(data: unknown, name?: string): void
  /** Ends the response if it has begun. Must be called on success and on failure. */
  end(): void
}

/** Ms between two keep-alive comments. */
const silence = 15_000
/** Max bytes in the send buffer of a client that does not read. Above it the connection is closed. */
const mostWaiting = 8 * 1024 * 1024

/** Opens the stream. `first` sends the first events when the response begins. */
export const openEventStream = (
  response: ServerResponse,
  clock: Clock,
  first: (stream: Pick<EventStream, 'send'>) => void,
): EventStream => {
  let hasBegun = false

  const write = (text: string) => {
    if (!response.destroyed && !response.writableEnded) response.write(text)
    if (response.writableLength > mostWaiting) response.destroy()
  }
  const send = (data: unknown, name?: string) => {
    beginStream()
    write(
      `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    )
  }
  const beginStream = () => {
    if (hasBegun) return
    hasBegun = true
    if (!response.destroyed)
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
      })
    first({ send })
  }
  const rest = clock.every(silence, () => {
    beginStream()
    write(': thinking\n\n')
  })

  return {
    get begun() {
      return hasBegun
    },
    begin: beginStream,
    send,
    end: () => {
      rest()
      if (hasBegun) response.end()
    },
  }
}
