/** What a host of the web is allowed for, as a tool of a server is for what it is described as. */
import { createHash } from 'node:crypto'

export const webDefinition = createHash('sha256').update('read pages of this host').digest('hex')
