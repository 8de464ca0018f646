/** Reads the needed parts of the header of a mail (RFC 5322) before its text is parsed. */
import { hash } from 'node:crypto'

/** In bytes. */
const maxHeaderBytes = 64 * 1024

export interface MailHeader {
  /**
   * Identifies the mail when a server numbers its mails again. Null if its header has neither an id nor a
   * date.
   */
  readonly key: string | null
  /** Mail of a list, an advertisement or a machine, according to its header. */
  readonly isBulk: boolean
}

/** `bytes`: the mail or its beginning. Never throws. */
export const readHeader = (bytes: Buffer): MailHeader => {
  const fields = readFields(bytes)
  const identity = ['message-id', 'date', 'from', 'subject'].map((name) => fields.get(name) ?? '')
  const hasIdentity = fields.has('message-id') || fields.has('date')
  const key = hasIdentity ? hash('sha256', identity.join('\n')).slice(0, 16) : null
  return { key, isBulk: isBulk(fields) }
}

/** The first field of each name, by name in lower case, unfolded. */
const readFields = (bytes: Buffer): ReadonlyMap<string, string> => {
  const text = bytes.subarray(0, maxHeaderBytes).toString('latin1').replace(/\r\n?/g, '\n')
  const end = text.startsWith('\n') ? 0 : text.indexOf('\n\n')
  const fields = new Map<string, string>()
  let name = ''
  for (const line of (end < 0 ? text : text.slice(0, end)).split('\n')) {
    const value = fields.get(name)
    if (/^[ \t]/.test(line)) {
      if (value !== undefined) fields.set(name, `${value} ${line.trim()}`.trim())
      continue
    }
    const colon = line.indexOf(':')
    name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    if (name === '' || fields.has(name)) name = ''
    else fields.set(name, line.slice(colon + 1).trim())
  }
  return fields
}

/** Sources: RFC 2369, RFC 2919, RFC 3834. */
const isBulk = (fields: ReadonlyMap<string, string>): boolean =>
  fields.has('list-unsubscribe') ||
  fields.has('list-id') ||
  /^(?:bulk|list|junk)\b/i.test(fields.get('precedence') ?? '') ||
  /^auto-generated\b/i.test(fields.get('auto-submitted') ?? '')
