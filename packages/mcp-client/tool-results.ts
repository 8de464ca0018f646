/** Converts the result of a tool to the supported content types, with size limits. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import { plainName } from '../kit/files/file-name.ts'
import type { SecretMask } from './secret-mask.ts'
import type { Block, CallResult } from './server-config.ts'
import { plainLine } from './trouble.ts'

const KiB = 1024
/** Max bytes of all texts of a result. */
const maxTextLength = 48 * KiB
/** Max UTF-16 units that are searched for secrets. More is not shown. */
const maxMaskedLength = 128 * KiB
const maxFileBytes = 20 * KiB * KiB
const maxFiles = 10
/** Max content blocks. A result could have a million empty ones. */
const maxBlocks = 200

export const toCallResult = (result: CallToolResult, secrets: SecretMask): CallResult => {
  const budget = createBudget(secrets)
  const content = result.content
    .slice(0, maxBlocks)
    .map((block) => toBlock(block, budget))
    .filter((block) => block !== undefined)
  if (result.content.length > maxBlocks) budget.leave(`${result.content.length - maxBlocks} more parts`)
  const structured = toStructured(result.structuredContent, budget)
  const leftOutNotes = budget.getLeftOutNotes()
  return {
    ok: result.isError !== true,
    content:
      leftOutNotes.length > 0
        ? [...content, { type: 'text', text: `[Left out: ${leftOutNotes.join(', ')}.]` }]
        : content,
    ...(structured !== undefined && { structured }),
    cut: leftOutNotes.length > 0,
  }
}

interface Budget {
  readonly secrets: SecretMask
  /** Returns as much of a text as fits, without secrets. */
  text(text: string): string
  takesFile(bytes: number): boolean
  leave(note: string): void
  readonly getLeftOutNotes: () => readonly string[]
}

const createBudget = (secrets: SecretMask): Budget => {
  let room = maxTextLength
  let files = maxFiles
  let cutBytes = 0
  const leftOutNotes: string[] = []
  const maskHead = (raw: string): string => {
    const head = raw.slice(0, room > 0 ? maxMaskedLength : 0)
    cutBytes += Buffer.byteLength(raw) - Buffer.byteLength(head)
    const text = secrets.text(head)
    // The end may contain half a secret.
    return head.length < raw.length ? text.slice(0, -maxMaskedLength / 4) : text
  }
  return {
    secrets,
    text: (raw) => {
      const text = maskHead(raw.toWellFormed())
      const bytes = Buffer.byteLength(text)
      const fittingText = bytes <= room ? text : beginning(text, room)
      cutBytes += bytes - Math.min(bytes, room)
      room -= Math.min(bytes, room)
      return fittingText
    },
    takesFile: (bytes) => bytes <= maxFileBytes && files-- > 0,
    leave: (note) => leftOutNotes.push(note),
    getLeftOutNotes: () =>
      cutBytes > 0 ? [`${Math.ceil(cutBytes / KiB)} KiB of text`, ...leftOutNotes] : leftOutNotes,
  }
}

/** Never splits a character. */
const beginning = (text: string, bytes: number): string =>
  Buffer.from(text.slice(0, bytes))
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\ufffd$/, '')

const toBlock = (block: ContentBlock, budget: Budget): Block | undefined => {
  if (block.type === 'text') return textBlock(block.text, budget)
  if (block.type === 'image' || block.type === 'audio')
    return fileBlock({ data: block.data, mime: block.mimeType, name: block.type }, budget)
  if (block.type === 'resource_link')
    return linkBlock(block.uri, block.title ?? block.name, block.description ?? null, budget)
  const { resource } = block
  const name = plainName(budget.secrets.text(resource.uri.slice(0, maxLineLength)))
  return 'blob' in resource
    ? fileBlock({ data: resource.blob, mime: resource.mimeType, name }, budget)
    : linkBlock(resource.uri, name, resource.text, budget)
}

const textBlock = (text: string, budget: Budget): Block | undefined => {
  const shownText = budget.text(text)
  return shownText === '' ? undefined : { type: 'text', text: shownText }
}

const linkBlock = (uri: string, name: string, text: string | null, budget: Budget): Block => ({
  type: 'link',
  // Mask before cutting, and again after terminal escapes inside a secret were removed.
  uri: budget.text(plainLine(budget.secrets.text(uri.slice(0, maxLineLength)), 2000)),
  name: budget.text(plainLine(budget.secrets.text(name.slice(0, maxLineLength)), 200)),
  text: text === null ? null : budget.text(text),
})

/** Max UTF-16 units read of an address or a name. Less is shown. */
const maxLineLength = 32 * KiB

interface Given {
  /** Base64. */
  readonly data: string
  readonly mime: string | undefined
  readonly name: string
}

const fileBlock = ({ data, mime, name }: Given, budget: Budget): Block | undefined => {
  const size = Math.floor((data.length * 3) / 4)
  if (!budget.takesFile(size)) {
    budget.leave(
      `a file of ${size < KiB * KiB ? `${Math.ceil(size / KiB)} KiB` : `${Math.ceil(size / KiB / KiB)} MiB`}`,
    )
    return undefined
  }
  const type = mime !== undefined && /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime.toLowerCase() : fallbackType
  const ending = type.split('/')[1]?.replace(/\+.*|^x-/g, '') ?? 'bin'
  return {
    type: 'file',
    bytes: budget.secrets.bytes(Buffer.from(data, 'base64')),
    mime: type,
    name: name.includes('.') || type === fallbackType ? name : `${name}.${ending}`,
  }
}

const fallbackType = 'application/octet-stream'

/** Deeper structured results are left out. */
const maxDepth = 100

const toStructured = (value: unknown, budget: Budget): unknown => {
  if (value === undefined) return undefined
  if (!isWithin(value, maxDepth)) {
    budget.leave('structured content that is nested too deeply')
    return undefined
  }
  const size = JSON.stringify(value).length
  const maskedValue = size > 4 * maxTextLength ? undefined : budget.secrets.value(value)
  const text = maskedValue === undefined ? ' '.repeat(size) : JSON.stringify(maskedValue)
  if (Buffer.byteLength(text) <= maxTextLength) return maskedValue
  budget.leave(`${Math.ceil(text.length / KiB)} KiB of structured content`)
  return undefined
}

const isWithin = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((inner) => isWithin(inner, depth - 1)))
