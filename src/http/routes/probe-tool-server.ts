/** POST /api/persona/{persona_id}/tools/{server}/probe */
import { known } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'
import { getServerView } from '../schema/told-server.ts'
import { ToolServerView } from '../schema/tool-shapes.ts'
import { withAbortSignal } from '../server/caller.ts'

export const probeToolServerRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/tools/{server}/probe',
  summary: 'Connect to a tool server again, and report why if that fails',
  description:
    'Starts or connects it and lists its tools. `reason` is the cause of a failure. `authorize` is the address where the user signs in, if the server requires that.',
  tag: 'Tools',
  reply: ToolServerView,
  refuses: ['persona_unknown', 'tool_server_unknown'],
  handle:
    (deps) =>
    ({ params: { persona_id: id, server }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        known(deps.personas, id)
        await deps.serverTools.probe(id, server, signal)
        return getServerView(deps, id, server)
      }),
})
