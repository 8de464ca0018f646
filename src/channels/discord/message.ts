/** Converts a Discord message to the message parts for the persona, without the markup of the platform. */

import * as z from 'zod'
import type { MessagePart, WordsFrom } from '../../../facts/fact-values.ts'
import { partsIn } from '../../../projections/message-parts.ts'
import type { Bot } from '../../commands/bots.ts'
import type { IncomingFile, IncomingMessage } from '../platform.ts'

/** A Discord id. */
export const Snowflake = z.string().regex(/^\d{1,20}$/)

// An invalid optional item is dropped, so that the rest of the message is still read.
const toArraySchema = <T extends z.ZodType>(schema: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items): z.infer<T>[] =>
      items.flatMap((item) => {
        const parsedItem = schema.safeParse(item)
        return parsedItem.success ? [parsedItem.data] : []
      }),
    )
const words = z.string().catch('')

const User = z.object({ id: Snowflake, username: words, global_name: words, bot: z.boolean().catch(false) })
export const Attachment = z.object({ filename: words, content_type: words, url: z.string() })
const Named = z.object({ name: words }).optional().catch(undefined)
const Embed = z.object({ title: words, description: words, author: Named, provider: Named })
const Poll = z.object({
  question: z.object({ text: words }),
  answers: toArraySchema(z.object({ poll_media: z.object({ text: words }) })),
})

const contentFields = {
  content: words,
  attachments: toArraySchema(Attachment),
  embeds: toArraySchema(Embed),
  sticker_items: toArraySchema(z.object({ name: words })),
  flags: z.number().catch(0),
}

/** A message of MESSAGE_CREATE or of the REST API. The REST API sends no `guild_id`. */
export const Message = z.object({
  ...contentFields,
  id: Snowflake,
  channel_id: Snowflake,
  guild_id: Snowflake.optional(),
  type: z.number(),
  author: User,
  webhook_id: z.string().optional().catch(undefined),
  mentions: toArraySchema(User),
  poll: Poll.optional().catch(undefined),
  referenced_message: z
    .object({ ...contentFields, author: User })
    .nullish()
    .catch(null),
  edited_timestamp: z.string().nullish().catch(null),
  message_snapshots: toArraySchema(z.object({ message: z.object(contentFields) })),
})
export type Attachment = z.infer<typeof Attachment>
export type Message = z.infer<typeof Message>

/** Message types that a user wrote. Other types report pins, calls and new members. */
const sentTypes = [0, 19]
const voiceFlag = 1 << 13

export const messageKey = (bot: Bot, id: string): string => `discord:${bot.id}:${id}`

interface Hearing {
  readonly bot: Bot
  readonly direct: boolean
  /** True if this is a correction of an earlier message. */
  readonly edited?: boolean
  open(file: Attachment, context: MessageContext): IncomingFile
}

/**
 * Returns null for a message that is not meant for the bot: from a bot, a system message, or a message
 * between other people.
 */
export const toIncomingMessage = (
  message: Message,
  { bot, direct: isDirect, edited: isEdit = false, open }: Hearing,
): IncomingMessage | null => {
  const {
    id,
    channel_id: target,
    author,
    webhook_id: hook,
    type,
    edited_timestamp: editedAt,
    message_snapshots: snapshots,
  } = message
  if (author.bot || author.id === bot.id || hook !== undefined || !sentTypes.includes(type)) return null
  if (!isDirect && !isCalled(message, bot)) return null

  const bodyParts = saidIn(message, bot, isDirect)
  const parts = [...answeredBy(message, bot), ...bodyParts]
  // A link preview that is added later also changes a message. Only a correction by the author sets the time.
  if (isEdit) {
    if (bodyParts.length === 0 || !editedAt) return null
    return {
      key: toCorrectionKey(bot, id, editedAt),
      target,
      direct: isDirect,
      parts: [correction, ...parts],
      files: [],
      command: null,
    }
  }
  const getFiles = ({ attachments, flags }: Pick<Message, 'attachments' | 'flags'>, isForwarded: boolean) =>
    attachments.map((file) => open(file, { voice: (flags & voiceFlag) !== 0, forwarded: isForwarded }))
  const files = [
    ...getFiles(message, false),
    ...snapshots.flatMap((snapshot) => getFiles(snapshot.message, true)),
  ]
  if (bodyParts.length === 0 && files.length === 0) return null
  const [firstPart] = bodyParts
  return {
    key: messageKey(bot, id),
    target,
    direct: isDirect,
    parts,
    files,
    command: firstPart?.from === 'person' ? parseCommand(firstPart.text) : null,
  }
}

/**
 * Uses another prefix than other keys, because missed messages are requested after the last written message,
 * not after the last corrected one.
 */
const toCorrectionKey = (bot: Bot, id: string, editedAt: string): string =>
  `discord-edit:${bot.id}:${id}:${Date.parse(editedAt)}`

