/**
 * Reads a mail (RFC 5322) or a saved page (MHTML, RFC 2557): its header, the list of its attachments, its
 * text. Attached mails become part of the text. Other attachments are not opened, except for plain text.
 */
import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { decodeBytes } from './encodings.ts'
import { type Limits, Unreadable } from './limits.ts'
import { type Attached, writeAttachedText, writeLetter } from './mail-letter.ts'
import type { Paper } from './paper.ts'
import { readPlain } from './plain-text.ts'
import { findEncoding, guessNote } from './text-encoding.ts'
import { toSample } from './text-sample.ts'

/** A file without any mail header field is read as plain text. */
export const readMail = async (path: string, limits: Limits, paper: Paper): Promise<void> => {
  if ((await stat(path)).size > limits.whole) throw new Unreadable('too_large')
  const mail = await parse(await toDeclared(await readFile(path), paper), limits)
  if (!mail.headers.some(({ key }) => fields.has(key))) return readPlain(path, limits, paper)
  const files = mail.attachments.filter(isAttached)
  await writeLetter(
    {
      subject: mail.subject,
      from: mail.from ? [nameAddress(mail.from)] : [],
      to: mail.to?.map(nameAddress) ?? [],
      cc: mail.cc?.map(nameAddress) ?? [],
      // The original header value: postal-mime drops the sender's time zone.
      date: mail.headers.find(({ key }) => key === 'date')?.value,
      attached: files.map(describe),
      embedded: mail.attachments.length - files.length,
      html: mail.html && repair(mail.html),
      text: repair(mail.text ?? ''),
    },
    limits,
    paper,
  )
  for (const file of mail.attachments) await writeAttachedText(describe(file), () => toBuffer(file), paper)
}

/** Header fields of which every mail has at least one. */
const fields = new Set(['from', 'to', 'subject', 'date', 'received', 'mime-version', 'content-type'])

const parse = async (bytes: Buffer, { depth }: Limits): Promise<Email> => {
  try {
    return await PostalMime.parse(bytes, { maxNestingDepth: depth })
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (message.startsWith('Maximum MIME nesting depth')) throw new Unreadable('bomb')
    throw new Unreadable(message.startsWith('Maximum header size') ? 'too_large' : 'damaged')
  }
}

/** postal-mime decodes 8-bit text as UTF-8 if no encoding is declared. Such a mail is converted first. */
const toDeclared = async (bytes: Buffer, paper: Paper): Promise<Buffer> => {
  if (isUtf8(bytes) || bytes.includes('charset=')) return bytes
  const encoding = await findEncoding(toSample(bytes))
  if (!encoding || encoding.label === 'utf-8') return bytes
  const note = guessNote(encoding, 'file')
  if (note) paper.note(note)
  return Buffer.from(decodeBytes(bytes, encoding.label))
}

/** Node 20 decodes Windows-1252 as ISO 8859-1 in postal-mime: a dash becomes a control character. */
const repair = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (sign) => decodeBytes(Buffer.from(sign, 'latin1'), 'windows-1252'))

const nameAddress = ({ name, address, group }: Address): string => {
  if (group) return `${name}: ${group.map(nameAddress).join(', ')}`
  return repair(name && address ? `${name} <${address}>` : name || address)
}

/** Pictures and style sheets that belong to the text are not listed individually. */
const isAttached = ({ disposition, filename, related }: Attachment): boolean =>
  !related && (disposition === 'attachment' || filename !== null)

const toBuffer = ({ content }: Attachment): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer)

const describe = (file: Attachment): Attached => ({
  name: file.filename && repair(file.filename),
  type: file.mimeType,
  bytes: toBuffer(file).length,
})
