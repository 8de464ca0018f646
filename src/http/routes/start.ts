/** POST /api/persona/{persona_id}/start */
import * as z from 'zod'
import { startPersona } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'

export const startRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/start',
  summary: 'Start the persona',
  description: 'Calls its Mind first. Changes nothing if that does not answer.',
  tag: 'Personas',
  reply: z.object({ status: z.enum(['started', 'already running']) }).meta({ id: 'Started' }),
  refuses: ['persona_unknown', 'model_failed', 'not_started'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => ({
      status: (await startPersona(deps, id)) ? ('started' as const) : ('already running' as const),
    }),
})
