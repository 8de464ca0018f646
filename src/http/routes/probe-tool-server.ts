/** POST /api/persona/{persona_id}/tools/{server}/probe */
import { known } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'
import { toldOne } from '../schema/told-server.ts'
import { ToolServerView } from '../schema/tool-shapes.ts'
import { whileThere } from '../server/caller.ts'

export const toolServerProbe = route({
  method: 'post',
  path: '/api/persona/{persona_id}/tools/{server}/probe',
  summary: 'Reach a tool server anew, and say what is wrong where it cannot be reached',
  description:
    'Starts or connects it and asks for its tools. `reason` says in words what is wrong; `authorize` is where the person signs in, where it wants that.',
  tag: 'Tools',
  reply: ToolServerView,
  refuses: ['persona_unknown', 'tool_server_unknown'],
  handle:
    (deps) =>
    ({ params: { persona_id: id, server }, response }) =>
      whileThere(response, deps.closing, async (gone) => {
        known(deps.personas, id)
        await deps.serverTools.probe(id, server, gone)
        return toldOne(deps, id, server)
      }),
})
