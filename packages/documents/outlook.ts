/**
 * Reads a mail that Outlook saved (MS-OXMSG): its header, the list of its attachments, its text. Attached
 * mails follow it. Other attachments are not opened, except for plain text.
 */
import { readFile, stat } from 'node:fs/promises'
import { type CompoundFile, compoundFileSign, openCompoundFile } from './compound-file.ts'
import { decompressRtf } from './compressed-rtf.ts'
import { decodeBytes, encodingLabel } from './encodings.ts'
import { formatOfExtension, getKind } from './formats.ts'
import { type Limits, Unreadable } from './limits.ts'
import { readMail } from './mail.ts'
import { type Attached, writeAttachedText, writeLetter } from './mail-letter.ts'
import {
  ids,
  openProperties,
  type Properties,
  propertiesStream,
  streamName,
  trimNull,
  types,
} from './outlook-properties.ts'
import type { Paper } from './paper.ts'
import { writeRtf } from './rtf.ts'
import { codePageLabel } from './rtf-charsets.ts'

/** A file that is not a compound file is read as an RFC 5322 mail. */
export const readOutlook = async (path: string, limits: Limits, paper: Paper): Promise<void> => {
  if ((await stat(path)).size > limits.whole) throw new Unreadable('too_large')
  const bytes = await readFile(path)
  if (!bytes.subarray(0, compoundFileSign.length).equals(compoundFileSign))
    return readMail(path, limits, paper)
  const file = openCompoundFile(bytes, limits.depth)
  // Word documents and workbooks do not have this stream.
  if (!file.paths.includes(propertiesStream)) throw new Unreadable('damaged')
  await writeMessage({ file, limits, paper }, '')
}

interface Reading {
  readonly file: CompoundFile
  readonly limits: Limits
  readonly paper: Paper
}

const writeMessage = async (reading: Reading, folder: string): Promise<void> => {
  const { limits, paper } = reading
  const properties = openProperties(reading.file, folder, folder ? 'innerMessage' : 'message')
  const html = getHtml(properties)
  const text = properties.text(ids.body) ?? ''
  const files = readAttachments(reading.file, folder, properties.codePage)
  const isEmbedded = ({ isHidden, contentId }: AttachedFile) =>
    isHidden || Boolean(contentId && html?.includes(`cid:${contentId}`))
  const attachedFiles = files.filter((file) => !isEmbedded(file))
  const recipients = readRecipients(reading.file, folder, properties.codePage)
  await writeLetter(
    {
      subject: properties.text(ids.subject),
      from: [getSender(properties)],
      to: recipients.filter(({ kind }) => kind === 1).map(({ name }) => name),
      cc: recipients.filter(({ kind }) => kind === 2).map(({ name }) => name),
      date: getDate(properties),
      attached: attachedFiles,
      embedded: files.length - attachedFiles.length,
      html,
      text,
    },
    limits,
    paper,
  )
  const rtf = html || text.trim() ? undefined : properties.binary(ids.rtf)
  if (rtf) writeRtf(decompressRtf(rtf, limits.entry), limits, paper)
  for (const file of attachedFiles) await writeAttached(reading, file)
}

/** The header has the sender's time zone. Drafts and sent mails have no header, only a timestamp. */
const getDate = (properties: Properties): string | undefined => {
  const dateHeader = /^date:(.+)$/im.exec(properties.text(ids.headers) ?? '')?.[1]?.trim()
  const time = properties.time(ids.submitTime) ?? properties.time(ids.deliveryTime)
  if (dateHeader) return dateHeader
  return time && time.getTime() > 0 ? `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC` : undefined
}

/** A mail may be sent on behalf of another person. */
const getSender = (properties: Properties): string => {
  const sentFor = nameAddress(properties, ids.sentForName, [ids.sentForSmtp, ids.sentForAddress])
  return sentFor || nameAddress(properties, ids.senderName, [ids.senderSmtp, ids.senderAddress])
}

