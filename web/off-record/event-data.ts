/**
 * Server-sent events as they come over a stream.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */

/**
 * The data of each event, however its bytes were cut on the way. Ends with the stream, or rejects as it does.
 */
export async function* eventData(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of linesOf(bytes)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    if (line !== '' || data.length === 0) continue
    yield data.join('\n')
    data = []
  }
}

/** A break at the very end may be the first half of one, and waits for what follows. */
const lineBreak = /\r\n|\n|\r(?!$)/

/** Whole lines alone. */
async function* linesOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
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
    // Who has heard enough lets go of it; one that broke has nothing to let go of.
    void reader.cancel().catch(() => {})
  }
}
