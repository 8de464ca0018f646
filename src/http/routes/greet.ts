/** POST /api/persona/{persona_id}/greet */
import * as z from 'zod'
import { greetPerson } from '../../commands/talk.ts'
import { route } from '../route.ts'

export const greetRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/greet',
  summary: 'Let the persona speak first, if there is no message yet',
  description:
    'The greeting arrives over the WebSocket. The route answers `quiet` and does nothing if there is a message, during a greeting, while the Mind does not answer, or under `DAIMON_GREETING=off`.',
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
