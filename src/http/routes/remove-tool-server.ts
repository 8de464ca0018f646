/** DELETE /api/persona/{persona_id}/tools/{server} */
import * as z from 'zod'
import { removeToolServer } from '../../commands/tools.ts'
import { route } from '../route.ts'

export const toolServerRemoval = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/tools/{server}',
  summary: 'Remove a tool server; its secrets and what was decided of its tools go with it',
  description: 'What runs of it ends.',
  tag: 'Tools',
  reply: z.null(),
  refuses: ['persona_unknown', 'tool_server_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id, server } }) => {
      await removeToolServer(deps, id, server)
      return null
    },
})
