/** Declares tool servers, sets their modes, lists and settles approvals. */
import type { Channel, Decided, PersonaId, Seq, ToolMode, ToolServer } from '../../facts/fact-values.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { entryAt } from '../../journal/log/keys.ts'
import { isHost } from '../../packages/web-reading/page-address.ts'
import { webDefinition } from '../../packages/web-reading/web-definition.ts'
import { choiceAt, serverAt, webServer } from '../../projections/declared-servers.ts'
import { type Approval, listOpenApprovals } from '../../projections/talk.ts'
import { keptAnswer } from '../persona/prune-calls.ts'
import { Refused } from '../persona/refusals.ts'
import { keptDescription } from '../tool-servers/definition-hash.ts'
import { toStoredServer } from '../tool-servers/kept-server.ts'
import { findFault, type McpEntry } from '../tool-servers/mcp-entry.ts'
import { isServerName } from '../tool-servers/server-name.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'
import { withSecrets } from './with-secrets.ts'

type SetToolModeDeps = Pick<CommandDeps, 'personas' | 'serverTools'>

/** Throws Refused: persona_unknown, tool_server_unknown, tool_unknown. */
export const setToolMode = async (
  { personas, serverTools }: SetToolModeDeps,
  id: PersonaId,
  { server, tool, mode }: { readonly server: string; readonly tool: string; readonly mode: ToolMode },
): Promise<void> => {
  const { self } = requireListed(personas, id)
  const serverEntry = serverAt(self.servers, server)
  if (!serverEntry) throw new Refused({ code: 'tool_server_unknown' })
  const foundDefinition = await serverTools.definition(self, server, tool)
  if (!foundDefinition && !choiceAt(serverEntry, tool)) throw new Refused({ code: 'tool_unknown' })
  const definition = foundDefinition?.hash ?? null
  const description = keptDescription(foundDefinition)
  await personas.execute(
    id,
    { type: 'SetToolMode', server, tool, mode, definition, described: description },
    'person',
  )
}

/** Sets the mode of a web host. Throws Refused: persona_unknown, tool_unknown if it is not a host. */
export const setHostMode = async (
  { personas, pageReader }: Pick<CommandDeps, 'personas' | 'pageReader'>,
  id: PersonaId,
  { host, mode }: { readonly host: string; readonly mode: ToolMode },
): Promise<void> => {
  requireListed(personas, id)
  if (!pageReader || !isHost(host)) throw new Refused({ code: 'tool_unknown' })
  const choice = { server: webServer, tool: host, mode, definition: webDefinition, described: null }
  await personas.execute(id, { type: 'SetToolMode', ...choice }, 'person')
}

/** The possible decisions of a person. */
export type ApprovalAnswer = Extract<Decided, 'once' | 'always' | 'no'>

/** Throws Refused: persona_unknown, approval_unknown. */
export const settleApproval = async (
  { personas, serverTools }: SetToolModeDeps,
  id: PersonaId,
  {
    approval,
    decision,
    channel = null,
  }: {
    readonly approval: Seq
    readonly decision: ApprovalAnswer
    /** The channel of the decision. */
    readonly channel?: Channel | null
  },
): Promise<void> => {
  const { self } = requireListed(personas, id)
  const request = await personas.read(id, async ({ persona }) =>
    listOpenApprovals(persona.talk).find((openApproval) => openApproval.id === approval),
  )
  if (!request) throw new Refused({ code: 'approval_unknown' })
  const now = decision === 'always' ? await serverTools.definition(self, request.server, request.tool) : null
  // The user did not approve a description that changed since.
  const description = now?.hash === request.definition ? keptDescription(now) : null
  await personas.execute(
    id,
    { type: 'SettleApproval', approval, decision, channel, described: description },
    'person',
  )
}

type DeclareToolServerDeps = Pick<CommandDeps, 'inTurn' | 'log' | 'personas' | 'serverTools'>

