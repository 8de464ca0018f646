/** PUT /api/persona/{persona_id}/tools/{server} */
import { declareToolServer } from '../../commands/tools.ts'
import { McpEntry } from '../../tool-servers/mcp-entry.ts'
import { route } from '../route.ts'
import { getServerView } from '../schema/told-server.ts'
import { ToolServerView } from '../schema/tool-shapes.ts'

export const putToolServerRoute = route({
  method: 'put',
  path: '/api/persona/{persona_id}/tools/{server}',
  summary:
    'Declare a tool server of the persona, or change one: one entry of the mcpServers form. A secret sent as *** is not changed',
  description:
    'Values of `env` and `headers`, the query of the URL, and all other values that are or may be secrets are stored in the secrets file, unless `plain_values` names them. The persona is not restarted, and the decisions about its tools stay.',
  tag: 'Tools',
  body: McpEntry,
  reply: ToolServerView,
  refuses: ['persona_unknown', 'tool_server_invalid', 'tool_servers_full'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id, server }, body }) => {
      await declareToolServer(deps, id, server, body)
      return getServerView(deps, id, server)
    },
})
