/** A message of Discord as a person's words: what is meant for the bot, without the marks of the platform. */
import * as z from 'zod'
import type { Bot, Heard, HeardFile } from '../platform.ts'

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
const Embed = z.object({ title: words, description: words })
const Poll = z.object({ question: z.object({ text: words }), answers: some(z.object({ poll_media: z.object({ text: words }) })) })

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
  referenced_message: z.object({ author: User }).nullish().catch(null),
  message_snapshots: some(z.object({ message: z.object(said) })),
})
export type Attachment = z.infer<typeof Attachment>
export type Message = z.infer<typeof Message>

/** Written by somebody; other numbers tell of pins, calls, newcomers. */
const written = [0, 19]
const spoken = 1 << 13

export const keyOf = (bot: Bot, id: string): string => `discord:${bot.id}:${id}`

/** Null for what is not for the bot: other bots, its own words, what happened instead of being said, talk of others among themselves. */
export const heardOf = (
  message: Message,
  { bot, direct, open }: { readonly bot: Bot; readonly direct: boolean; open(file: Attachment, voice: boolean): HeardFile },
): Heard | null => {
  const { id, channel_id: target, author, webhook_id: hook, type, message_snapshots: forwarded } = message
  if (author.bot || author.id === bot.id || hook !== undefined || !written.includes(type)) return null
  if (!direct && !isCalled(message, bot)) return null

  const content = contentOf(message, bot, direct)
  const files = [message, ...forwarded.map((snapshot) => snapshot.message)].flatMap(({ attachments, flags }) =>
    attachments.map((file) => open(file, (flags & spoken) !== 0)),
  )
  if (content === '' && files.length === 0) return null
  return { key: keyOf(bot, id), target, direct, content, files, command: commandOf(content) }
}

const isCalled = ({ mentions, referenced_message: answered }: Message, bot: Bot): boolean =>
  mentions.some(({ id }) => id === bot.id) || answered?.author.id === bot.id

const contentOf = (message: Message, bot: Bot, direct: boolean): string => {
  const { content, mentions, poll, message_snapshots: forwarded } = message
  const own = readable(direct ? content : uncalled(content, bot), mentions, bot)
  const parts = [
    own,
    ...extras(message),
    ...(poll ? [`(poll: ${[poll.question.text, ...poll.answers.map((answer) => answer.poll_media.text)].join(' / ')})`] : []),
    ...forwarded.map(({ message: passed }) =>
      ['(forwarded)', readable(passed.content, [], bot), ...extras(passed)].filter(Boolean).join('\n'),
    ),
  ]
  const all = parts.filter(Boolean).join('\n')
  // Somebody who only calls her by name wants something, too.
  return all === '' && message.attachments.length === 0 ? readable(content, mentions, bot) : all
}

/** The call at the beginning or the end is no part of what is said; one in the middle of a sentence is. */
const uncalled = (content: string, { id }: Bot): string =>
  content.replace(new RegExp(`^(?:\\s*<@!?${id}>[,:]?)+\\s*`), '').replace(new RegExp(`(?:\\s*<@!?${id}>)+\\s*$`), '')

/** `<@1>` becomes `@name`, `<:wave:1>` becomes `:wave:`. */
const readable = (content: string, mentions: readonly z.infer<typeof User>[], bot: Bot): string => {
  const names = new Map(mentions.map(({ id, global_name: shown, username }) => [id, shown || username]))
  return content
    .replace(/<@!?(\d{1,20})>/g, (mark, id) => (id === bot.id ? `@${bot.name}` : names.has(id) ? `@${names.get(id)}` : mark))
    .replace(/<a?:(\w+):\d+>/g, ':$1:')
    .trim()
}

const extras = ({ sticker_items: stickers, embeds }: Pick<Message, 'sticker_items' | 'embeds'>): string[] => [
  ...stickers.map(({ name }) => `(sticker: ${name})`),
  ...embeds.flatMap(({ title, description }) => {
    const told = [title, description].filter(Boolean).join(': ')
    return told ? [`(link: ${told.slice(0, 500)})`] : []
  }),
]

const commandOf = (content: string): Heard['command'] => {
  const command = /^\/(start|stop|restart|help)(?=\s|$)/i.exec(content)?.[1]
  return command ? (command.toLowerCase() as Heard['command']) : null
}
