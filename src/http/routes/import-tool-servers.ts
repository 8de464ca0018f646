/** POST /api/persona/{persona_id}/tools/import */
import * as z from 'zod'
import { known } from '../../commands/lifecycle.ts'
import { declareToolServers } from '../../commands/tools.ts'
import { readConfiguration } from '../../tool-servers/read-configuration.ts'
import { route } from '../route.ts'
import { PastedServers, ServerInputs, SkippedServers } from '../schema/pasted-servers.ts'
import { ToolServerView } from '../schema/tool-shapes.ts'

export const importToolServersRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/tools/import',
  summary: 'Declare tool servers from the pasted configuration of another app. Adds all of them, or none',
  description:
    'The forms are those of `tools/read`. Names are changed to at most 32 letters, digits, hyphens and underscores. Servers that are disabled there are left out and listed.',
  tag: 'Tools',
  body: PastedServers,
  reply: z
    .object({ servers: z.array(ToolServerView).readonly(), inputs: ServerInputs, skipped: SkippedServers })
    .meta({ id: 'ToolServersImported' }),
  refuses: ['persona_unknown', 'tool_server_invalid', 'tool_servers_full'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { text, input_values, ...configuration } }) => {
      known(deps.personas, id)
      const { servers, inputs, disabled } = await readConfiguration(text ?? configuration, input_values)
      await declareToolServers(deps, id, servers)
      const shownServers = await deps.serverTools.shown(id)
      return {
        servers: shownServers.filter(({ name }) => Object.hasOwn(servers, name)),
        inputs,
        skipped: disabled,
      }
    },
})
