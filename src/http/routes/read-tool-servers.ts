/** POST /api/persona/{persona_id}/tools/read */
import * as z from 'zod'
import { known } from '../../commands/lifecycle.ts'
import { configurationForms } from '../../tool-servers/configuration-forms.ts'
import { McpEntry } from '../../tool-servers/mcp-entry.ts'
import { readConfiguration } from '../../tool-servers/read-configuration.ts'
import { route } from '../route.ts'
import { PastedServers, ServerInputs, SkippedServers } from '../schema/pasted-servers.ts'

export const readToolServersRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/tools/read',
  summary:
    'Parse a pasted configuration of another app, and return its servers as mcpServers. Stores nothing',
  description: `Forms that are read: ${configurationForms.map(({ key, apps }) => `\`${key}\` (${apps})`).join(', ')}; as \`text\` also JSON with comments, TOML, YAML, an address, a line of a shell that starts a server (\`npx -y …\`) and one by which an app adds it (\`claude mcp add …\`). What is wrong is told for each server.`,
  tag: 'Tools',
  body: PastedServers,
  reply: z
    .object({ mcpServers: z.record(z.string(), McpEntry), inputs: ServerInputs, skipped: SkippedServers })
    .meta({ id: 'ToolServersRead' }),
  refuses: ['persona_unknown', 'tool_server_invalid'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id }, body: { text, input_values, ...configuration } }) => {
      known(personas, id)
      const { servers, inputs, disabled } = await readConfiguration(text ?? configuration, input_values)
      return { mcpServers: servers, inputs, skipped: disabled }
    },
})
