/** A server of tools as it is shown: how it is, and what may be done with each of its tools. */
import type { Seq, ToolMode } from '../../journal/facts/fact-values.ts'
import { entryAt } from '../../journal/log/entry-at.ts'
import type { Journal } from '../../journal/log/journal.ts'
import type { ServerState, ServerView, ToolDefinition } from '../../packages/mcp-client/server-config.ts'
import { choiceAt, type DeclaredServer, standingOf } from '../../projections/declared-servers.ts'
import { describedOf } from './described.ts'
import { shownEntry } from './kept-server.ts'
import type { McpEntry } from './mcp-entry.ts'

export interface ToolShown {
  readonly name: string
  readonly description: string
  /** `changed`: it was allowed, and is described otherwise since: it is asked about. */
  readonly mode: ToolMode | 'changed'
  /** What was allowed and what it is now, as JSON; where it has changed. */
  readonly change?: { readonly before: string | null; readonly after: string }
}

export interface ServerShown {
  readonly name: string
  readonly transport: 'stdio' | 'http'
  readonly state: ServerState
  readonly reason: string | null
  /** Where the person signs in, as long as that is needed. */
  readonly authorize: string | null
  /** As it was declared, secrets as `***`. */
  readonly server: McpEntry
  readonly tools: readonly ToolShown[]
}

export const shownServer = async (
  name: string,
  declared: DeclaredServer,
  { state, reason, authorize, tools }: ServerView,
  journal: Journal,
): Promise<ServerShown> => ({
  ...{ name, transport: declared.server.transport, state, reason, authorize },
  server: shownEntry(declared.server),
  tools: await Promise.all(tools.map((tool) => shownTool(tool, declared, journal))),
})

const shownTool = async (
  tool: ToolDefinition,
  declared: DeclaredServer,
  journal: Journal,
): Promise<ToolShown> => {
  const { name, description, hash } = tool
  const choice = choiceAt(declared, name)
  const mode = standingOf(choice, hash)
  if (mode !== 'changed' || !choice) return { name, description, mode }
  return {
    name,
    description,
    mode,
    change: { before: await wordsOf(choice.seq, journal), after: describedOf(tool) },
  }
}

/** What was written of it when it was allowed. */
const wordsOf = async (seq: Seq, journal: Journal): Promise<string | null> => {
  const event = (await entryAt(journal, seq))?.event
  return event?.type === 'ToolModeSet' ? event.described : null
}
