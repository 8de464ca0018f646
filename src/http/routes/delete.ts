/** POST /api/persona/{persona_id}/delete */
import * as z from 'zod'
import { deletePersona } from '../../commands/persona.ts'
import { route } from '../route.ts'

export const deleteRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/delete',
  summary: 'Delete the persona and all its data permanently',
  description: 'Its last diary stays for 30 days, unless `purge` is set.',
  tag: 'Personas',
  query: z.object({
    force: z
      .boolean()
      .optional()
      .describe(
        'Delete it even if the runtime of its local model cannot be reached, or its journal is damaged.',
      ),
    purge: z
      .boolean()
      .optional()
      .describe(
        'Delete its diaries, too. Otherwise the last one stays for 30 days, and only its recovery phrase opens it.',
      ),
  }),
  reply: z.null(),
  refuses: ['persona_unknown', 'model_failed', 'damaged_unforced', 'not_deleted'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, query: { force = false, purge = false } }) => {
      await deletePersona(deps, id, { force, purge })
      return null
    },
})
