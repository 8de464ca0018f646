/** POST /api/persona/{persona_id}/tools/import */
import * as z from 'zod'
import { asServerName, declareToolServer } from '../../commands/declare-tool-server.ts'
import { known } from '../../commands/known.ts'
import { McpEntry } from '../../tool-servers/mcp-entry.ts'
import { route } from '../route.ts'
import { ToolServerView } from '../schema/tool-shapes.ts'

export const toolServerImport = route({
  method: 'post',
  path: '/api/persona/{persona_id}/tools/import',
  summary:
    'Declare tool servers as another client has them: the mcpServers of its configuration, pasted as it is',
  description:
    'Names are made to fit: letters, digits, hyphens and underscores, 32 of them at most. Servers that are switched off there are left out, and named.',
  tag: 'Tools',
  body: z.object({ mcpServers: z.record(z.string().max(200), McpEntry) }).meta({ id: 'ToolServersRequest' }),
  reply: z
    .object({
      servers: z.array(ToolServerView).readonly(),
      skipped: z.array(z.string()).readonly().describe('Those that are switched off there.'),
    })
    .meta({ id: 'ToolServersImported' }),
  refuses: ['persona_unknown', 'tool_server_invalid', 'tool_servers_full'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { mcpServers } }) => {
      known(deps.personas, id)
      const all = Object.entries(mcpServers)
      const on = all.filter(([, { disabled }]) => !disabled)
      const names: string[] = []
      for (const [given, entry] of on) {
        const name = asServerName(given)
        await declareToolServer(deps, id, name, entry)
        names.push(name)
      }
      const shown = await deps.serverTools.shown(id)
      return {
        servers: shown.filter(({ name }) => names.includes(name)),
        skipped: all.filter(([, { disabled }]) => disabled).map(([name]) => name),
      }
    },
})
