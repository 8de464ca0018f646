/** The definition of a tool as JSON text, for comparison with a later definition. */
import type { ToolDefinition } from '../../packages/mcp-client/server-config.ts'

export const hashDefinition = ({ name, description, parameters }: ToolDefinition): string =>
  JSON.stringify({ name, description, parameters })

/** Max bytes stored in a fact. */
const maxKeptLength = 16 * 1024

export const keptDescription = (tool: ToolDefinition | null): string | null => {
  const text = tool && hashDefinition(tool)
  return text !== null && Buffer.byteLength(text) <= maxKeptLength ? text : null
}
