/**
 * Reads the data package of Discord: `messages/c<channel>/messages.json` (before 2024 `messages.csv`) with
 * `channel.json` beside it, names of channels in `messages/index.json`, the account in `account/user.json`.
 * Only messages of the user are in it. Times are UTC. The names of the outer folders are translated.
 */
import type { MaybeYield } from '../kit/flow/yielding.ts'
import { isObject } from '../kit/is-object.ts'
import type { Row } from './csv-rows.ts'
import type { Found } from './imported-conversation.ts'
import { parseGently } from './json-reader.ts'
import { createSplitter } from './json-splitter.ts'
import type { OnLeftOut } from './left-out.ts'
import { firstWords, getField, type Loose, toLoose, toText, toTime } from './loose-values.ts'
import { type ChatLine, createChatCutter } from './people-chats.ts'
import { feedLimits } from './unreadable.ts'
import { joinTexts } from './wordless-parts.ts'

export const onlyYoursNote =
  'Discord: the package holds only what you wrote, without the messages of the others.'

/** Title and author of the messages of one file. */
export interface DiscordChat {
  readonly title: string
  /** The name of the user. */
  readonly person: string
}

const unknownChat: DiscordChat = { title: 'a channel', person: 'the owner of the package' }

/** Bytes of a file about a channel or the account, and of the list of channels. */
const maxAboutBytes = 1024 * 1024
const maxIndexBytes = 16 * 1024 * 1024

interface DiscordPackage {
  /** `name`: of a file with messages. */
  chatAt(name: string): Promise<DiscordChat>
}

type ReadFile = (name: string) => AsyncIterable<Buffer>

/** A file about the messages that cannot be read only leaves its names unknown. */
export const openDiscordPackage = async (
  names: readonly string[],
  read: ReadFile,
): Promise<DiscordPackage> => {
  const all = new Set(names)
  const jsonAt = async (name: string | undefined, maxBytes: number): Promise<Loose> =>
    name !== undefined && all.has(name) ? toLoose(await valueIn(read(name), maxBytes)) : toLoose(null)
  const user = await jsonAt(
    names.find((name) => /(?:^|\/)user\.json$/i.test(name)),
    maxAboutBytes,
  )
  const person = firstWords(getField(user, 'global_name'), getField(user, 'username')) || unknownChat.person
  const index = await jsonAt(
    names.find((name) => /(?:^|\/)index\.json$/i.test(name) && isBesideChannels(name, names)),
    maxIndexBytes,
  )
  return {
    chatAt: async (name) => {
      const folder = name.slice(0, name.lastIndexOf('/') + 1)
      const id = (name.split('/').at(-2) ?? '').replace(/^c/i, '')
      const channel = await jsonAt(`${folder}channel.json`, maxAboutBytes)
      const title = firstWords(getField(index, id), getChannelName(channel)) || `channel ${id}`
      return { title, person }
    },
  }
}

/** Servers have an `index.json` of their own. */
const isBesideChannels = (name: string, names: readonly string[]): boolean => {
  const folder = name.replace(/index\.json$/i, '')
  return names.some(
    (otherName) => otherName.startsWith(folder) && /^c?\d{10,22}\//.test(otherName.slice(folder.length)),
  )
}

const getChannelName = (channel: Loose): string => {
  const name = toText(getField(channel, 'name'))
  const server = toText(getField(toLoose(getField(channel, 'guild')), 'name'))
  return name === '' || server === '' ? name : `${name} in ${server}`
}

/** Returns null if the file is too large or is no JSON. */
const valueIn = async (chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<unknown> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const bytes of chunks) {
    size += bytes.length
    if (size > maxBytes) return null
    parts.push(bytes)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString())
  } catch {
    return null
  }
}

/** Checks the beginning of a file. */
export const isDiscordList = (text: string): boolean =>
  /^\s*\[\s*\{/.test(text) && /"Timestamp"\s*:/.test(text) && /"Contents"\s*:/.test(text)

export const isDiscordTable = (columns: readonly string[]): boolean =>
  columns.includes('timestamp') && columns.includes('contents')

interface Options {
  readonly maybeYield: MaybeYield
  readonly onLeftOut: OnLeftOut
}

/** Throws `Unreadable` if the JSON is damaged. */
export const fromDiscordList = async function* (
  chunks: AsyncIterable<Buffer>,
  chat: DiscordChat | undefined,
  { maybeYield, onLeftOut }: Options,
): AsyncGenerator<Found> {
  const { depth: deepestLevel, values } = feedLimits
  const splitter = createSplitter({
    maxBytes: maxAboutBytes,
    deepest: deepestLevel,
    values,
    objects: 'whole',
  })
  const messages = async function* () {
    for await (const chunk of chunks) {
      await maybeYield()
      yield* splitter.push(chunk)
    }
    yield* splitter.end()
  }
  const lines = async function* () {
    for await (const piece of messages()) {
      if (piece.kind === 'closed') continue
      const value = piece.kind === 'value' ? await parseGently(piece.bytes, maybeYield) : null
      yield isObject(value) ? lineIn(value, 'Contents', 'Timestamp', 'Attachments') : undefined
    }
  }
  yield* toConversations(lines(), chat, onLeftOut)
}

export const fromDiscordRows = async function* (
  rows: AsyncIterable<Row>,
  chat: DiscordChat | undefined,
  onLeftOut: OnLeftOut,
): AsyncGenerator<Found> {
  const lines = async function* () {
    for await (const row of rows) yield lineIn(row, 'contents', 'timestamp', 'attachments')
  }
  yield* toConversations(lines(), chat, onLeftOut)
}

/** A line is undefined if its message could not be read. */
const toConversations = async function* (
  lines: AsyncIterable<ChatLine | undefined>,
  chat: DiscordChat | undefined,
  onLeftOut: OnLeftOut,
): AsyncGenerator<Found> {
  const { title, person } = chat ?? unknownChat
  const cutter = createChatCutter({ kind: 'people', title: `Discord: ${title}`, person: () => person })
  for await (const line of lines) {
    const conversation = line ? cutter.push(line) : onLeftOut('bad_message')
    if (conversation) yield conversation
  }
  const last = cutter.end()
  if (last) yield last
}

/** Returns undefined if the message has no text. A message may be a file alone. */
const lineIn = (
  message: Loose,
  contents: string,
  timestamp: string,
  attachments: string,
): ChatLine | undefined => {
  const text = getField(message, contents)
  if (typeof text !== 'string') return undefined
  const content = joinTexts(filesIn(toText(getField(message, attachments))), text)
  const time = toTime(getField(message, timestamp))
  return { name: '', time, said: { role: 'user', content, time } }
}

/** Attachments are addresses with blanks between them. */
const filesIn = (addresses: string): string =>
  addresses
    .split(/\s+/)
    .filter((address) => address !== '')
    .slice(0, 10)
    .map((address) => address.split(/[?#]/)[0]?.split('/').at(-1) ?? '')
    .map((name) => (name === '' ? '(file)' : `(file: ${name.slice(0, feedLimits.title)})`))
    .join('\n')
