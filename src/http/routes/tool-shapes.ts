/** Shapes of tool servers and approvals in responses. */

import * as z from 'zod'
import { type PersonaId, ToolMode } from '../../../journal/facts/fact-values.ts'
import { webDefinition } from '../../../packages/web-reading/web-definition.ts'
import { getStanding } from '../../../projections/declared-servers.ts'
import type { Self } from '../../../projections/self.ts'
import { Refused } from '../../persona/refusals.ts'
import { McpEntry } from '../../tool-servers/mcp-entry.ts'
import type { ServerTools } from '../../tool-servers/server-tools.ts'
import type { ServerShown } from '../../tool-servers/shown-server.ts'

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

export const WebHosts = z
  .array(
    z.object({ host: z.string(), mode: z.enum([...ToolMode.options, 'changed']) }).meta({ id: 'WebHost' }),
  )
  .readonly()

const BuiltinTool = z
  .object({
    name: z.string(),
    description: z.string(),
    hosts: WebHosts.exactOptional().describe(
      'For read_page: the web hosts with a decision. For all others the user is asked.',
    ),
  })
  .meta({ id: 'BuiltinTool' })

export const Tools = z
  .object({
    servers: z.array(ToolServerView).readonly(),
    builtin: z.array(BuiltinTool).readonly(),
  })
  .meta({ id: 'Tools' })

export const Approvals = z
  .object({
    approvals: z
      .array(
        z
          .object({
            id: z.int().describe('Its position in the journal.'),
            turn: z.int(),
            server: z.string(),
            tool: z.string(),
            input: z.unknown(),
            asked_at: z.string(),
            changed: z.boolean().describe('It was allowed, but its definition has changed.'),
            again: z.boolean().describe('It is allowed always, but the user has not seen this address yet.'),
          })
          .meta({ id: 'Approval' }),
      )
      .readonly(),
  })
  .meta({ id: 'Approvals' })

// Shows the decisions about web hosts.

export const listHosts = ({ hosts }: Pick<Self, 'hosts'>) =>
  Object.entries(hosts).map(([host, choice]) => ({ host, mode: getStanding(choice, webDefinition) }))

// Shows one tool server of a persona.

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
