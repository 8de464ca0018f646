/** Routes of the projections: the data that is derived from the facts of personas. */
import * as z from 'zod'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import { ProjectionNames } from '../../health/projection-names.ts'
import { Refused } from '../../persona/refusals.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'

const Projection = z
  .object({
    persona: z.string(),
    name: z.enum(ProjectionNames),
    version: z.int().describe('Of its format and meaning. A new version is built again from the facts.'),
    position: z.int().nullable().describe('All facts up to here are applied.'),
    lag: z.int().nullable().describe('Number of facts after the position.'),
    bytes: z.int().nullable().describe('Size on disk. Null if it is part of the journal.'),
    rebuilt_at: z
      .string()
      .nullable()
      .describe('When it was last built from the first fact. Of the state: since the daemon started.'),
    state: z
      .enum(['current', 'rebuilding', 'stale'])
      .describe('`stale`: a fact could not be applied. The rest of the persona works.'),
    reason: z.string().nullable(),
  })
  .meta({ id: 'Projection' })

export const listProjectionsRoute = route({
  method: 'get',
  path: '/api/projections',
  summary: 'The projections of all personas, or of one: data that is derived from the facts',
  description:
    'Numbers are null if they are unknown: without `persona`, only journals and indexes that are open are described.',
  tag: 'Health',
  query: z.object({ persona: z.string().optional().describe('Id of a persona. Opens its journal.') }),
  reply: z.object({ projections: z.array(Projection) }),
  refuses: ['persona_unknown', 'journal_unavailable'],
  handle:
    ({ projections, clock }) =>
    async ({ query: { persona } }) => {
      const views = persona === undefined ? projections.listKnown() : await projections.list(persona)
      return {
        projections: views.map(({ rebuiltAt, ...view }) => ({
          ...view,
          rebuilt_at: rebuiltAt === null ? null : isoIn(clock.zone, rebuiltAt),
        })),
      }
    },
})

export const rebuildProjectionRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/projections/{name}/rebuild',
  summary: 'Build a projection again from the first fact, compare and replace it, while the persona runs',
  description:
    'Answers when it is done. If the client disconnects, or the persona is deleted, restored or erased from meanwhile, the rebuild ends, and the current `state` or `search` stays. `vectors` and `links` are deleted first, and not compared.',
  tag: 'Health',
  reply: z
    .object({
      name: z.enum(ProjectionNames),
      position: z.int().describe('All facts up to here are applied.'),
      equal: z.boolean().nullable().describe('Whether the old one was right. Null if it was not compared.'),
      differing: z.array(z.string()).readonly().describe('Parts that were wrong.'),
    })
    .meta({ id: 'RebuiltProjection' }),
  refuses: [
    'persona_unknown',
    'projection_unknown',
    'projection_busy',
    'journal_unavailable',
    'journal_replaced',
    'cut_short',
  ],
  handle:
    (deps) =>
    ({ params: { persona_id: id, name: text }, response }) => {
      const name = z.enum(ProjectionNames).safeParse(text)
      if (!name.success) throw new Refused({ code: 'projection_unknown' })
      return withAbortSignal(response, deps.closing, async (signal) => {
        const { position, differing } = await deps.projections.rebuild(id, name.data, signal)
        return {
          name: name.data,
          position,
          equal: differing && differing.length === 0,
          differing: differing ?? [],
        }
      })
    },
})
