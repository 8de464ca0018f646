/** Converts an event of a Matrix room to an incoming message. */
import * as z from 'zod'
import type { MessagePart, WordsFrom } from '../../../facts/fact-values.ts'
import { toLine } from '../../../packages/kit/text-lines.ts'
import { partsIn } from '../../../projections/message-parts.ts'
import type { Bot } from '../../commands/bots.ts'
import type { IncomingFile, IncomingMessage } from '../platform.ts'
import { FileContent } from './files.ts'

type Content = Readonly<Record<string, unknown>>

/** The relation of an encrypted event is not encrypted. A room id here would redirect the answer. */
const EventId = z.string().regex(/^\$[\x21-\x7e]{1,254}$/)
const Relation = z.object({
  rel_type: z.string().optional().catch(undefined),
  event_id: EventId.optional().catch(undefined),
  key: z.string().max(100).optional().catch(undefined),
  is_falling_back: z.boolean().optional().catch(undefined),
  'm.in_reply_to': z.object({ event_id: EventId }).optional().catch(undefined),
})

/** How an event relates to others. */
export interface MatrixRelation {
  /** Root of the thread. */
  readonly thread: string | null
  /** The event that is answered. */
  readonly answers: string | null
  /** The event that is corrected. */
  readonly replaces: string | null
  readonly reaction: { readonly event: string; readonly key: string } | null
}

export const parseRelation = (content: Content): MatrixRelation => {
  const { data = {} } = Relation.safeParse(content['m.relates_to'])
  const { rel_type: type, event_id: event = null, key, 'm.in_reply_to': reply } = data
  const isThread = type === 'm.thread' && event !== null
  return {
    thread: isThread ? event : null,
    // A message in a thread names the previous one for clients that do not know threads.
    answers: reply && !(isThread && data.is_falling_back === true) ? reply.event_id : null,
    replaces: type === 'm.replace' ? event : null,
    reaction: type === 'm.annotation' && event !== null && key !== undefined ? { event, key } : null,
  }
}

/** The content of a correction. */
export const parseNewContent = (content: Content): Content | null =>
  z.record(z.string(), z.unknown()).safeParse(content['m.new_content']).data ?? null

const Text = z.string().catch('')
const Mentions = z.object({ user_ids: z.array(z.string()).catch([]) })

export const messageTypes = [
  'm.room.message',
  'm.sticker',
  'm.poll.start',
  'org.matrix.msc3381.poll.start',
] as const

/** A message that is answered. */
export interface Answered {
  readonly type: string
  readonly content: Content
  readonly sender: string
  readonly senderName: string
}

export interface MatrixMessage {
  readonly id: string
  readonly type: string
  /** The new content, if it is a correction. */
  readonly content: Content
  readonly isCorrection: boolean
  readonly answered: Answered | null
}

export interface MessagePlace {
  readonly bot: Bot
  /** The name that other members see. */
  readonly botName: string
  readonly target: string
  readonly topic: string | undefined
  /** In other rooms than the paired one, only messages that mention the persona are for it. */
  readonly mustMention: boolean
  readonly openFile: (file: FileContent) => IncomingFile
}

/** Returns null if the message is not for the persona. */
export const toIncomingMessage = (
  { id, type, content, isCorrection, answered }: MatrixMessage,
  place: MessagePlace,
): IncomingMessage | null => {
  const { bot, target, topic, mustMention, openFile } = place
  // Programs write notices. Two that answer each other would never stop.
  if (content.msgtype === 'm.notice') return null
  if (mustMention && !isMentioned(content, answered, place)) return null
  const file = parseFile(content)
  const words = getWords(content, answered !== null)
  const ownWords = mustMention ? removeName(words, place) : words
  const ownParts = partsIn((ownWords === '' && !file ? words : ownWords).trim())
  const parts = [...(answered ? quote(answered, bot) : []), ...ownParts, ...describe(type, content)]
  if (ownParts.length === 0 && parts.length === 0 && !file) return null
  const base = { target, ...(topic !== undefined && { topic }), direct: !mustMention }
  if (isCorrection)
    return parts.length === 0
      ? null
      : {
          ...base,
          key: `matrix-edit:${bot.id}:${id}`,
          parts: [correction, ...parts],
          files: [],
          command: null,
        }
  const [firstPart] = ownParts
  return {
    ...base,
    key: messageKey(bot, id),
    parts,
    files: file ? [openFile(file)] : [],
    command: firstPart?.from === 'person' ? parseCommand(firstPart.text) : null,
  }
}

export const messageKey = (bot: Bot, id: string): string => `matrix:${bot.id}:${id}`

/** The earlier message stays in the journal unchanged. */
const correction: MessagePart = {
  from: 'daemon',
  by: null,
  text: '[corrects an earlier message, which now reads:]',
}

const fileTypes: Readonly<Record<string, string>> = {
  'm.image': 'picture',
  'm.file': 'file',
  'm.audio': 'audio',
  'm.video': 'video',
}

const parseFile = (content: Content): FileContent | null =>
  fileTypes[String(content.msgtype)] === undefined ? null : (FileContent.safeParse(content).data ?? null)

