/** POST /api/persona/{persona_id}/tools/{server}/probe */
import { known } from '../../commands/known.ts'
import { Refused } from '../../persona/refusals.ts'
import { route } from '../route.ts'
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
    ({ personas, serverTools, closing }) =>
    ({ params: { persona_id: id, server }, response }) =>
      whileThere(response, closing, async (gone) => {
        known(personas, id)
        const shown = await serverTools.probe(id, server, gone)
        if (!shown) throw new Refused({ code: 'tool_server_unknown' })
        return shown
      }),
})
