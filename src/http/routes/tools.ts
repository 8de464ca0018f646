/** Routes of tools, their modes and approvals. */

import * as z from 'zod'
import { ToolMode } from '../../../facts/fact-values.ts'
import { webDefinition } from '../../../packages/web-reading/web-definition.ts'
import { getStanding } from '../../../projections/declared-servers.ts'
import type { Self } from '../../../projections/self.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { setHostMode, setToolMode, settleApproval, waitingApprovals } from '../../commands/tools.ts'
import { Refused } from '../../persona/refusals.ts'
import { route } from '../route.ts'
import { timeIn } from './memory.ts'
import { getServerView, ToolServerView } from './tool-servers.ts'

const WebHosts = z
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

const Tools = z
  .object({
    servers: z.array(ToolServerView).readonly(),
    builtin: z.array(BuiltinTool).readonly(),
  })
  .meta({ id: 'Tools' })

const Approvals = z
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

export const getToolsRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/tools',
  summary: 'The tools of the persona: its tool servers with the mode of each tool, and its own tools',
  description:
    'The servers as declared, with secrets as `***`, and their current state. Does not contact them. Tools and web hosts without a decision ask the user each time.',
  tag: 'Tools',
  reply: Tools,
  refuses: ['persona_unknown'],
  handle:
    ({ personas, pageReader, webSearch, subscribedCalendars, mailboxes, serverTools }) =>
    async ({ params: { persona_id: id } }) => {
      const { self } = requireListed(personas, id)
      const { toolsWith } = await import('../../mind/tools/tool-table.ts')
      const search = webSearch && { webSearch, readKey: personas.secret }
      const builtin = toolsWith(pageReader, search, subscribedCalendars, mailboxes).map(
        ({ spec: { name, description } }) => ({
          name,
          description,
          ...(name === 'read_page' && { hosts: listHosts(self) }),
        }),
      )
      return { servers: await serverTools.shown(id), builtin }
    },
})

export const setToolModeRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/tools/{server}/{tool}',
  summary: 'Set whether a tool is off, used after asking the user, or always allowed',
  description:
    'A tool is allowed with its current definition. If the server changes that, the user is asked again.',
  tag: 'Tools',
  body: z.object({ mode: ToolMode }).meta({ id: 'ToolModeRequest' }),
  reply: ToolServerView,
  refuses: ['persona_unknown', 'tool_server_unknown', 'tool_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id, server, tool }, body: { mode } }) => {
      await setToolMode(deps, id, { server, tool, mode })
      return getServerView(deps, id, server)
    },
})

export const setHostModeRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/hosts/{host}',
  summary:
    'Set whether pages of a web host are never read, read after asking the user, or read without asking',
  description:
    'The host as in a URL, in lower case, with its port unless that is the default. Subdomains are hosts of their own.',
  tag: 'Tools',
  body: z.object({ mode: ToolMode }).meta({ id: 'WebHostRequest' }),
  reply: z.object({ hosts: WebHosts }).meta({ id: 'WebHosts' }),
  refuses: ['persona_unknown', 'tool_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id, host }, body: { mode } }) => {
      await setHostMode(deps, id, { host, mode })
      return { hosts: listHosts(requireListed(deps.personas, id).self) }
    },
})

export const getApprovalsRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/approvals',
  summary: 'The tool calls that wait for a decision of the user',
  description:
    'The oldest first. The turn of such a call is suspended, and other turns run meanwhile. Without a decision within a day the call is denied.',
  tag: 'Tools',
  reply: Approvals,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      const waitingCalls = await waitingApprovals(deps, id)
      const time = timeIn(deps.clock)
      return {
        approvals: waitingCalls.map(({ asked: askedAt, ...approval }) => ({
          ...approval,
          asked_at: time(askedAt),
        })),
      }
    },
})

export const settleApprovalRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/approvals/{id}',
  summary: 'Decide whether a tool may be used: for this call, always, or not',
  description:
    '`always` applies to that tool of that server with its current definition. The turn continues immediately if the persona is running, otherwise when it is started.',
  tag: 'Tools',
  body: z.object({ decision: z.enum(['once', 'always', 'no']) }).meta({ id: 'ApprovalRequest' }),
  reply: z.object({ status: z.literal('settled') }).meta({ id: 'ApprovalSettled' }),
  refuses: ['persona_unknown', 'approval_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, body: { decision } }) => {
      requireListed(deps.personas, persona)
      if (!/^[1-9]\d{0,15}$/.test(id)) throw new Refused({ code: 'approval_unknown' })
      await settleApproval(deps, persona, { approval: Number(id), decision })
      return { status: 'settled' } as const
    },
})

const listHosts = ({ hosts }: Pick<Self, 'hosts'>) =>
  Object.entries(hosts).map(([host, choice]) => ({ host, mode: getStanding(choice, webDefinition) }))
