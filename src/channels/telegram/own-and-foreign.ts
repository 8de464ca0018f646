/** Divides the text of a Telegram message by author. */

import type { MessagePart, WordsFrom } from '../../../facts/fact-values.ts'
import { partsIn, quoteLines } from '../../../projections/message-parts.ts'
import type { Bot } from '../../commands/bots.ts'
import type { Entity, Message, MessageFields, Things } from './message.ts'
import { filesInMessage, isTooLarge, lostWords } from './message-files.ts'
import { fullName, oneLine, originName, orNull } from './names.ts'

type Origin = Pick<MessagePart, 'from' | 'by'>

/**
 * Returns the author of a message that the user sent: forwarded, inserted by an inline bot, or written by the
 * user.
 */
export const isOwn = ({
  forward_origin: origin,
  forward_date: forwardDate,
  via_bot: helper,
}: MessageFields): Origin => {
  if (origin || forwardDate !== undefined) return { from: 'forwarded', by: originName(origin ?? {}) }
  if (helper)
    return { from: 'embedded', by: orNull(helper.username ? `@${helper.username}` : fullName(helper)) }
  return { from: 'person', by: null }
}

/** Returns the parts in reading order: the answered message, the text, the additions. */
export const splitParts = (message: Message, bot: Bot): readonly MessagePart[] => {
  const author = isOwn(message)
  const contents = [...describe(message), ...filesInMessage(message).filter(isTooLarge).map(lostWords)]
  const answers = answeredBy(message, bot)
  if (author.from === 'person')
    return [...answers, ...ownIn(message), ...part({ from: 'shared', by: null }, contents)]
  return [...answers, ...part(author, [getText(message), ...contents])]
}

const part = (author: Origin, lines: readonly string[]): readonly MessagePart[] => {
  const text = lines.filter(Boolean).join('\n')
  return text === '' ? [] : [{ ...author, text }]
}

/** Returns the answered message, or only the quoted passage. */
const answeredBy = (
  { reply_to_message: answeredMessage, external_reply: externalReply, quote }: Message,
  bot: Bot,
): readonly MessagePart[] => {
  if (externalReply)
    return part(
      { from: 'replied', by: originName(externalReply.origin) },
      quote ? [quote.text] : [...describe(externalReply), ...nameFiles(externalReply)],
    )
  if (!answeredMessage) return part({ from: 'replied', by: null }, quote ? [quote.text] : [])
  const { text, caption = '', from } = answeredMessage
  const lines = quote
    ? [quote.text]
    : [text ?? caption, ...describe(answeredMessage), ...nameFiles(answeredMessage)]
  const author = isOwn(answeredMessage)
  if (author.from !== 'person') return part({ from: 'replied', by: author.by }, lines)
  return part(
    isBot(answeredMessage, bot)
      ? { from: 'persona', by: bot.name }
      : { from: 'replied', by: orNull(from && fullName(from)) },
    lines,
  )
}

const isBot = ({ from }: MessageFields, bot: Bot): boolean => String(from?.id) === bot.id

/** Names the files of another message, which are not fetched again. */
const nameFiles = (message: Things): readonly string[] =>
  filesInMessage(message).map(({ kind, name }) => `[${kind}: ${name}]`)

const entitiesIn = ({ text, entities = [], caption_entities = [] }: Message): readonly Entity[] =>
  text === undefined ? caption_entities : entities

/** Returns the text with the URLs of hidden links written out. */
const getText = (message: Message): string => {
  const { text, caption = '' } = message
  const words = text ?? caption
  return spellOutLinks(words, entitiesIn(message), 0, words.length)
}

const spellOutLinks = (
  words: string,
  entities: readonly Entity[],
  beginOffset: number,
  end: number,
): string =>
  entities
    .filter(
      ({ type, url, offset, length }) =>
        type === 'text_link' && url && offset >= beginOffset && offset + length <= end,
    )
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (spelt, entity) => writeOut(spelt, { ...entity, offset: entity.offset - beginOffset }),
      words.slice(beginOffset, end),
    )

const writeOut = (words: string, { offset, length, url = '' }: Entity): string => {
  const end = offset + length
  return words.slice(offset, end) === url ? words : `${words.slice(0, end)} (${url})${words.slice(end)}`
}

/**
 * Returns the parts that the user wrote. Quotations and code blocks become separate parts, because the user
 * only shows them.
 */
const ownIn = (message: Message): readonly MessagePart[] => {
  const { text, caption = '' } = message
  const words = text ?? caption
  const entities = entitiesIn(message)
  const parts: MessagePart[] = []
  let position = 0
  const addOwn = (end: number) => {
    const spelledText = spellOutLinks(words, entities, position, end)
    // Line breaks next to a block belong to the block.
    const withoutFirstBreak =
      position > 0 && spelledText.startsWith('\n') ? spelledText.slice(1) : spelledText
    const withoutLastBreak =
      end < words.length && withoutFirstBreak.endsWith('\n')
        ? withoutFirstBreak.slice(0, -1)
        : withoutFirstBreak
    if (withoutLastBreak.trim() !== '') parts.push(...partsIn(withoutLastBreak))
  }
  for (const { type, offset, length, language = '' } of entities
    .filter(isBlock)
    .sort((a, b) => a.offset - b.offset)) {
    if (offset < position || length <= 0) continue
    addOwn(offset)
    position = Math.min(offset + length, words.length)
    const block = spellOutLinks(words, entities, offset, position)
    parts.push(
      type === 'pre'
        ? toShownPart('pasted', toFence(block, language))
        : toShownPart('quoted', quoteLines(block)),
    )
  }
  addOwn(words.length)
  return parts
}

const isBlock = ({ type }: Entity): boolean =>
  type === 'pre' || type === 'blockquote' || type === 'expandable_blockquote'

const toShownPart = (from: WordsFrom, text: string): MessagePart => ({ from, by: null, text })

const toFence = (code: string, language: string): string => {
  const longestRun = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  return `${fence}${oneLine(language).replaceAll('`', '')}\n${code}\n${fence}`
}

const describe = (message: Things): string[] => {
  const { sticker, venue, location, contact, dice, poll, story, game, checklist, paid_media, invoice } =
    message
  const formatPlace = (place: { latitude: number; longitude: number }) =>
    `${place.latitude}, ${place.longitude}`
  const lines = [
    sticker && `[sticker ${oneLine(sticker.emoji ?? '')}]`.replace(' ]', ']'),
    // A venue also contains its location.
    venue &&
      `[place: ${oneLine([venue.title, venue.address].filter(Boolean).join(', '))} (${formatPlace(venue.location)})]`,
    !venue && location && `[location: ${formatPlace(location)}]`,
    contact && `[contact: ${oneLine(`${fullName(contact)}, ${contact.phone_number}`)}]`,
    dice && `[${oneLine(dice.emoji)} shows ${dice.value}]`,
    poll && `[poll: ${oneLine(poll.question)} ${poll.options.map(({ text }) => oneLine(text)).join(' / ')}]`,
    checklist &&
      `[checklist: ${oneLine(checklist.title ?? '')} ${checklist.tasks.map(({ text }) => oneLine(text)).join(' / ')}]`,
    story && '[a story, which Telegram does not show to bots]',
    game && `[game: ${oneLine(game.title ?? '')}]`,
    invoice && `[invoice: ${oneLine(invoice.title ?? '')}]`,
    paid_media && '[paid media, which cannot be fetched]',
  ]
  return lines.filter((line) => typeof line === 'string')
}
