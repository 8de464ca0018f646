/** Sets tool modes and settles approvals. */
import type { Channel, Decided, PersonaId, Seq, ToolMode } from '../../journal/facts/fact-values.ts'
import { isHost } from '../../packages/web-reading/page-address.ts'
import { webDefinition } from '../../packages/web-reading/web-definition.ts'
import { choiceAt, serverAt, webServer } from '../../projections/declared-servers.ts'
import { openApprovals } from '../../projections/talk.ts'
import { Refused } from '../persona/refusals.ts'
import { keptDescription } from '../tool-servers/described.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

type Deps = Pick<CommandDeps, 'personas' | 'serverTools'>

/** Throws Refused: persona_unknown, tool_server_unknown, tool_unknown. */
export const setToolMode = async (
  { personas, serverTools }: Deps,
  id: PersonaId,
  { server, tool, mode }: { readonly server: string; readonly tool: string; readonly mode: ToolMode },
): Promise<void> => {
  const { self } = known(personas, id)
  const declared = serverAt(self.servers, server)
  if (!declared) throw new Refused({ code: 'tool_server_unknown' })
  const found = await serverTools.definition(self, server, tool)
  if (!found && !choiceAt(declared, tool)) throw new Refused({ code: 'tool_unknown' })
  const definition = found?.hash ?? null
  const described = keptDescription(found)
  await personas.execute(id, { type: 'SetToolMode', server, tool, mode, definition, described }, 'person')
}

/** Sets the mode of a web host. Throws Refused: persona_unknown, tool_unknown if it is not a host. */
export const setHostMode = async (
  { personas, pageReader }: Pick<CommandDeps, 'personas' | 'pageReader'>,
  id: PersonaId,
  { host, mode }: { readonly host: string; readonly mode: ToolMode },
): Promise<void> => {
  known(personas, id)
  if (!pageReader || !isHost(host)) throw new Refused({ code: 'tool_unknown' })
  const choice = { server: webServer, tool: host, mode, definition: webDefinition, described: null }
  await personas.execute(id, { type: 'SetToolMode', ...choice }, 'person')
}

/** The possible decisions of a person. */
export type Answered = Extract<Decided, 'once' | 'always' | 'no'>

/** Throws Refused: persona_unknown, approval_unknown. */
export const settleApproval = async (
  { personas, serverTools }: Deps,
  id: PersonaId,
  {
    approval,
    decision,
    channel = null,
  }: {
    readonly approval: Seq
    readonly decision: Answered
    /** The channel of the decision. */
    readonly channel?: Channel | null
  },
): Promise<void> => {
  const { self } = known(personas, id)
  const asked = await personas.read(id, async ({ persona }) =>
    openApprovals(persona.talk).find((one) => one.id === approval),
  )
  if (!asked) throw new Refused({ code: 'approval_unknown' })
  const now = decision === 'always' ? await serverTools.definition(self, asked.server, asked.tool) : null
  // The user did not approve a description that changed since.
  const described = now?.hash === asked.definition ? keptDescription(now) : null
  await personas.execute(id, { type: 'SettleApproval', approval, decision, channel, described }, 'person')
}
