/** POST /api/persona/{persona_id}/greet */
import * as z from 'zod'
import { greetPerson } from '../../commands/talk.ts'
import { route } from '../route.ts'

export const greet = route({
  method: 'post',
  path: '/api/persona/{persona_id}/greet',
  summary: 'Let the persona speak first, where nothing was ever said',
  description:
    'Its greeting comes over the WebSocket. Once anything was said, while a greeting is under way, while its Mind does not answer, or under `DAIMON_GREETING=off`, it says that it is quiet and does nothing.',
  tag: 'Talk',
  reply: z.object({ status: z.enum(['greeting', 'quiet']) }).meta({ id: 'Greeted' }),
  refuses: ['not_active', 'web_closed'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => ({
      status: (await greetPerson(deps, id, deps.config.greeting))
        ? ('greeting' as const)
        : ('quiet' as const),
    }),
})
