/**
 * Writes a mail of any format: its header, the list of its attachments, its text, and the text of attached
 * text files.
 */
import { decodeBytes } from './encodings.ts'
import { readHtml } from './html.ts'
import type { Limits } from './limits.ts'
import type { Paper } from './paper.ts'
import { createLayoutTables } from './tables.ts'
import { findEncoding } from './text-encoding.ts'
import { toSample } from './text-sample.ts'

export interface Attached {
  readonly name: string | null
  readonly type: string
  readonly bytes: number
}

export interface Letter {
  readonly subject: string | undefined
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly date: string | undefined
  readonly attached: readonly Attached[]
  /** Number of pictures, style sheets and similar parts that belong to the text. */
  readonly embedded: number
  readonly html: string | undefined
  /** Used if there is no HTML. Mail programs prefer HTML, too. */
  readonly text: string
}

export const writeLetter = async (letter: Letter, limits: Limits, paper: Paper): Promise<void> => {
  const head = { Subject: [letter.subject ?? ''], From: letter.from, To: letter.to, Cc: letter.cc }
  for (const [name, values] of Object.entries({ ...head, Date: [letter.date ?? ''] }))
    if (values.some(Boolean)) paper.line(`${name}: ${toOneLine(shorten(values, 50).join(', '))}`)
  if (letter.attached.length > 0) paper.line('Attachments:')
  for (const entry of shorten(letter.attached.map(describe), 200)) paper.line(`- ${toOneLine(entry)}`)
  if (letter.embedded > 0) paper.line(`Files that belong to the text: ${letter.embedded}`)
  paper.gap()
  // The HTML is decoded already. The byte order mark takes precedence over an encoding that it declares.
  if (letter.html) await readHtml(toChunks(`\ufeff${letter.html}`), limits, createLayoutTables(paper))
  else writeText(letter.text, paper)
}

const writeText = (text: string, paper: Paper): void => {
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim()) paper.line(line)
    else paper.gap()
  }
}

const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const shorten = (entries: readonly string[], maxEntries: number): readonly string[] =>
  entries.length > maxEntries
    ? [...entries.slice(0, maxEntries), `and ${entries.length - maxEntries} more`]
    : entries

const describe = ({ name, type, bytes }: Attached): string =>
  `${name || 'without a name'} (${type || 'unknown type'}, ${formatBytes(bytes)})`

const formatBytes = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}

const toChunks = async function* (text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** Attachment types that are shown as text. An invitation is the message of its mail. */
const readableTypes = new Set(['text/plain', 'text/csv', 'text/markdown', 'text/calendar'])

export const writeAttachedText = async (
  { name, type }: Attached,
  read: () => Buffer,
  paper: Paper,
): Promise<void> => {
  if (!readableTypes.has(type)) return
  const bytes = read()
  const encoding = await findEncoding(toSample(bytes))
  if (!encoding) return
  paper.gap()
  paper.line(`[attachment] ${name || type}`)
  for (const line of decodeBytes(bytes, encoding.label).split('\n')) paper.line(line)
}
