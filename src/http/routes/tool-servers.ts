/** Routes that declare, probe and import tool servers. */

import * as z from 'zod'
import { type PersonaId, ToolMode } from '../../../facts/fact-values.ts'
import { declaredTexts } from '../../../packages/mcp-client/secret-parts.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { declareToolServer, declareToolServers, removeToolServer } from '../../commands/tools.ts'
import { Refused } from '../../persona/refusals.ts'
import { configurationForms } from '../../tool-servers/configuration-forms.ts'
import { McpEntry } from '../../tool-servers/mcp-entry.ts'
import { maxConfigurationLength, readConfiguration } from '../../tool-servers/read-configuration.ts'
import type { ServerTools } from '../../tool-servers/server-tools.ts'
import type { ServerShown } from '../../tool-servers/shown-server.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'

const Tool = z
  .object({
    name: z.string(),
    description: z.string(),
    mode: z
      .enum([...ToolMode.options, 'changed'])
      .describe('`changed`: it was allowed, but its definition has changed, so the user is asked.'),
    change: z
      .object({ before: z.string().nullable(), after: z.string() })
      .exactOptional()
      .describe('The allowed definition and the current one, as JSON.'),
  })
  .meta({ id: 'ServerTool' })

export const ToolServerView = z
  .object({
    name: z.string(),
    transport: z.enum(['stdio', 'http']),
    state: z
      .enum(['ready', 'starting', 'failing', 'off'])
      .describe('`off`: it does not run now, and is started when it is needed.'),
    reason: z.string().nullable(),
    authorize: z.string().nullable().describe('Address where the user signs in, as long as that is needed.'),
    server: McpEntry.describe('As declared, with secrets as `***`.'),
    tools: z.array(Tool).readonly(),
  })
  .meta({ id: 'ToolServer' })

/** Throws tool_server_unknown. */
export const getServerView = async (
  { serverTools }: { readonly serverTools: Pick<ServerTools, 'shown'> },
  id: PersonaId,
  name: string,
): Promise<ServerShown> => {
  const shownServer = (await serverTools.shown(id)).find((server) => server.name === name)
  if (!shownServer) throw new Refused({ code: 'tool_server_unknown' })
  return shownServer
}

const PastedServers = z
  .looseObject({
    text: z
      .string()
      .max(maxConfigurationLength)
      .optional()
      .describe(
        'The configuration as text in any supported form. Without it, the other fields are the configuration.',
      ),
    input_values: z
      .record(z.string().max(200), z.string().max(8192))
      .optional()
      .describe('Values of `inputs`, by their ids.'),
    mcpServers: z.unknown().optional().describe('Servers by name, or another key of a supported form.'),
  })
  .meta({ id: 'ToolServersRequest' })

const ServerInputs = z
  .array(
    z.object({
      id: z.string(),
      description: z.string(),
      secret: z.boolean(),
      variable: z.string().describe('Read from the environment of the daemon if no value was given.'),
    }),
  )
  .readonly()
  .describe('Values that the configuration asks for, as `{input:id}` after a dollar sign.')

const SkippedServers = z.array(z.string()).readonly().describe('Servers that are disabled there.')

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
        requireListed(deps.personas, id)
        await deps.serverTools.probe(id, server, signal)
        return getServerView(deps, id, server)
      }),
})

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
      requireListed(personas, id)
      const { servers, inputs, disabled } = await readConfiguration(text ?? configuration, input_values)
      return { mcpServers: servers, inputs, skipped: disabled }
    },
})

const JudgedValue = z
  .object({
    server: z.string(),
    field: z.enum(['command', 'args', 'env', 'url', 'headers', 'client_secret']),
    key: z
      .union([z.string(), z.int()])
      .nullable()
      .describe('Index in `args`, or name in `env` and `headers`.'),
    start: z.int().describe('In UTF-16 units of the text, up to `end`.'),
    end: z.int(),
    name: z.string().nullable().describe('Name of its option, variable, header or field.'),
    verdict: z.enum(['secret', 'unsure']),
  })
  .meta({ id: 'JudgedValue' })

export const judgeToolServersRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/tools/judge',
  summary: 'Judge which values of declarations are secrets. Stores nothing and returns no values',
  description:
    'An `unsure` value is stored as a secret unless `plain_values` of the declaration names it. Values that are not listed are plain.',
  tag: 'Tools',
  body: z
    .object({ mcpServers: z.record(z.string().max(200), McpEntry) })
    .meta({ id: 'ToolServersJudgeRequest' }),
  reply: z.object({ values: z.array(JudgedValue).readonly() }).meta({ id: 'ToolServersJudged' }),
  refuses: ['persona_unknown'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id }, body: { mcpServers } }) => {
      requireListed(personas, id)
      const values = Object.entries(mcpServers).flatMap(([server, entry]) =>
        declaredTexts(entry).flatMap(({ field, key, parts }) =>
          parts.flatMap(({ start, end, name, verdict }) =>
            verdict === 'plain' ? [] : [{ server, field, key, start, end, name, verdict }],
          ),
        ),
      )
      return { values }
    },
})

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
      requireListed(deps.personas, id)
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
