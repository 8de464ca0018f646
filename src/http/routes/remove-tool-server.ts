/** DELETE /api/persona/{persona_id}/tools/{server} */
import * as z from 'zod'
import { removeToolServer } from '../../commands/tools.ts'
import { route } from '../route.ts'

export const removeToolServerRoute = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/tools/{server}',
  summary: 'Remove a tool server with its secrets and the decisions about its tools',
  description: 'Its processes are ended.',
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
