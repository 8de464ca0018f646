/** POST /api/persona/{persona_id}/feed */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import * as z from 'zod'
import { oneLine } from '../../../projections/knowledge.ts'
import type { Asked } from '../../mind/import/histories.ts'
import { Unreadable } from '../../mind/import/unreadable.ts'
import { Unanswered } from '../../mind/think.ts'
import { Refused } from '../../persona/refusals.ts'
import { known } from '../known.ts'
import { type Deps, route, sent } from '../route.ts'
import { recordFor } from '../schema/organ-bodies.ts'
import { HttpRefused } from '../schema/refused.ts'
import { PersonaRecordShape } from '../schema/shapes.ts'
import { whileThere } from '../server/caller.ts'
import { jsonHeaders } from '../server/replies.ts'
import { FilePart } from '../server/uploads.ts'

const Body = z
  .object({
    history: FilePart,
    source: z.string().describe('Which AI exported it: any name.'),
  })
  .meta({ id: 'Body_feed' })

const Preview = z
  .object({
    title: z.string(),
    messages: z.int(),
    time: z.string().nullable().describe('When it was last changed.'),
    known: z.boolean().describe('She has gone over it already, and will not again.'),
  })
  .meta({ id: 'ConversationPreview' })

/** UTF-16 units of what an AI is called. */
const longestSource = 200

export const feed = route({
  method: 'post',
  path: '/api/persona/{persona_id}/feed',
  summary:
    'Let her go over the conversations with another AI, as its JSON or the zip it was exported in: what the person told there of themselves becomes her memory, nothing of it her talk. Those she knows are skipped. Answers when all is done; /ws/system tells how far it is',
  form: Body,
  limit: ({ archive }) => archive,
  query: z.object({ preview: z.boolean().default(false).describe('Only tell what is in it.') }),
  reply: z.union([
    z.object({ persona: PersonaRecordShape }).meta({ id: 'PersonaFed' }),
    z.object({ conversations: z.array(Preview).readonly() }).meta({ id: 'HistoryPreview' }),
  ]),
  refuses: [
    'body_too_large',
    'not_active',
    'too_long',
    'history_unreadable',
    'history_unknown',
    'history_ended_twice',
    'history_unanalyzed',
    'spent',
  ],
  handle: (deps) => {
    const { agents, closing, config, log, personas } = deps
    return async ({ params: { persona_id: id }, body, query: { preview }, response }) => {
      // In the moment of a restart she only seems to be away.
      if (!agents.running(id)) await agents.settled(id)
      if (!agents.running(id)) throw new Refused({ code: 'not_active' })
      const source = oneLine(body.source)
      if (source.length > longestSource) throw new Refused({ code: 'too_long', what: 'source', most: longestSource })
      const { path, measured } = body.history.staged
      const { sha256 } = measured
      return whileThere(response, closing, async (gone) => {
        try {
          if (preview) return await tell(deps, { id, path, sha256, as: 'previews', signal: gone }, response)
          await agents.feed(id, { path, sha256, source, gone })
          return { persona: await recordFor(personas, known(personas, id).self, config.urls) }
        } catch (error) {
          if (!gone.aborted) log.warn({ id, err: error }, 'a history could not be fed')
          throw refusalOf(error, gone)
        }
      })
    }
  },
})

/** What she has not gone over to its end is told in the contract's two sentences; what is wrong with the disk, or with us, as ever. */
const refusalOf = (error: unknown, gone: AbortSignal): unknown => {
  if (error instanceof Unreadable) return new HttpRefused({ code: codeOf(error) })
  const cut = gone.aborted || error instanceof Unanswered || (error instanceof Refused && isOver(error))
  return cut ? new HttpRefused({ code: 'history_unanalyzed' }) : error
}

const codeOf = ({ reason }: Unreadable): 'history_unreadable' | 'history_unknown' | 'history_ended_twice' => {
  if (reason === 'unknown_form' || reason === 'no_history') return 'history_unknown'
  return reason === 'ended_twice' ? 'history_ended_twice' : 'history_unreadable'
}

/** Stopped, restarted or deleted in the middle of it. */
const isOver = ({ refusal: { code } }: Refused): boolean => code === 'life_over' || code === 'persona_unknown'

/** What is damaged further on is refused before any line is told, and no list of any length has to be held. */
const tell = async (
  { personas, histories }: Pick<Deps, 'personas' | 'histories'>,
  asked: Asked,
  response: Response,
): Promise<typeof sent> => {
  const history = await histories.open(asked)
  try {
    const { readFed } = await import('../../mind/import/fed.ts')
    const before = await personas.read(asked.id, ({ journal }) => readFed(journal))
    const list = async function* () {
      let begin = '{"conversations":['
      for await (const line of history.lines()) {
        const { title, messages, time } = line
        yield begin + JSON.stringify({ title, messages, time, known: before.has(line) })
        begin = ','
        before.add(line)
      }
      yield begin === ',' ? ']}' : `${begin}]}`
    }
    response.writeHead(200, jsonHeaders)
    await pipeline(Readable.from(list()), response)
    return sent
  } finally {
    await history.close()
  }
}
