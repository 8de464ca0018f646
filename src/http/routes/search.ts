/** GET /api/persona/{persona_id}/search */

import * as z from 'zod'
import { SearchKinds } from '../../../facts/fact.ts'
import { Channel, type PersonaId } from '../../../facts/fact-values.ts'
import { isoWithOffset } from '../../../packages/kit/time/clock.ts'
import { toMessage } from '../../../projections/conversation.ts'
import { isAt } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import type { Hit } from '../../search/find.ts'
import { getExcerpt, parseQuery } from '../../search/query.ts'
import { route } from '../route.ts'
import { MediaView } from './media.ts'

const Found = z
  .object({
    id: z.int().describe('Position in the journal.'),
    kind: z.enum(SearchKinds),
    role: z
      .enum(['person', 'assistant'])
      .nullable()
      .describe('Author of the message, or sender of the file.'),
    time: z.string(),
    text: z.string().describe('The part around the first match, about 300 characters at most.'),
    channel: Channel.nullable(),
    turn: z.int().nullable(),
    message: z.int().nullable().describe('Id of the message, or of the message that contains the file.'),
    media: MediaView.nullable(),
    memory: z.string().nullable().describe('Id of the statement.'),
    instruction: z.string().nullable().describe('Id of the instruction.'),
    plan: z
      .object({
        id: z.string(),
        kind: z.enum(['reminder', 'schedule']),
        wall: z.string(),
        zone: z.string(),
        open: z.boolean(),
      })
      .nullable()
      .describe('Its last state: local time in its zone, and whether it is still to come.'),
  })
  .meta({ id: 'Found' })

export const searchLifeRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/search',
  summary:
    'Full-text search over messages, files, memories, plans and instructions. All words must occur, in any case and with or without accents. "Words in quotation marks" must be adjacent. A last word without a space after it, and any word before a *, may be the beginning of a longer one. Sorted by relevance, words may have other endings, words without meaning are optional, days such as "in May" count, and if nothing contains all words, results with some of them are returned. If DAIMON_EMBEDDINGS names a model, a question (it ends with a question mark and has no quotation marks) also finds texts with the same meaning. Forgotten, corrected and removed texts are not found',
  description: 'A page of results, each with its place in the text and in the journal.',
  tag: 'Journal',
  query: z.object({
    q: z.string().min(1).max(500),
    limit: z.int().min(1).max(100).default(20),
    before: z.int().min(1).optional().describe('Only results with a smaller id.'),
    kind: z.enum(SearchKinds).optional(),
    sort: z
      .enum(['relevance', 'newest'])
      .optional()
      .describe(
        'Default: relevance, but newest with `before`. Pages are by position, so newest is the way to read all results.',
      ),
  }),
  reply: z.object({ found: z.array(Found).readonly(), has_more: z.boolean() }).meta({ id: 'SearchResult' }),
  refuses: ['persona_unknown'],
  handle:
    ({ personas, search, clock }) =>
    async ({ params: { persona_id: id }, query: { q, limit, before, kind, sort } }) => {
      requireListed(personas, id)
      return personas.read(id, async (reading) => {
        const ask = {
          before: before ?? reading.journal.head.seq + 1,
          limit,
          ...(kind && { kinds: [kind] }),
        }
        const now = { at: clock.now(), zone: clock.zone }
        const { hits, hasMore } =
          (sort ?? (before ? 'newest' : 'relevance')) === 'newest'
            ? await search.find(id, reading, { ...ask, query: parseQuery(q, 'last') })
            : await search.rank(id, reading, { ...ask, text: q, now, by: 'words' })
        return { found: hits.map((hit) => toFound(id, hit, reading.persona)), has_more: hasMore }
      })
    },
})

const toFound = (
  id: PersonaId,
  { entry, kind, text, place, bearer }: Hit,
  { plans }: Persona,
): z.input<typeof Found> => {
  const { event, seq } = entry
  const time = isoWithOffset(entry.at, entry.offset)
  const message = toMessage(id, bearer?.entry ?? entry, time)
  return {
    id: seq,
    kind,
    role: message?.role ?? null,
    time,
    text: getExcerpt(text, place),
    channel: message?.channel ?? null,
    turn: event.type === 'MediaDescribed' ? event.turn : (message?.turn ?? null),
    message: message?.id ?? (event.type === 'MediaDescribed' ? event.message : null),
    media: message?.media ?? null,
    memory: kind === 'memory' && 'id' in event ? event.id : null,
    instruction: kind === 'instruction' && 'id' in event ? event.id : null,
    plan:
      kind === 'plan' && 'wall' in event
        ? {
            id: event.id,
            kind: event.kind,
            wall: event.wall,
            zone: event.zone,
            open: isAt(plans.open, event.id),
          }
        : null,
  }
}
