/**
 * One entry in the common `mcpServers` format, as users paste it. Possible secrets go to the secrets file.
 * Source of the format: the configuration files of MCP clients, modelcontextprotocol.io.
 */
import * as z from 'zod'

const texts = z.record(z.string().max(200), z.string().max(8192))

const variables =
  'Kept as secrets. A name in braces behind a dollar sign is read from the environment of the daemon.'

/** Unknown fields are dropped, because other clients add their own. */
export const McpEntry = z
  .object({
    type: z.string().optional().describe('stdio, http or sse; derived from the other fields if absent'),
    command: z.string().min(1).max(4096).optional().describe('A program to be started.'),
    args: z.array(z.string().max(8192)).max(200).optional(),
    cwd: z.string().max(4096).optional().describe('The folder it is started in; by default the home folder.'),
    env: texts.optional().describe(variables),
    url: z.string().min(1).max(4096).optional().describe('In place of a program: a Streamable HTTP address.'),
    headers: texts.optional().describe(variables),
    oauth: z
      .object({
        client_id: z.string().min(1).max(1000),
        client_secret: z.string().max(8192).optional(),
        scope: z.string().max(1000).optional(),
        issuer: z.string().max(4096).optional(),
        redirect_port: z.int().min(1).max(65535).optional(),
      })
      .optional()
      .describe('A client that is registered with the server already.'),
    disabled: z.boolean().optional(),
    secret_values: z
      .array(z.string().min(1).max(8192))
      .max(100)
      .optional()
      .describe(
        'Values of this declaration that are secrets although they do not look like it. Not shown again.',
      ),
    plain_values: z
      .array(z.string().min(1).max(8192))
      .max(100)
      .optional()
      .describe('Values that are not secrets: they are shown, and not masked in answers of the server.'),
  })
  .meta({ id: 'ToolServerRequest' })
export type McpEntry = z.infer<typeof McpEntry>

/** Returns why the entry is invalid, or null. */
export const findFault = ({ command, url }: McpEntry): string | null => {
  if (command === undefined && url === undefined) return 'A tool server needs a command or a url.'
  if (command !== undefined && url !== undefined) return 'A tool server has a command or a url, and not both.'
  return url === undefined ? null : addressFault(url)
}

const addressFault = (text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'The url of a tool server must begin with http:// or https://.'
  return url.username || url.password
    ? 'The url of a tool server must not hold a name or password; give them as headers.'
    : null
}
