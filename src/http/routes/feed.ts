/** POST /api/persona/{persona_id}/feed */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import * as z from 'zod'
import {
  feedHistory,
  type Previewed,
  type PreviewRemarks,
  previewHistory,
} from '../../commands/feed-history.ts'
import { route, sent } from '../route.ts'
import { PersonaRecordShape } from '../schema/shapes.ts'
import { whileThere } from '../server/caller.ts'
import { jsonHeaders } from '../server/replies.ts'
import { FilePart } from '../server/uploads.ts'

const Body = z
  .object({
    history: FilePart,
    source: z.string().describe('Which AI exported it: any name.'),
    phrase: z
      .string()
      .exactOptional()
      .describe('The recovery phrase that opens a diary of Eternego; not kept.'),
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
      .describe(
        'Places of the conversations to go over, in the order of the preview and from 1 on: `1,3,4`. Without it all of them.',
      ),
  })
  .meta({ id: 'Body_feed' })

const Preview = z
  .object({
    title: z.string(),
    messages: z.int(),
    time: z.string().nullable().describe('When it was last changed.'),
    known: z.boolean().describe('It was gone over already, and will not be again.'),
  })
  .meta({ id: 'ConversationPreview' })

/** A file in a known form may hold none. */
const nothing = 'No conversation was found in this file.'
const Detail = z
  .string()
  .exactOptional()
  .describe('Sentences for the user: that no conversation was found, and the notes.')
const Notes = z
  .array(z.string())
  .readonly()
  .exactOptional()
  .describe('A sentence for each encoding that was guessed, and one with what was left out, by reason.')

const People = z
  .array(z.string())
  .readonly()
  .exactOptional()
  .describe('Names in chats between people in which it is not known who you are: send yours as `me`.')

export const feed = route({
  method: 'post',
  path: '/api/persona/{persona_id}/feed',
  summary:
    'Let the persona go over the conversations with another AI, as the file or the zip it was exported in: what the person told there of themselves becomes its memory, nothing of it its talk. Those it knows are skipped. Answers when all is done; /ws/system tells how far it is',
  description:
    'A form of a file and the name of the system that it comes from. With `preview` nothing is fed, and what would be is listed.',
  tag: 'Import',
  form: Body,
  limit: ({ archive }) => archive,
  query: z.object({ preview: z.boolean().default(false).describe('Only tell what is in it.') }),
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
      whileThere(response, deps.closing, async (gone) => {
        const given = {
          path: history.staged.path,
          name: history.name,
          phrase,
          me,
          sha256: history.staged.measured.sha256,
          source,
          only: only === undefined ? undefined : new Set(only.split(',').map(Number)),
        }
        if (!preview) {
          const { persona, conversations, notes } = await feedHistory(deps, id, given, gone)
          return { persona, ...remarksOf(conversations === 0, notes) }
        }
        await previewHistory(deps, id, given, gone, (lines, remarks) => tell(lines, remarks, response))
        return sent
      }),
})

interface Remarks {
  readonly detail?: string
  readonly notes?: readonly string[]
  readonly people?: readonly string[]
}

/** Without keys if there is nothing to say. */
const remarksOf = (isEmpty: boolean, notes: readonly string[], people: readonly string[] = []): Remarks => {
  const detail = [...(isEmpty ? [nothing] : []), ...notes].join(' ')
  return {
    ...(detail === '' ? {} : { detail }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(people.length === 0 ? {} : { people }),
  }
}

const tell = async (
  lines: AsyncIterable<Previewed>,
  { notes, people }: PreviewRemarks,
  response: Response,
): Promise<void> => {
  const list = async function* () {
    let begin = '{"conversations":['
    for await (const line of lines) {
      yield begin + JSON.stringify(line)
      begin = ','
    }
    const isEmpty = begin !== ','
    const rest = Object.entries(remarksOf(isEmpty, notes, people))
    yield `${isEmpty ? begin : ''}]`
    for (const [name, value] of rest) yield `,${JSON.stringify(name)}:${JSON.stringify(value)}`
    yield '}'
  }
  response.writeHead(200, jsonHeaders)
  await pipeline(Readable.from(list()), response)
}
