/** PATCH /api/persona/{persona_id}/tools/{server}/{tool} */
import * as z from 'zod'
import { ToolMode } from '../../../journal/facts/fact-values.ts'
import { setToolMode } from '../../commands/tools.ts'
import { route } from '../route.ts'
import { getServerView } from '../schema/told-server.ts'
import { ToolServerView } from '../schema/tool-shapes.ts'

export const setToolModeRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/tools/{server}/{tool}',
  summary: 'Set whether a tool is off, used after asking the user, or always allowed',
  description:
    'A tool is allowed with its current definition. If the server changes that, the user is asked again.',
  tag: 'Tools',
  body: z.object({ mode: ToolMode }).meta({ id: 'ToolModeRequest' }),
  reply: ToolServerView,
  refuses: ['persona_unknown', 'tool_server_unknown', 'tool_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id, server, tool }, body: { mode } }) => {
      await setToolMode(deps, id, { server, tool, mode })
      return getServerView(deps, id, server)
    },
})