/** Returns the text that the author wrote: of a file, its caption. */
const getWords = (content: Content, isReply: boolean): string => {
  const body = Text.parse(content.body)
  switch (content.msgtype) {
    case 'm.image':
    case 'm.file':
    case 'm.audio':
    case 'm.video': {
      const name = Text.parse(content.filename)
      return name === '' || name === body ? '' : body
    }
    case 'm.emote':
      return `* ${body}`
    case 'm.text':
      return isReply ? withoutFallback(body) : body
    default:
      return ''
  }
}

/** Older clients repeat the answered message at the beginning, each line with `> `. */
const withoutFallback = (body: string): string => {
  if (!/^> (?:\* )?<@[^>\n]{1,255}>/.test(body)) return body
  const lines = body.split('\n')
  const first = lines.findIndex((line) => !line.startsWith('>'))
  return first < 0 ? '' : lines.slice(lines[first] === '' ? first + 1 : first).join('\n')
}

/** Returns a text in place of content that cannot be fetched. */
const describe = (type: string, content: Content): readonly MessagePart[] => {
  const toShared = (text: string): readonly MessagePart[] => [{ from: 'shared', by: null, text }]
  if (type === 'm.sticker') return toShared(`(sticker: ${toLine(content.body, 200)})`)
  if (type !== 'm.room.message') return toShared(`(poll: ${getPoll(content)})`)
  const { msgtype, body, geo_uri: place } = content
  if (msgtype === 'm.location') return toShared(`(location: ${toLine(body, 200)} ${toLine(place, 200)})`)
  if (fileTypes[String(msgtype)] !== undefined && !parseFile(content))
    return toShared(`(${fileTypes[String(msgtype)]}: ${toLine(body, 200)})`)
  return []
}

const PollText = z.union([
  z.string(),
  z.object({ 'org.matrix.msc1767.text': z.string() }).transform((text) => text['org.matrix.msc1767.text']),
  z.array(z.object({ body: z.string() })).transform((texts) => texts[0]?.body ?? ''),
  z
    .object({ 'm.text': z.array(z.object({ body: z.string() })) })
    .transform((text) => text['m.text'][0]?.body ?? ''),
  z.object({ body: z.string() }).transform(({ body }) => body),
])
const Poll = z.object({ question: PollText, answers: z.array(PollText).catch([]) })

const getPoll = (content: Content): string => {
  const { data } = Poll.safeParse(content['m.poll'] ?? content['org.matrix.msc3381.poll.start'])
  if (!data) return 'unknown'
  return [data.question, ...data.answers.slice(0, 20)].map((text) => toLine(text, 200)).join(' / ')
}

/** Returns the answered message. It is attributed to the persona or to its author, never to the user. */
const quote = ({ type, content, sender, senderName }: Answered, bot: Bot): readonly MessagePart[] => {
  const kind = fileTypes[String(content.msgtype)]
  const lines = [
    getWords(content.msgtype === 'm.notice' ? { ...content, msgtype: 'm.text' } : content, true),
    ...(kind === undefined ? [] : [`(${kind}: ${toLine(content.filename ?? content.body, 200)})`]),
    ...(kind === undefined ? describe(type, content).map(({ text }) => text) : []),
  ]
  const text = lines.filter(Boolean).join('\n')
  const from: WordsFrom = sender === bot.id ? 'persona' : 'replied'
  const by = from === 'persona' ? bot.name : toLine(senderName, 200) || null
  return text === '' ? [] : [{ from, by, text }]
}

/** Names with which a message can begin, longest first. */
const getNames = ({ bot, botName }: MessagePlace): readonly string[] =>
  [bot.id, bot.name, bot.id.slice(0, bot.id.indexOf(':')), botName, bot.id.slice(1, bot.id.indexOf(':'))]
    .filter((name) => name.length > 1)
    .sort((first, second) => second.length - first.length)

const isMentioned = (content: Content, question: Answered | null, place: MessagePlace): boolean => {
  const { bot } = place
  if (question?.sender === bot.id) return true
  const words = getWords(content, question !== null)
  if (removeName(words, place) !== words) return true
  // Older clients mention users only by links.
  const mentions = Mentions.safeParse(content['m.mentions'])
  if (mentions.success) return mentions.data.user_ids.includes(bot.id)
  const html = Text.parse(content.formatted_body).toLowerCase()
  const link = `https://matrix.to/#/${bot.id}`.toLowerCase()
  return html.includes(link) || html.includes(encodeURI(link).replace('@', '%40'))
}

/** Removes the name of the persona at the beginning. */
const removeName = (words: string, place: MessagePlace): string => {
  const text = words.trimStart()
  const rest = text.startsWith('@') ? text.slice(1) : text
  for (const name of getNames(place))
    for (const candidate of new Set([text, rest])) {
      const isName = candidate.slice(0, name.length).toLowerCase() === name.toLowerCase()
      const remainder = candidate.slice(name.length)
      if (isName && /^(?:[:,\s]|$)/.test(remainder)) return remainder.replace(/^[:,]/, '').trimStart()
    }
  return words
}

const commands = ['start', 'stop', 'restart', 'help'] as const

const parseCommand = (text: string): IncomingMessage['command'] => {
  const name = /^[/!](start|stop|restart|help)(?=\s|$)/i.exec(text)?.[1]?.toLowerCase()
  return commands.find((command) => command === name) ?? null
}
