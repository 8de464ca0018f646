/**
 * Parses server-sent events from a stream. https://html.spec.whatwg.org/multipage/server-sent-events.html
 */

/** Yields the data of each event, however the bytes were split into chunks. Rejects if the stream fails. */
export async function* eventData(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of readLines(bytes)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    if (line !== '' || data.length === 0) continue
    yield data.join('\n')
    data = []
  }
}

/** A CR at the end of a chunk may be the first half of CRLF, so it waits for the next chunk. */
const lineBreak = /\r\n|\n|\r(?!$)/

/** Yields complete lines only. */
export async function* readLines(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split(lineBreak)
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    // Releases the stream if the caller stops early. Cancelling a failed stream rejects, which is ignored.
    void reader.cancel().catch(() => {})
  }
}
