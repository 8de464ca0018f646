/** POST /api/persona/{persona_id}/stop */
import * as z from 'zod'
import { stopPersona } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'

export const stopRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/stop',
  summary: 'Stop the agent of the persona. Its files and status stay unchanged',
  description: 'A turn in progress is put back and continues at the next start.',
  tag: 'Personas',
  reply: z.object({ status: z.literal('stopped') }).meta({ id: 'Stopped' }),
  refuses: ['not_running'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      await stopPersona(deps, id)
      return { status: 'stopped' as const }
    },
})
