/** A tool server for display: its state, and the permission of each tool. */
import type { Seq, ToolMode } from '../../facts/fact-values.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { entryAt } from '../../journal/log/keys.ts'
import type { ServerState, ServerView, ToolDefinition } from '../../packages/mcp-client/server-config.ts'
import { choiceAt, type DeclaredServer, getStanding } from '../../projections/declared-servers.ts'
import { hashDefinition } from './definition-hash.ts'
import { shownEntry } from './kept-server.ts'
import type { McpEntry } from './mcp-entry.ts'

export interface ToolShown {
  readonly name: string
  readonly description: string
  /** `changed`: the tool was allowed, but its definition has changed since. The user is asked again. */
  readonly mode: ToolMode | 'changed'
  /** The allowed and the current definition as JSON. Present if the mode is `changed`. */
  readonly change?: { readonly before: string | null; readonly after: string }
}

export interface ServerShown {
  readonly name: string
  readonly transport: 'stdio' | 'http'
  readonly state: ServerState
  readonly reason: string | null
  /** The sign-in address, if the user must sign in. */
  readonly authorize: string | null
  /** The declaration, with secrets as `***`. */
  readonly server: McpEntry
  readonly tools: readonly ToolShown[]
}

export const shownServer = async (
  name: string,
  server: DeclaredServer,
  { state, reason, authorize, tools }: ServerView,
  journal: Journal,
): Promise<ServerShown> => ({
  name,
  transport: server.server.transport,
  state,
  reason,
  authorize,
  server: shownEntry(server.server),
  tools: await Promise.all(tools.map((tool) => shownTool(tool, server, journal))),
})

const shownTool = async (
  tool: ToolDefinition,
  server: DeclaredServer,
  journal: Journal,
): Promise<ToolShown> => {
  const { name, description, hash } = tool
  const choice = choiceAt(server, name)
  const mode = getStanding(choice, hash)
  if (mode !== 'changed' || !choice) return { name, description, mode }
  return {
    name,
    description,
    mode,
    change: { before: await readDefinition(choice.seq, journal), after: hashDefinition(tool) },
  }
}

/** Returns the definition that was stored with the permission. */
const readDefinition = async (seq: Seq, journal: Journal): Promise<string | null> => {
  const event = (await entryAt(journal, seq))?.event
  return event?.type === 'ToolModeSet' ? event.described : null
}
