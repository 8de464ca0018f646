/** PATCH /api/persona/{persona_id}/tools/{server}/{tool} */
import * as z from 'zod'
import { ToolMode } from '../../../journal/facts/fact-values.ts'
import { setToolMode } from '../../commands/tools.ts'
import { route } from '../route.ts'
import { toldOne } from '../schema/told-server.ts'
import { ToolServerView } from '../schema/tool-shapes.ts'

export const toolMode = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/tools/{server}/{tool}',
  summary: 'Decide whether a tool is off, asked about each time, or allowed as it is described now',
  description:
    'A tool that is allowed is allowed as it is described now: described otherwise, it is asked about again.',
  tag: 'Tools',
  body: z.object({ mode: ToolMode }).meta({ id: 'ToolModeRequest' }),
  reply: ToolServerView,
  refuses: ['persona_unknown', 'tool_server_unknown', 'tool_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id, server, tool }, body: { mode } }) => {
      await setToolMode(deps, id, { server, tool, mode })
      return toldOne(deps, id, server)
    },
})