/** Throws Refused: persona_unknown, tool_server_invalid, tool_servers_full. */
export const declareToolServer = async (
  deps: DeclareToolServerDeps,
  id: PersonaId,
  name: string,
  entry: McpEntry,
): Promise<void> => {
  const fault = isServerName(name) ? findFault(entry) : invalidName
  requireListed(deps.personas, id)
  if (fault !== null) throw new Refused({ code: 'tool_server_invalid', reason: fault })
  await declareToolServers(deps, id, { [name]: entry })
}

/**
 * Declares all servers in one commit, or none. Throws Refused: persona_unknown, tool_server_invalid,
 * tool_servers_full.
 */
export const declareToolServers = async (
  deps: DeclareToolServerDeps,
  id: PersonaId,
  entries: Readonly<Record<string, McpEntry>>,
): Promise<void> => {
  const { inTurn, personas, serverTools } = deps
  requireListed(personas, id)
  await inTurn(id, async () => {
    const { servers: serversBefore } = requireListed(personas, id).self
    await withSecrets(deps, id, 'key', async (keepSecret) => {
      const servers: { readonly name: string; readonly server: ToolServer }[] = []
      for (const [name, entry] of Object.entries(entries))
        servers.push({
          name,
          server: await toStoredServer(entry, keepSecret, serverAt(serversBefore, name)?.server),
        })
      await personas.execute(id, { type: 'SetToolServers', servers }, 'person')
    })
    for (const name of Object.keys(entries)) await serverTools.forget(id, name)
  })
}

const invalidName =
  'The name of a tool server has 1 to 32 letters, digits, hyphens and single underscores, and begins with a letter or digit.'

/** Throws Refused: persona_unknown, tool_server_unknown. */
export const removeToolServer = async (
  { inTurn, personas, serverTools }: DeclareToolServerDeps,
  id: PersonaId,
  name: string,
): Promise<void> => {
  requireListed(personas, id)
  await inTurn(id, async () => {
    await personas.execute(id, { type: 'RemoveToolServer', name }, 'person')
    await serverTools.forget(id, name)
  })
}

export interface WaitingApproval extends Pick<Approval, 'id' | 'server' | 'tool' | 'asked'> {
  readonly turn: Seq
  readonly input: unknown
  /** The tool was allowed, but its description has changed. */
  readonly changed: boolean
  /** The tool is always allowed, but the user has not seen this address yet. */
  readonly again: boolean
}

/** Oldest first. Throws Refused: persona_unknown. */
export const waitingApprovals = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  id: PersonaId,
): Promise<readonly WaitingApproval[]> => {
  requireListed(personas, id)
  return personas.read(id, async ({ persona, journal }) => {
    const approvals: WaitingApproval[] = []
    for (const approval of listOpenApprovals(persona.talk)) {
      const { id: seq, turn, server, tool, asked: request } = approval
      const question = await readQuestion(journal, seq)
      const { changed, again = false } = question
      const input = question.input ?? (await findInput(journal, approval))
      approvals.push({ id: seq, turn, server, tool, asked: request, input, changed, again })
    }
    return approvals
  })
}

const readQuestion = async (journal: Journal, seq: Seq) => {
  const event = (await entryAt(journal, seq))?.event
  return event?.type === 'ApprovalAsked' ? event : { input: null, changed: false, again: false }
}

/** An input too long for its fact is in the answer of the Mind. */
const findInput = async (
  journal: Journal,
  { id, turn, step, call }: Approval & { readonly turn: Seq },
): Promise<unknown> => {
  for await (const { event } of journal.read({ kind: 'calls', after: turn, upTo: id })) {
    if (event.type !== 'ModelAnswered' || event.turn !== turn || event.step !== step) continue
    const answer = await keptAnswer(journal, event)
    return answer?.calls.find((toolCall) => toolCall.id === call)?.input ?? null
  }
  return null
}
