/** GET /api/persona/{persona_id}/export */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import { known, stillThere } from '../../commands/lifecycle.ts'
import { route, sent } from '../route.ts'
import { HttpRefused } from '../schema/refused.ts'
import { whileThere } from '../server/caller.ts'

/** Bytes that must be taken within so many milliseconds: its journal is held open for it. */
const slowest = { bytes: 64 * 1024, within: 30_000 }

export const exportation = route({
  method: 'get',
  path: '/api/persona/{persona_id}/export',
  summary:
    'The diary of the persona as it is at this moment: everything it is, which only its recovery phrase opens',
  description: 'An age file, streamed. Keys and tokens are not in it.',
  tag: 'Diaries',
  reply: 'file',
  refuses: ['persona_unknown', 'journal_damaged', 'journal_unavailable', 'journal_replaced'],
  handle:
    ({ closing, diaries, personas }) =>
    async ({ params: { persona_id: id }, response }) => {
      const { trouble } = known(personas, id)
      if (trouble !== null) throw new HttpRefused({ code: 'journal_damaged', reason: trouble })
      await whileThere(response, closing, (gone) =>
        diaries
          .seal(id, ({ bytes }) => send(response, id, bytes), gone)
          .catch((error: unknown) => {
            // Who has gone is told nothing, and what was cut off is no fault of its own.
            if (!response.headersSent) stillThere(gone)
            if (!gone.aborted && !response.destroyed) throw error
          }),
      )
      return sent
    },
})

/**
 * What fails before the first byte is told as ever; after it, only the end of the connection tells that it is
 * not whole.
 */
const send = async (response: Response, id: PersonaId, bytes: AsyncIterable<Buffer>): Promise<void> => {
  const pieces = bytes[Symbol.asyncIterator]()
  const first = await pieces.next()
  if (first.done) throw new Error('there is no diary without a byte')
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

/** Who takes it too slowly is cut off. */
const watch = (response: Response): (() => void) => {
  const { socket } = response
  let before = socket?.bytesWritten ?? 0
  const looking = setInterval(() => {
    const taken = socket?.bytesWritten ?? 0
    // What the system still holds for a client that reads nothing counts as taken only once.
    if (taken - before < slowest.bytes) response.destroy()
    before = taken
  }, slowest.within)
  return () => clearInterval(looking)
}
