/** A client of the journal's audit: as a whole, or as a stream of lines. */
import * as assert from 'uvu/assert'

// biome-ignore lint/suspicious/noExplicitAny: lines are looked into by tests, which say what they expect there
export type Line = any

export const readAudit = async (url: string, id: string, query = ''): Promise<readonly Line[]> => {
  const response = await fetch(`${url}/api/persona/${id}/journal${query}`)
  const text = await response.text()
  assert.equal([response.status, response.headers.get('content-type')], [200, 'application/x-ndjson'], text)
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

export interface FollowedAudit {
  readonly lines: Line[]
  /** Number of empty lines. */
  readonly silences: () => number
  /** Resolves with true if the response was complete. */
  readonly whenEnded: Promise<boolean>
  leave(): void
}

export const followAudit = async (url: string, id: string, query = ''): Promise<FollowedAudit> => {
  const closeController = new AbortController()
  const response = await fetch(`${url}/api/persona/${id}/journal?follow=1${query}`, {
    signal: closeController.signal,
  })
  assert.is(response.status, 200)
  const lines: Line[] = []
  let silences = 0
  const listen = async (): Promise<boolean> => {
    let rest = ''
    try {
      for await (const text of (response.body as ReadableStream<Uint8Array>).pipeThrough(
        new TextDecoderStream(),
      )) {
        const allLines = (rest + text).split('\n')
        rest = allLines.pop() ?? ''
        for (const line of allLines) {
          if (line === '') silences++
          else lines.push(JSON.parse(line))
        }
      }
      return rest === ''
    } catch {
      return false
    }
  }
  return { lines, silences: () => silences, whenEnded: listen(), leave: () => closeController.abort() }
}
