/** POST /api/persona/{persona_id}/restart */
import * as z from 'zod'
import { restartPersona } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'

export const restartRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/restart',
  summary: 'Rebuild the agent of the persona from disk, or start it if it is not running',
  description: 'Calls its Mind first. Changes nothing if that does not answer.',
  tag: 'Personas',
  reply: z.object({ status: z.literal('restarted') }).meta({ id: 'Restarted' }),
  refuses: ['persona_unknown', 'model_failed', 'not_started'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      await restartPersona(deps, id)
      return { status: 'restarted' as const }
    },
})
