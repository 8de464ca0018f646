/** Definition hash under which the user allows a host, like the hash of an MCP tool's definition. */
import { createHash } from 'node:crypto'

export const webDefinition = createHash('sha256').update('read pages of this host').digest('hex')
