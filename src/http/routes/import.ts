/** POST /api/persona/{persona_id}/feed */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import * as z from 'zod'
import {
  feedHistory,
  type ImportPreview,
  type PreviewRemarks,
  previewHistory,
} from '../../commands/import.ts'
import { alreadySent, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { jsonHeaders } from '../server/json-response.ts'
import { FilePart } from '../server/upload-form.ts'
import { PersonaRecordShape } from './persona-shapes.ts'

const Body = z
  .object({
    history: FilePart,
    source: z.string().describe('Name of the AI that exported it. Any name.'),
    phrase: z
      .string()
      .exactOptional()
      .describe('The recovery phrase that opens a diary of Eternego. Not stored.'),
    me: z
      .string()
      .max(200)
      .exactOptional()
      .describe(
        'Your name in chats between people, as the file writes it, if the file does not say who you are. The preview lists the names in `people`.',
      ),
    only: z
      .string()
      .regex(/^\s*[1-9]\d{0,8}(\s*,\s*[1-9]\d{0,8})*\s*$/, 'Expected places such as 1,3,4')
      .exactOptional()
      .describe('Numbers of the conversations to import, as in the preview, from 1: `1,3,4`. Default: all.'),
  })
  .meta({ id: 'Body_feed' })

const Preview = z
  .object({
    title: z.string(),
    messages: z.int(),
    time: z.string().nullable().describe('Time of the last change.'),
    known: z.boolean().describe('It was imported already and will be skipped.'),
  })
  .meta({ id: 'ConversationPreview' })

/** A file in a known format may contain no conversation. */
const noConversations = 'No conversation was found in this file.'
const Detail = z
  .string()
  .exactOptional()
  .describe('Sentences for the user: that no conversation was found, and the notes.')
const Notes = z
  .array(z.string())
  .readonly()
  .exactOptional()
  .describe(
    'One sentence for each guessed encoding, and one with the parts that were left out and the reasons.',
  )

const People = z
  .array(z.string())
  .readonly()
  .exactOptional()
  .describe('Names in chats between people in which it is not known who you are: send yours as `me`.')

export const feedRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/feed',
  summary:
    'Import the conversations with another AI, from the file or the zip of its export. The persona remembers the facts that the user told about themselves there, but the conversations do not become its own. Known conversations are skipped. Answers when the import is done. /ws/system reports the progress',
  description:
    'A form with the file and the name of the system that it comes from. With `preview` nothing is imported, and the conversations are listed. A `charset` in the media type of the part is the encoding of the file, unless the bytes contradict it.',
  tag: 'Import',
  form: Body,
  limit: ({ archive }) => archive,
  query: z.object({ preview: z.boolean().default(false).describe('Only list the conversations.') }),
  reply: z.union([
    z.object({ persona: PersonaRecordShape, detail: Detail, notes: Notes }).meta({ id: 'PersonaFed' }),
    z
      .object({ conversations: z.array(Preview).readonly(), detail: Detail, notes: Notes, people: People })
      .meta({ id: 'HistoryPreview' }),
  ]),
  refuses: [
    'body_too_large',
    'not_active',
    'too_long',
    'history_unreadable',
    'history_unknown',
    'history_page',
    'history_locked',
    'history_ended_twice',
    'history_unanalyzed',
    'spent',
  ],
  handle:
    (deps) =>
    ({
      params: { persona_id: id },
      body: { history, source, phrase, me, only },
      query: { preview },
      response,
    }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const historyFile = {
          path: history.staged.path,
          name: history.name,
          charset: history.charset ?? undefined,
          phrase,
          me,
          sha256: history.staged.measured.sha256,
          source,
          only: only === undefined ? undefined : new Set(only.split(',').map(Number)),
        }
        if (!preview) {
          const { persona, conversations, notes } = await feedHistory(deps, id, historyFile, signal)
          return { persona, ...createRemarks(conversations === 0, notes) }
        }
        await previewHistory(deps, id, historyFile, signal, (lines, remarks) =>
          sendPreview(lines, remarks, response),
        )
        return alreadySent
      }),
})

interface Remarks {
  readonly detail?: string
  readonly notes?: readonly string[]
  readonly people?: readonly string[]
}

/** Leaves out keys without a value. */
const createRemarks = (
  isEmpty: boolean,
  notes: readonly string[],
  people: readonly string[] = [],
): Remarks => {
  const detail = [...(isEmpty ? [noConversations] : []), ...notes].join(' ')
  return {
    ...(detail === '' ? {} : { detail }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(people.length === 0 ? {} : { people }),
  }
}

const sendPreview = async (
  lines: AsyncIterable<ImportPreview>,
  { notes, people }: PreviewRemarks,
  response: Response,
): Promise<void> => {
  const list = async function* () {
    let separator = '{"conversations":['
    for await (const line of lines) {
      yield separator + JSON.stringify(line)
      separator = ','
    }
    const isEmpty = separator !== ','
    const rest = Object.entries(createRemarks(isEmpty, notes, people))
    yield `${isEmpty ? separator : ''}]`
    for (const [name, value] of rest) yield `,${JSON.stringify(name)}:${JSON.stringify(value)}`
    yield '}'
  }
  response.writeHead(200, jsonHeaders)
  await pipeline(Readable.from(list()), response)
}
