/** The definition of a tool as a person can hold it against a later one. */
import type { ToolDefinition } from '../../packages/mcp-client/server-config.ts'

/** JSON. */
export const describedOf = ({ name, description, parameters }: ToolDefinition): string =>
  JSON.stringify({ name, description, parameters })

/** Bytes of what is kept in a fact. */
const mostKept = 16 * 1024

export const keptDescription = (tool: ToolDefinition | null): string | null => {
  const text = tool && describedOf(tool)
  return text !== null && Buffer.byteLength(text) <= mostKept ? text : null
}
