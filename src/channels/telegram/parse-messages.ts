/** Converts Telegram updates to an incoming message. */

import type { MessagePart } from '../../../facts/fact-values.ts'
import type { Bot } from '../../commands/bots.ts'
import type { IncomingFile, IncomingMessage } from '../platform.ts'
import type { FetchFile } from './fetch-files.ts'
import { getTopic, type Message, parseMessage } from './message.ts'
import { filesInMessage, isTooLarge } from './message-files.ts'
import { isOwn, splitParts } from './own-and-foreign.ts'

export interface Update {
  readonly update_id: number
}

/** Takes the updates of one message. Returns null if the message is not for the bot. */
export type ParseMessages = (updates: readonly Update[]) => IncomingMessage | null

export const createHear =
  ({ bot, fetchFile }: { bot: Bot; fetchFile: FetchFile }): ParseMessages =>
  (updates) => {
    const all = updates.flatMap((update) => parseMessage(update) ?? [])
    const messages = all.map(({ message }) => message)
    const [first] = messages
    // Two bots that answer each other would never stop. An anonymous administrator also writes through a bot,
    // but has a `sender_chat`.
    if (!first || first.is_automatic_forward || (first.from?.is_bot && !first.sender_chat)) return null
    const isDirect = first.chat.type === 'private'
    if (!isDirect && !messages.some((message) => isAddressed(message, bot))) return null

    const topic = getTopic(first)
    const base = {
      key: toKey(bot, updates),
      target: String(first.chat.id),
      direct: isDirect,
      ...(topic !== undefined && { topic }),
    }
    // A live location or a poll also sends edits, without a correction by the user.
    if (all.some(({ edited }) => edited))
      return first.text || first.caption
        ? { ...base, parts: [correction, ...splitParts(first, bot)], files: [], command: null }
        : null
    const parts = messages.map((message) => splitParts(message, bot)).reduce(joinParts)
    const files = messages.flatMap((message) => getFiles(message, fetchFile))
    if (parts.length === 0 && files.length === 0) return null
    const isCommand = messages.length === 1 && isOwn(first).from === 'person'
    return { ...base, parts, files, command: isCommand ? (commandIn(first, bot)?.known ?? null) : null }
  }

const toKey = (bot: Bot, updates: readonly Update[]): string => {
  const first = updates[0]?.update_id
  const last = updates.at(-1)?.update_id
  return `telegram:${bot.id}:${first}${last === first ? '' : `-${last}`}`
}

/** Returns the first and last update id in a key, or null for the key of another platform. */
export const parseUpdateKey = (key: string): readonly [number, number] | null => {
  const [, first, last = first] = /^telegram:\d+:(\d+)(?:-(\d+))?$/.exec(key) ?? []
  return first === undefined ? null : [Number(first), Number(last)]
}

const getFiles = (message: Message, fetchFile: FetchFile): readonly IncomingFile[] =>
  filesInMessage(message)
    .filter((media) => !isTooLarge(media))
    .map(({ name, voice, part }) => ({
      name,
      voice,
      ...isOwn(message),
      bytes: (signal) => fetchFile(part.file_id, signal),
    }))

/** Joins two parts without a line break if Telegram split the text at its limit. */
const joinParts = (
  earlierParts: readonly MessagePart[],
  laterParts: readonly MessagePart[],
): readonly MessagePart[] => {
  const last = earlierParts.at(-1)
  const next = laterParts[0]
  if (!last || !next || last.from !== next.from || last.by !== next.by)
    return [...earlierParts, ...laterParts]
  const text = `${last.text}${last.text.length % 4096 === 0 ? '' : '\n'}${next.text}`
  return [...earlierParts.slice(0, -1), { ...last, text }, ...laterParts.slice(1)]
}

/** The earlier message stays in the journal unchanged. */
const correction: MessagePart = {
  from: 'daemon',
  by: null,
  text: '[corrects an earlier message, which now reads:]',
}

const isAddressed = (message: Message, bot: Bot): boolean => {
  const {
    text = '',
    caption = '',
    entities = [],
    caption_entities = [],
    reply_to_message: answeredMessage,
  } = message
  if (String(answeredMessage?.from?.id) === bot.id) return true
  if ([...entities, ...caption_entities].some(({ user }) => user && String(user.id) === bot.id)) return true
  if (commandIn(message, bot)) return true
  const name = bot.name.replace(/\W/g, '\\$&')
  // Linear: the letters of a name.
  return new RegExp(`(?<![\\w@])@${name}(?!\\w)`, 'i').test(`${text}\n${caption}`)
}

const commands = ['start', 'stop', 'restart', 'help'] as const

/** Returns null if there is no command, or one for another bot. */
const commandIn = (
  { text = '' }: Message,
  bot: Bot,
): { readonly known: IncomingMessage['command'] } | null => {
  const [, word = '', target] = /^\/(\w+)(?:@(\w+))?(?=\s|$)/.exec(text) ?? []
  if (!word || (target && target.toLowerCase() !== bot.name.toLowerCase())) return null
  return { known: commands.find((command) => command === word.toLowerCase()) ?? null }
}
