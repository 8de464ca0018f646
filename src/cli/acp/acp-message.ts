/**
 * Converts the content blocks of an ACP prompt to a message with files. The text blocks are the user's words.
 * Everything else is sent as a file or as a quotation, so that it is never taken for them.
 */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContentBlock, EmbeddedResource, ImageContent, ResourceLink } from '@agentclientprotocol/sdk'
import { toMaskedText } from '../../../packages/kit/redact.ts'
import { quoteLines } from '../../../projections/message-parts.ts'
import { CommandFailed, exitCodes } from '../exit-codes.ts'
import type { FormFile } from '../form-upload.ts'
import { harmless } from '../printing.ts'

export interface AcpMessage {
  readonly text: string
  readonly files: readonly FormFile[]
}

/** Files beyond this number are ignored by the daemon. */
const maxFiles = 32
const maxNameLength = 100
/**
 * A name that can be part of the user's words. Names of files are words of others: with spaces, one could be
 * a sentence that the user never wrote.
 */
const mentionableName = /^[\w.-]{1,60}$/
const maxLinkLength = 2000

/** Types of pictures that a model can look at. */
const pictureExtensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

/** A part of the message: the user's words, or the name of a file at this place. */
interface Piece {
  readonly text: string
  readonly isMention: boolean
}

/** The name of a file, and its mentioned lines, such as `#L3:5`; empty for all. */
interface FileLabel {
  readonly name: string
  readonly lines: string
}

/** Throws CommandFailed with the code `usage` if a block cannot be sent. */
export const toAcpMessage = async (blocks: readonly ContentBlock[]): Promise<AcpMessage> => {
  const pieces: Piece[] = []
  const files: FormFile[] = []
  const links: string[] = []
  const attach = (file: FormFile, { name, lines }: FileLabel) => {
    files.push(file)
    const label = mentionableName.test(name) ? name : `file-${files.length}`
    pieces.push({ text: `@${label}${lines}`, isMention: true })
  }
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        pieces.push({ text: block.text, isMention: false })
        break
      case 'image':
        files.push(toPicture(block, files.length + 1))
        break
      case 'audio':
        throw invalid('audio cannot be sent to a persona from an editor')
      case 'resource':
        attach(...toFile(block))
        break
      case 'resource_link': {
        const path = await findFile(block.uri)
        if (path === null) links.push(toLink(block))
        else attach({ field: 'file', path }, toLabel(basename(path), block.uri))
      }
    }
  }
  if (files.length > maxFiles) throw invalid(`a message can have ${maxFiles} files at most`)
  const text = [joinPieces(pieces), ...links].filter((part) => part.trim() !== '').join('\n\n')
  if (text === '' && files.length === 0) throw invalid('the message is empty')
  return { text, files }
}

const invalid = (line: string) => new CommandFailed(line, exitCodes.usage)

const toPicture = ({ data, mimeType }: ImageContent, number: number): FormFile => {
  const extension = pictureExtensions[mimeType.toLowerCase()]
  if (extension === undefined)
    throw invalid(`a picture of type ${harmless(mimeType)} cannot be sent: use PNG, JPEG, GIF or WebP`)
  return { field: 'file', name: `picture-${number}.${extension}`, bytes: decode(data, 'the picture') }
}

const toFile = ({ resource }: EmbeddedResource): readonly [FormFile, FileLabel] => {
  const { uri, mimeType } = resource
  const name = toFileName(uri)
  if ('text' in resource) {
    const textName = name.includes('.') ? name : `${name}.txt`
    const bytes = Buffer.from(resource.text)
    const type = 'text/plain; charset=utf-8'
    return [{ field: 'file', name: textName, bytes, type }, toLabel(textName, uri)]
  }
  const extension = pictureExtensions[mimeType ?? '']
  const blobName = name.includes('.') || extension === undefined ? name : `${name}.${extension}`
  return [{ field: 'file', name: blobName, bytes: decode(resource.blob, blobName) }, toLabel(blobName, uri)]
}

const decode = (data: string, name: string): Buffer => {
  const base64 = data.replace(/\s/g, '')
  const bytes = Buffer.from(base64, 'base64')
  const isComplete = withoutPadding(bytes.toString('base64')) === withoutPadding(base64)
  if (bytes.length === 0 || !isComplete) throw invalid(`${name} is not valid base64`)
  return bytes
}

const withoutPadding = (base64: string): string => base64.replace(/={1,2}$/, '')

/** Returns the last part of the path of a URI, as a file name. */
const toFileName = (uri: string): string => {
  const path = URL.canParse(uri) ? new URL(uri).pathname : uri
  const name = harmless(decodePath(path))
    .split(/[/\\]/)
    .findLast((part) => part.trim() !== '')
  return (name ?? 'resource').replace(/\s+/g, ' ').slice(-maxNameLength)
}

const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const toLabel = (name: string, uri: string): FileLabel => ({
  name,
  lines: /#[\w:,-]{1,40}$/.exec(uri)?.[0] ?? '',
})

/** Returns the path of an existing file; null for folders and for addresses that are not files. */
const findFile = async (uri: string): Promise<string | null> => {
  try {
    const address = new URL(uri)
    if (address.protocol !== 'file:') return null
    address.hash = ''
    address.search = ''
    const path = fileURLToPath(address)
    return (await stat(path)).isFile() ? path : null
  } catch {
    return null
  }
}

const toLink = ({ name, uri }: ResourceLink): string =>
  quoteLines(toMaskedText(harmless(`${name}: ${uri}`).replace(/\s+/g, ' '), maxLinkLength))

/** Returns an empty text if the user wrote nothing. */
const joinPieces = (pieces: readonly Piece[]): string => {
  if (pieces.every(({ text, isMention }) => isMention || text.trim() === '')) return ''
  let joined = ''
  let isAfterMention = false
  for (const { text, isMention } of pieces) {
    const isApart = joined === '' || /\s$/.test(joined) || /^\s/.test(text)
    const separator = isMention ? ' ' : !isAfterMention ? '\n' : /^[\p{L}\p{N}]/u.test(text) ? ' ' : ''
    joined += (isApart ? '' : separator) + text
    isAfterMention = isMention
  }
  return joined.trim()
}