/** The earlier message stays in the journal unchanged. */
const correction: MessagePart = {
  from: 'daemon',
  by: null,
  text: '[corrects an earlier message, which now reads:]',
}

const isCalled = ({ mentions, referenced_message: answeredMessage }: Message, bot: Bot): boolean =>
  mentions.some(({ id }) => id === bot.id) || answeredMessage?.author.id === bot.id

/** Returns the text and the additions of a message, separated by author. */
const saidIn = (message: Message, bot: Bot, isDirect: boolean): readonly MessagePart[] => {
  const { content, mentions, poll, message_snapshots: snapshots } = message
  const toOwnParts = (words: string) => partsIn(toReadable(words, mentions, bot), { longQuotes: true })
  const pollLines = poll
    ? [
        `(poll: ${[poll.question.text, ...poll.answers.map((answer) => answer.poll_media.text)].map(oneLine).join(' / ')})`,
      ]
    : []
  const parts = [
    ...toOwnParts(isDirect ? content : removeMentions(content, bot)),
    ...part('shared', null, [...stickersIn(message), ...pollLines]),
    ...message.embeds.flatMap((embed) => part('embedded', getPublisher(embed), describeEmbed(embed))),
    ...snapshots.flatMap(({ message: snapshot }) => part('forwarded', null, getLines(snapshot, bot))),
  ]
  // A message that only mentions the bot still expects a reply.
  return parts.length === 0 && message.attachments.length === 0 ? toOwnParts(content) : parts
}

/**
 * Returns the message that is answered. It is attributed to the persona or to its author, never to the user.
 */
const answeredBy = ({ referenced_message: answeredMessage }: Message, bot: Bot): readonly MessagePart[] => {
  if (!answeredMessage) return []
  const { id, username, global_name: displayName } = answeredMessage.author
  const lines = [
    ...getLines(answeredMessage, bot),
    ...answeredMessage.attachments.map(({ filename }) => `(file: ${oneLine(filename)})`),
  ]
  return id === bot.id
    ? part('persona', bot.name, lines)
    : part('replied', oneLine(displayName || username) || null, lines)
}

type Words = Pick<Message, 'content' | 'sticker_items' | 'embeds'>

const getLines = (message: Words, bot: Bot): readonly string[] => [
  toReadable(message.content, [], bot),
  ...stickersIn(message),
  ...message.embeds.flatMap(describeEmbed),
]

const part = (from: WordsFrom, author: string | null, lines: readonly string[]): readonly MessagePart[] => {
  const text = lines.filter(Boolean).join('\n')
  return text === '' ? [] : [{ from, by: author, text }]
}

/** Removes a mention of the bot at the beginning or end. A mention inside a sentence stays. */
const removeMentions = (content: string, { id }: Bot): string => {
  const calls = [`<@${id}>`, `<@!${id}>`]
  // Linear: anchored at the beginning, and no blank is matched twice.
  let rest = content.replace(new RegExp(`^(?:\\s*<@!?${id}>[,:]?)+\\s*`), '')
  for (;;) {
    const trimmedRest = rest.trimEnd()
    const call = calls.find((mention) => trimmedRest.endsWith(mention))
    if (!call) return rest
    rest = trimmedRest.slice(0, -call.length).trimEnd()
  }
}

/** `<@1>` becomes `@name`, `<:wave:1>` becomes `:wave:`. */
const toReadable = (content: string, mentions: readonly z.infer<typeof User>[], bot: Bot): string => {
  const names = new Map(
    mentions.map(({ id, global_name: displayName, username }) => [id, displayName || username]),
  )
  return content
    .replace(/<@!?(\d{1,20})>/g, (mark, id) =>
      id === bot.id ? `@${bot.name}` : names.has(id) ? `@${names.get(id)}` : mark,
    )
    .replace(/<a?:(\w+):\d+>/g, ':$1:')
    .trim()
}

const stickersIn = ({ sticker_items: stickers }: Pick<Words, 'sticker_items'>): readonly string[] =>
  stickers.map(({ name }) => `(sticker: ${oneLine(name)})`)

type Embed = z.infer<typeof Embed>

const describeEmbed = ({ title, description }: Embed): readonly string[] => {
  const preview = [title, description].filter(Boolean).join(': ')
  return preview ? [`(link: ${preview.slice(0, 500).toWellFormed()})`] : []
}

const getPublisher = ({ author, provider }: Embed): string | null =>
  oneLine(provider?.name || author?.name || '') || null

/** Makes untrusted text safe for one line of a prompt. */
const oneLine = (words: string): string =>
  words
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed()

const parseCommand = (content: string): IncomingMessage['command'] => {
  const command = /^\/(start|stop|restart|help)(?=\s|$)/i.exec(content)?.[1]
  return command ? (command.toLowerCase() as IncomingMessage['command']) : null
}

/** `forwarded`: the file came with a message that the user forwarded. */
export interface MessageContext {
  readonly voice: boolean
  readonly forwarded: boolean
}
