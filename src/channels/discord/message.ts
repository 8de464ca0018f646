/** Converts a Discord message to the message parts for the persona, without the markup of the platform. */
import * as z from 'zod'
import type { MessagePart, WordsFrom } from '../../../journal/facts/fact-values.ts'
import { partsIn } from '../../../projections/message-parts.ts'
import type { Bot } from '../../commands/bots.ts'
import type { Heard, HeardFile } from '../platform.ts'
import type { Sent } from './attachments.ts'

/** A Discord id. */
export const Snowflake = z.string().regex(/^\d{1,20}$/)

// An invalid optional item is dropped, so that the rest of the message is still read.
const some = <T extends z.ZodType>(schema: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items): z.infer<T>[] =>
      items.flatMap((item) => {
        const read = schema.safeParse(item)
        return read.success ? [read.data] : []
      }),
    )
const words = z.string().catch('')

const User = z.object({ id: Snowflake, username: words, global_name: words, bot: z.boolean().catch(false) })
export const Attachment = z.object({ filename: words, content_type: words, url: z.string() })
const Named = z.object({ name: words }).optional().catch(undefined)
const Embed = z.object({ title: words, description: words, author: Named, provider: Named })
const Poll = z.object({
  question: z.object({ text: words }),
  answers: some(z.object({ poll_media: z.object({ text: words }) })),
})

const said = {
  content: words,
  attachments: some(Attachment),
  embeds: some(Embed),
  sticker_items: some(z.object({ name: words })),
  flags: z.number().catch(0),
}

/** A message of MESSAGE_CREATE or of the REST API. The REST API sends no `guild_id`. */
export const Message = z.object({
  ...said,
  id: Snowflake,
  channel_id: Snowflake,
  guild_id: Snowflake.optional(),
  type: z.number(),
  author: User,
  webhook_id: z.string().optional().catch(undefined),
  mentions: some(User),
  poll: Poll.optional().catch(undefined),
  referenced_message: z
    .object({ ...said, author: User })
    .nullish()
    .catch(null),
  edited_timestamp: z.string().nullish().catch(null),
  message_snapshots: some(z.object({ message: z.object(said) })),
})
export type Attachment = z.infer<typeof Attachment>
export type Message = z.infer<typeof Message>

/** Message types that a user wrote. Other types report pins, calls and new members. */
const written = [0, 19]
const spoken = 1 << 13

export const keyOf = (bot: Bot, id: string): string => `discord:${bot.id}:${id}`

interface Hearing {
  readonly bot: Bot
  readonly direct: boolean
  /** True if this is a correction of an earlier message. */
  readonly edited?: boolean
  open(file: Attachment, sent: Sent): HeardFile
}

/**
 * Returns null for a message that is not meant for the bot: from a bot, a system message, or a message
 * between other people.
 */
export const heardOf = (message: Message, { bot, direct, edited = false, open }: Hearing): Heard | null => {
  const {
    id,
    channel_id: target,
    author,
    webhook_id: hook,
    type,
    edited_timestamp: when,
    message_snapshots: forwarded,
  } = message
  if (author.bot || author.id === bot.id || hook !== undefined || !written.includes(type)) return null
  if (!direct && !isCalled(message, bot)) return null

  const said = saidIn(message, bot, direct)
  const parts = [...answeredBy(message, bot), ...said]
  // A link preview that is added later also changes a message. Only a correction by the author sets the time.
  if (edited) {
    if (said.length === 0 || !when) return null
    return {
      key: correctionKeyOf(bot, id, when),
      target,
      direct,
      parts: [correction, ...parts],
      files: [],
      command: null,
    }
  }
  const filesOf = ({ attachments, flags }: Pick<Message, 'attachments' | 'flags'>, isForwarded: boolean) =>
    attachments.map((file) => open(file, { voice: (flags & spoken) !== 0, forwarded: isForwarded }))
  const files = [
    ...filesOf(message, false),
    ...forwarded.flatMap((snapshot) => filesOf(snapshot.message, true)),
  ]
  if (said.length === 0 && files.length === 0) return null
  const [own] = said
  return {
    key: keyOf(bot, id),
    target,
    direct,
    parts,
    files,
    command: own?.from === 'person' ? commandOf(own.text) : null,
  }
}

