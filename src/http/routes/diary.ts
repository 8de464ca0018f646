/** Routes of backups and the recovery phrase. */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import * as z from 'zod'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import {
  changePhrase,
  confirmPhrase,
  getPhraseState,
  type PhraseState as State,
} from '../../commands/diary.ts'
import { requireListed, throwIfDisconnected } from '../../commands/lifecycle.ts'
import { HttpRefused } from '../refused.ts'
import { alreadySent, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { toDisposition, toFileName } from '../server/download-name.ts'

const PhraseState = z
  .object({
    recipient: z.string().describe('The public key derived from the words. Diaries are encrypted for it.'),
    confirmed: z.boolean(),
  })
  .meta({ id: 'PhraseState' })

const toPhraseState = ({ recipient, phraseConfirmed: isConfirmed }: State) => ({
  recipient,
  confirmed: isConfirmed,
})

/** A client must read this many bytes in this many ms, because the journal stays open for it. */
const slowest = { bytes: 64 * 1024, within: 30_000 }

export const exportRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/export',
  summary: 'The current diary of the persona, with all its data. Only its recovery phrase opens it',
  description:
    'An age file, streamed. It contains no keys or tokens. Browsers save it under the name of the persona and the day.',
  tag: 'Diaries',
  reply: 'file',
  refuses: ['persona_unknown', 'journal_damaged', 'journal_unavailable', 'journal_replaced'],
  handle:
    ({ clock, closing, diaries, personas }) =>
    async ({ params: { persona_id: id }, response }) => {
      const { self, trouble } = requireListed(personas, id)
      if (trouble !== null) throw new HttpRefused({ code: 'journal_damaged', reason: trouble })
      const day = isoIn(clock.zone, clock.now()).slice(0, 10)
      const name = `${toFileName(`${toFileName(self.name)} ${day}`)}.diary`
      const disposition = toDisposition(`${id}.diary`, name)
      await withAbortSignal(response, closing, (signal) =>
        diaries
          .seal(id, ({ bytes }) => send(response, disposition, bytes), signal)
          .catch((error: unknown) => {
            // A client that disconnected gets no response, and the aborted export is not an error.
            if (!response.headersSent) throwIfDisconnected(signal)
            if (!signal.aborted && !response.destroyed) throw error
          }),
      )
      return alreadySent
    },
})

/**
 * Sends the diary. Errors before the first byte get their own status. After it, the connection is closed
 * early to show that the file is incomplete.
 */
const send = async (response: Response, disposition: string, bytes: AsyncIterable<Buffer>): Promise<void> => {
  const pieces = bytes[Symbol.asyncIterator]()
  const first = await pieces.next()
  if (first.done) throw new Error('the diary is empty')
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': disposition,
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
  let bytesBefore = socket?.bytesWritten ?? 0
  const looking = setInterval(() => {
    const bytesSent = socket?.bytesWritten ?? 0
    // Bytes in the buffers of the operating system count only once for a client that reads nothing.
    if (bytesSent - bytesBefore < slowest.bytes) response.destroy()
    bytesBefore = bytesSent
  }, slowest.within)
  return () => clearInterval(looking)
}

export const getPhraseRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/phrase',
  summary: 'Whether a user has confirmed that they have the recovery phrase',
  description: 'The words themselves are not stored.',
  tag: 'Diaries',
  reply: PhraseState,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    ({ params: { persona_id: id } }) =>
      toPhraseState(getPhraseState(deps, id)),
})

export const phraseConfirmedRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/phrase/confirm',
  summary: 'Confirm that the user has the recovery phrase',
  description:
    'Stored with the persona until the phrase is renewed. Never send the words. `recipient` identifies the phrase, so that an older one confirms nothing.',
  tag: 'Diaries',
  body: z.object({ recipient: z.string().optional() }).meta({ id: 'PhraseConfirmRequest' }),
  reply: PhraseState,
  refuses: ['persona_unknown', 'phrase_changed'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { recipient } }) =>
      toPhraseState(await confirmPhrase(deps, id, recipient)),
})

const PhraseChanged = z
  .object({
    recovery_phrase: z.string().describe('24 words. Returned only once.'),
    recipient: z.string().describe('Identifies the phrase: its public key.'),
    diary: z
      .object({ time: z.string(), events: z.int(), bytes: z.int() })
      .describe('Time of the first diary that they open.'),
    older: z.int().describe('Diaries in the daemon that only an older phrase opens.'),
  })
  .meta({ id: 'PhraseChanged' })

export const renewPhraseRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/phrase',
  summary: 'Create a new recovery phrase, and a diary that it opens',
  description:
    'The words are returned only once. Diaries for the old phrase stay unless their removal is requested.',
  tag: 'Diaries',
  query: z.object({
    remove_older: z.boolean().optional().describe('Remove the diaries that only an older phrase opens.'),
  }),
  reply: PhraseChanged,
  refuses: ['persona_unknown', 'journal_damaged', 'journal_unavailable', 'journal_replaced', 'cut_short'],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, query: { remove_older: removeOlder = false }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const { phrase, recipient, diary, older } = await changePhrase(deps, id, { removeOlder }, signal)
        return {
          recovery_phrase: phrase,
          recipient,
          diary: { time: isoIn(deps.clock.zone, diary.made), events: diary.seq, bytes: diary.bytes },
          older,
        }
      }),
})
