/** POST /api/persona/{persona_id}/restart */
import * as z from 'zod'
import { restartPersona } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'

export const restart = route({
  method: 'post',
  path: '/api/persona/{persona_id}/restart',
  summary: 'Build the agent of the persona anew from what is on disk; start it where none runs',
  description: 'Asks its Mind first, and changes nothing where that does not answer.',
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
