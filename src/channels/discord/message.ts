/** A message of Discord as a person's words: what is meant for the bot, without the marks of the platform. */
import * as z from 'zod'
import type { MessagePart, WordsFrom } from '../../../journal/facts/fact-values.ts'
import { partsIn } from '../../../projections/message-parts.ts'
import type { Bot } from '../../commands/channels.ts'
import type { Heard, HeardFile } from '../platform.ts'
import type { Sent } from './attachments.ts'

/** An id of Discord. */
export const Snowflake = z.string().regex(/^\d{1,20}$/)

// What only adds to a message must not cost the message: an odd one is left out.
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

/** Of MESSAGE_CREATE and of the REST API, which tells no `guild_id`. */
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

/** Written by somebody; other numbers tell of pins, calls, newcomers. */
const written = [0, 19]
const spoken = 1 << 13

export const keyOf = (bot: Bot, id: string): string => `discord:${bot.id}:${id}`

interface Hearing {
  readonly bot: Bot
  readonly direct: boolean
  /** It was written before, and now says this. */
  readonly edited?: boolean
  open(file: Attachment, sent: Sent): HeardFile
}

/**
 * Null for what is not for the bot: other bots, its own words, what happened instead of being said, talk of
 * others among themselves.
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
  // Previews of links that are found later change a message, too: only who corrects it sets its time.
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
 * Another beginning than other keys: what was missed is asked for behind the last message that was written,
 * not behind one that was corrected.
 */
const correctionKeyOf = (bot: Bot, id: string, when: string): string =>
  `discord-edit:${bot.id}:${id}:${Date.parse(when)}`

/** What was written before stays as it was heard. */
const correction: MessagePart = {
  from: 'daemon',
  by: null,
  text: '[corrects an earlier message, which now reads:]',
}

const isCalled = ({ mentions, referenced_message: answered }: Message, bot: Bot): boolean =>
  mentions.some(({ id }) => id === bot.id) || answered?.author.id === bot.id

/** What it says and what came with it, told apart by whose words they are. */
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
  // Somebody who only calls it by name wants something, too.
  return parts.length === 0 && message.attachments.length === 0 ? own(content) : parts
}

/** The persona's own words, or somebody's: never what the person says now. */
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

/** The call at the beginning or the end is no part of what is said; one in the middle of a sentence is. */
const uncalled = (content: string, { id }: Bot): string => {
  const calls = [`<@${id}>`, `<@!${id}>`]
  // Linear: at the beginning, and no blank is read twice.
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

/** Fit for one line of words of ours. */
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
