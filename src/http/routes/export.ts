/** GET /api/persona/{persona_id}/export */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import { known, stillThere } from '../../commands/lifecycle.ts'
import { route, sent } from '../route.ts'
import { HttpRefused } from '../schema/refused.ts'
import { withAbortSignal } from '../server/caller.ts'

/** A client must read this many bytes in this many ms, because the journal stays open for it. */
const slowest = { bytes: 64 * 1024, within: 30_000 }

export const exportRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/export',
  summary: 'The current diary of the persona, with all its data. Only its recovery phrase opens it',
  description: 'An age file, streamed. It contains no keys or tokens.',
  tag: 'Diaries',
  reply: 'file',
  refuses: ['persona_unknown', 'journal_damaged', 'journal_unavailable', 'journal_replaced'],
  handle:
    ({ closing, diaries, personas }) =>
    async ({ params: { persona_id: id }, response }) => {
      const { trouble } = known(personas, id)
      if (trouble !== null) throw new HttpRefused({ code: 'journal_damaged', reason: trouble })
      await withAbortSignal(response, closing, (signal) =>
        diaries
          .seal(id, ({ bytes }) => send(response, id, bytes), signal)
          .catch((error: unknown) => {
            // A client that disconnected gets no response, and the aborted export is not an error.
            if (!response.headersSent) stillThere(signal)
            if (!signal.aborted && !response.destroyed) throw error
          }),
      )
      return sent
    },
})

/**
 * Sends the diary. Errors before the first byte get their own status. After it, the connection is closed
 * early to show that the file is incomplete.
 */
const send = async (response: Response, id: PersonaId, bytes: AsyncIterable<Buffer>): Promise<void> => {
  const pieces = bytes[Symbol.asyncIterator]()
  const first = await pieces.next()
  if (first.done) throw new Error('the diary is empty')
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${id}.diary"`,
    'Cache-Control': 'no-store',
  })
  const stopWatching = watch(response)
  const all = async function* () {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => pieces }
  }
  try {
    await pipeline(Readable.from(all(), { objectMode: false }), response)
  } finally {
    stopWatching()
  }
}

/** Disconnects a client that reads too slowly. */
const watch = (response: Response): (() => void) => {
  const { socket } = response
  let before = socket?.bytesWritten ?? 0
  const looking = setInterval(() => {
    const bytesSent = socket?.bytesWritten ?? 0
    // Bytes in the buffers of the operating system count only once for a client that reads nothing.
    if (bytesSent - before < slowest.bytes) response.destroy()
    before = bytesSent
  }, slowest.within)
  return () => clearInterval(looking)
}
