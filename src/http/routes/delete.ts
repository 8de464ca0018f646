/** POST /api/persona/{persona_id}/delete */
import * as z from 'zod'
import { deletePersona } from '../../commands/delete-persona.ts'
import { route } from '../route.ts'

export const deletion = route({
  method: 'post',
  path: '/api/persona/{persona_id}/delete',
  summary: 'Delete the persona and all its data permanently',
  description: 'The last of its diaries stays for 30 days, unless `purge` asks for it to go too.',
  tag: 'Personas',
  query: z.object({
    force: z
      .boolean()
      .optional()
      .describe('Also when the runtime of its local model cannot be reached, or its journal is damaged.'),
    purge: z
      .boolean()
      .optional()
      .describe(
        'Its diaries too. Else the last one stays for 30 days, which only its recovery phrase opens.',
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
