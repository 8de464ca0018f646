/** Converts the result of a tool to the supported content types, with size limits. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import { plainName } from '../kit/files/file-name.ts'
import type { SecretMask } from './secret-mask.ts'
import type { Block, CallResult } from './server-config.ts'
import { plainLine } from './trouble.ts'

const KiB = 1024
/** Max bytes of all texts of a result. */
const mostText = 48 * KiB
/** Max UTF-16 units that are searched for secrets. More is not shown. */
const mostMasked = 128 * KiB
const mostFile = 20 * KiB * KiB
const mostFiles = 10
/** Max content blocks. A result could have a million empty ones. */
const mostBlocks = 200

export const toCallResult = (result: CallToolResult, secrets: SecretMask): CallResult => {
  const budget = createBudget(secrets)
  const content = result.content
    .slice(0, mostBlocks)
    .map((block) => toBlock(block, budget))
    .filter((block) => block !== undefined)
  if (result.content.length > mostBlocks) budget.leave(`${result.content.length - mostBlocks} more parts`)
  const structured = toStructured(result.structuredContent, budget)
  const left = budget.left()
  return {
    ok: result.isError !== true,
    content:
      left.length > 0 ? [...content, { type: 'text', text: `[Left out: ${left.join(', ')}.]` }] : content,
    ...(structured !== undefined && { structured }),
    cut: left.length > 0,
  }
}

interface Budget {
  readonly secrets: SecretMask
  /** Returns as much of a text as fits, without secrets. */
  text(text: string): string
  takesFile(bytes: number): boolean
  leave(what: string): void
  readonly left: () => readonly string[]
}

const createBudget = (secrets: SecretMask): Budget => {
  let room = mostText
  let files = mostFiles
  let cutBytes = 0
  const left: string[] = []
  const maskHead = (raw: string): string => {
    const head = raw.slice(0, room > 0 ? mostMasked : 0)
    cutBytes += Buffer.byteLength(raw) - Buffer.byteLength(head)
    const text = secrets.text(head)
    // The end may contain half a secret.
    return head.length < raw.length ? text.slice(0, -mostMasked / 4) : text
  }
  return {
    secrets,
    text: (raw) => {
      const text = maskHead(raw.toWellFormed())
      const bytes = Buffer.byteLength(text)
      const fitting = bytes <= room ? text : beginning(text, room)
      cutBytes += bytes - Math.min(bytes, room)
      room -= Math.min(bytes, room)
      return fitting
    },
    takesFile: (bytes) => bytes <= mostFile && files-- > 0,
    leave: (what) => left.push(what),
    left: () => (cutBytes > 0 ? [`${Math.ceil(cutBytes / KiB)} KiB of text`, ...left] : left),
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
  const name = plainName(budget.secrets.text(resource.uri.slice(0, mostLine)))
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
  uri: budget.text(plainLine(budget.secrets.text(uri.slice(0, mostLine)), 2000)),
  name: budget.text(plainLine(budget.secrets.text(name.slice(0, mostLine)), 200)),
  text: text === null ? null : budget.text(text),
})

/** Max UTF-16 units read of an address or a name. Less is shown. */
const mostLine = 32 * KiB

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
const mostDepth = 100

const toStructured = (value: unknown, budget: Budget): unknown => {
  if (value === undefined) return undefined
  if (!isWithin(value, mostDepth)) {
    budget.leave('structured content that is nested too deeply')
    return undefined
  }
  const size = JSON.stringify(value).length
  const maskedValue = size > 4 * mostText ? undefined : budget.secrets.value(value)
  const text = maskedValue === undefined ? ' '.repeat(size) : JSON.stringify(maskedValue)
  if (Buffer.byteLength(text) <= mostText) return maskedValue
  budget.leave(`${Math.ceil(text.length / KiB)} KiB of structured content`)
  return undefined
}

const isWithin = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((inner) => isWithin(inner, depth - 1)))