/** Internal Exchange addresses are omitted: `/o=org/ou=unit/cn=Recipients/cn=ada`. */
const nameAddress = ({ text }: Properties, nameId: number, addressIds: readonly number[]): string => {
  const name = text(nameId) ?? ''
  const address = addressIds.map((id) => text(id)).find((candidate) => candidate?.includes('@')) ?? ''
  return name && address && name !== address ? `${name} <${address}>` : name || address
}

const listFolders = (file: CompoundFile, folder: string, sign: string): readonly string[] => {
  const propertyPrefix = folder + sign
  const folderPaths = file.paths.filter((path) => path.startsWith(propertyPrefix))
  return [...new Set(folderPaths.map((path) => path.slice(0, path.indexOf('/', propertyPrefix.length) + 1)))]
    .filter(Boolean)
    .sort()
}

const readRecipients = (file: CompoundFile, folder: string, codePage: string) =>
  listFolders(file, folder, '__recip_version1.0_').map((place) => {
    const properties = openProperties(file, place, 'part', codePage)
    const name = nameAddress(properties, ids.displayName, [ids.smtp, ids.address])
    return { name, kind: properties.integer(ids.recipientType) }
  })

interface AttachedFile extends Attached {
  readonly isHidden: boolean
  readonly contentId: string | undefined
  /** Path of the attached mail. */
  readonly message: string | undefined
  /** Path of the stream with the file. */
  readonly stream: string
}

const readAttachments = (file: CompoundFile, folder: string, codePage: string): readonly AttachedFile[] =>
  listFolders(file, folder, '__attach_version1.0_').map((place) => {
    const { text, isTrue } = openProperties(file, place, 'part', codePage)
    const name = text(ids.fileName) ?? text(ids.shortFileName) ?? text(ids.displayName) ?? null
    const message = `${place}${streamName(ids.data, types.object)}/`
    const isMessage = file.paths.includes(message + propertiesStream)
    const innerPaths = file.paths.filter((path) => isMessage && path.startsWith(message))
    const stream = place + streamName(ids.data, types.binary)
    return {
      name,
      type: isMessage ? 'a mail' : (text(ids.mediaType) ?? getTypeOfName(name ?? '')),
      bytes: file.size(stream) + innerPaths.reduce((sum, path) => sum + file.size(path), 0),
      isHidden: isTrue(ids.isHidden),
      contentId: text(ids.contentId),
      message: isMessage ? message : undefined,
      stream,
    }
  })

/** Outlook often omits the media type. */
const getTypeOfName = (name: string): string => {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const format = formatOfExtension(extension)
  if (format === 'text') return textTypes[extension] ?? ''
  return format ? getKind(format).mime : ''
}

/** Plain text types by extension. */
const textTypes: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  csv: 'text/csv',
  md: 'text/markdown',
  ics: 'text/calendar',
}

const getHtml = (properties: Properties): string | undefined => {
  const bytes = properties.binary(ids.html)
  if (!bytes) return properties.text(ids.html)
  const page = properties.integer(ids.htmlCodePage)
  return trimNull(decodeBytes(bytes, page === undefined ? properties.codePage : getHtmlLabel(page)))
}

/** ISO 8859 and US-ASCII have their own code page numbers, different from those of Windows. */
const getHtmlLabel = (page: number): string => {
  const iso = page > 28_590 && page <= 28_605 ? encodingLabel(`iso-8859-${page - 28_590}`) : null
  return iso ?? codePageLabel(page === 20_127 ? 1252 : page)
}

const writeAttached = async (reading: Reading, file: AttachedFile): Promise<void> => {
  const { paper } = reading
  if (file.message === undefined)
    return writeAttachedText(file, () => reading.file.read(file.stream) ?? Buffer.alloc(0), paper)
  paper.gap()
  paper.line(`[attachment] ${file.name ?? 'a mail'}`)
  await writeMessage(reading, file.message)
}