/**
 * Uses another prefix than other keys, because missed messages are requested after the last written message,
 * not after the last corrected one.
 */
const correctionKeyOf = (bot: Bot, id: string, when: string): string =>
  `discord-edit:${bot.id}:${id}:${Date.parse(when)}`

/** The earlier message stays in the journal unchanged. */
const correction: MessagePart = {
  from: 'daemon',
  by: null,
  text: '[corrects an earlier message, which now reads:]',
}

const isCalled = ({ mentions, referenced_message: answered }: Message, bot: Bot): boolean =>
  mentions.some(({ id }) => id === bot.id) || answered?.author.id === bot.id

/** Returns the text and the additions of a message, separated by author. */
const saidIn = (message: Message, bot: Bot, direct: boolean): readonly MessagePart[] => {
  const { content, mentions, poll, message_snapshots: forwarded } = message
  const own = (words: string) => partsIn(readable(words, mentions, bot), { longQuotes: true })
  const polled = poll
    ? [
        `(poll: ${[poll.question.text, ...poll.answers.map((answer) => answer.poll_media.text)].map(oneLine).join(' / ')})`,
      ]
    : []
  const parts = [
    ...own(direct ? content : uncalled(content, bot)),
    ...part('shared', null, [...stickersIn(message), ...polled]),
    ...message.embeds.flatMap((embed) => part('embedded', publisherOf(embed), previewOf(embed))),
    ...forwarded.flatMap(({ message: passed }) => part('forwarded', null, wordsOf(passed, bot))),
  ]
  // A message that only mentions the bot still expects a reply.
  return parts.length === 0 && message.attachments.length === 0 ? own(content) : parts
}

/**
 * Returns the message that is answered. It is attributed to the persona or to its author, never to the user.
 */
const answeredBy = ({ referenced_message: answered }: Message, bot: Bot): readonly MessagePart[] => {
  if (!answered) return []
  const { id, username, global_name: shown } = answered.author
  const lines = [
    ...wordsOf(answered, bot),
    ...answered.attachments.map(({ filename }) => `(file: ${oneLine(filename)})`),
  ]
  return id === bot.id
    ? part('persona', bot.name, lines)
    : part('replied', oneLine(shown || username) || null, lines)
}

type Words = Pick<Message, 'content' | 'sticker_items' | 'embeds'>

const wordsOf = (message: Words, bot: Bot): readonly string[] => [
  readable(message.content, [], bot),
  ...stickersIn(message),
  ...message.embeds.flatMap(previewOf),
]

const part = (from: WordsFrom, by: string | null, lines: readonly string[]): readonly MessagePart[] => {
  const text = lines.filter(Boolean).join('\n')
  return text === '' ? [] : [{ from, by, text }]
}

/** Removes a mention of the bot at the beginning or end. A mention inside a sentence stays. */
const uncalled = (content: string, { id }: Bot): string => {
  const calls = [`<@${id}>`, `<@!${id}>`]
  // Linear: anchored at the beginning, and no blank is matched twice.
  let rest = content.replace(new RegExp(`^(?:\\s*<@!?${id}>[,:]?)+\\s*`), '')
  for (;;) {
    const bare = rest.trimEnd()
    const call = calls.find((one) => bare.endsWith(one))
    if (!call) return rest
    rest = bare.slice(0, -call.length).trimEnd()
  }
}

/** `<@1>` becomes `@name`, `<:wave:1>` becomes `:wave:`. */
const readable = (content: string, mentions: readonly z.infer<typeof User>[], bot: Bot): string => {
  const names = new Map(mentions.map(({ id, global_name: shown, username }) => [id, shown || username]))
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

const previewOf = ({ title, description }: Embed): readonly string[] => {
  const told = [title, description].filter(Boolean).join(': ')
  return told ? [`(link: ${told.slice(0, 500).toWellFormed()})`] : []
}

const publisherOf = ({ author, provider }: Embed): string | null =>
  oneLine(provider?.name || author?.name || '') || null

/** Makes untrusted text safe for one line of a prompt. */
const oneLine = (words: string): string =>
  words
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed()

const commandOf = (content: string): Heard['command'] => {
  const command = /^\/(start|stop|restart|help)(?=\s|$)/i.exec(content)?.[1]
  return command ? (command.toLowerCase() as Heard['command']) : null
}
