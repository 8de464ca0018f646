/** What somebody wrote on Telegram, as the house hears it. */
import type { Bot, Heard, HeardFile } from '../platform.ts'
import { type FetchFile, mostBytes, tooLarge } from './files.ts'
import { type Entity, type Media, type Message, messageOf } from './message.ts'

export interface Update {
  readonly update_id: number
}

/** null: no message for us. */
export type Hear = (update: Update) => Heard | null

export const createHear =
  ({ bot, fetchFile }: { bot: Bot; fetchFile: FetchFile }): Hear =>
  (update) => {
    const message = messageOf(update)
    // Another bot that answers each answer would never end; an anonymous administrator writes through one, too.
    if (!message || message.is_automatic_forward || (message.from?.is_bot && !message.sender_chat)) return null
    const direct = message.chat.type === 'private'
    if (!direct && !isAddressed(message, bot)) return null

    const media = mediaIn(message)
    const fetchable = media.filter((one) => !isTooLarge(one))
    const content = [forwardedFrom(message), spelled(message), ...describe(message), ...media.filter(isTooLarge).map(lostWords)]
      .filter((line) => line !== null && line !== '')
      .join('\n')
    if (!content && fetchable.length === 0) return null

    return {
      key: `telegram:${bot.id}:${update.update_id}`,
      target: String(message.chat.id),
      direct,
      content,
      files: fetchable.map(({ name, voice, part }): HeardFile => ({ name, voice, bytes: (signal) => fetchFile(part.file_id, signal) })),
      command: commandIn(message, bot)?.known ?? null,
    }
  }

const isAddressed = (message: Message, bot: Bot): boolean => {
  const { text = '', caption = '', entities = [], caption_entities = [], reply_to_message: answered } = message
  if (String(answered?.from?.id) === bot.id) return true
  if ([...entities, ...caption_entities].some(({ user }) => user && String(user.id) === bot.id)) return true
  if (commandIn(message, bot)) return true
  const name = bot.name.replace(/\W/g, '\\$&')
  return new RegExp(`(?<![\\w@])@${name}(?!\\w)`, 'i').test(`${text}\n${caption}`)
}

const commands = ['start', 'stop', 'restart', 'help'] as const

/** null: no command, or one for another bot. */
const commandIn = ({ text = '' }: Message, bot: Bot): { readonly known: Heard['command'] } | null => {
  const [, word = '', whose] = /^\/(\w+)(?:@(\w+))?(?=\s|$)/.exec(text) ?? []
  if (!word || (whose && whose.toLowerCase() !== bot.name.toLowerCase())) return null
  return { known: commands.find((command) => command === word.toLowerCase()) ?? null }
}

/** Its words, where a link that hides behind some of them is written out. */
const spelled = ({ text, entities = [], caption = '', caption_entities = [] }: Message): string => {
  const words = text ?? caption
  const links = (text === undefined ? caption_entities : entities).filter((entity) => entity.type === 'text_link' && entity.url)
  return links.sort((a, b) => b.offset - a.offset).reduce(writeOut, words)
}

const writeOut = (words: string, { offset, length, url = '' }: Entity): string => {
  const end = offset + length
  return words.slice(offset, end) === url ? words : `${words.slice(0, end)} (${url})${words.slice(end)}`
}

/** Somebody else's words are not the person's own. */
const forwardedFrom = ({ forward_origin: origin }: Message): string | null => {
  if (!origin) return null
  const { sender_user: person, sender_user_name: name, sender_chat, chat } = origin
  const who = name ?? (person ? fullName(person) : (chat ?? sender_chat)?.title)
  return `[forwarded from ${oneLine(who || 'somebody')}]`
}

const describe = (message: Message): string[] => {
  const { sticker, venue, location, contact, dice, poll, story, game, checklist, paid_media, invoice } = message
  const at = (place: { latitude: number; longitude: number }) => `${place.latitude}, ${place.longitude}`
  const lines = [
    sticker && `[sticker ${oneLine(sticker.emoji ?? '')}]`.replace(' ]', ']'),
    // A venue brings its location a second time.
    venue && `[place: ${oneLine([venue.title, venue.address].filter(Boolean).join(', '))} (${at(venue.location)})]`,
    !venue && location && `[location: ${at(location)}]`,
    contact && `[contact: ${oneLine(`${fullName(contact)}, ${contact.phone_number}`)}]`,
    dice && `[${oneLine(dice.emoji)} shows ${dice.value}]`,
    poll && `[poll: ${oneLine(poll.question)} ${poll.options.map(({ text }) => oneLine(text)).join(' / ')}]`,
    checklist && `[checklist: ${oneLine(checklist.title ?? '')} ${checklist.tasks.map(({ text }) => oneLine(text)).join(' / ')}]`,
    story && '[a story, which Telegram does not show to bots]',
    game && `[game: ${oneLine(game.title ?? '')}]`,
    invoice && `[invoice: ${oneLine(invoice.title ?? '')}]`,
    paid_media && '[paid media, which cannot be fetched]',
  ]
  return lines.filter((line) => typeof line === 'string')
}

interface Sent {
  readonly kind: string
  readonly part: Media
  readonly name: string
  readonly voice: boolean
}

const mediaIn = (message: Message): Sent[] => {
  const { voice, audio, photo, animation, document, video, video_note } = message
  const largest = photo?.reduce((best, next) => (next.width * next.height > best.width * best.height ? next : best))
  const of = (kind: string, part: Media | undefined, name: string, spoken = false): Sent[] =>
    part ? [{ kind, part, name: nameOf(part, name), voice: spoken }] : []
  return [
    ...of('voice note', voice, 'voice.ogg', true),
    ...of('audio', audio, 'audio.mp3'),
    ...of('photo', largest, 'photo.jpg'),
    ...of('animation', animation, 'animation.mp4'),
    // An animation comes as a document, too, for older readers.
    ...of('document', animation ? undefined : document, 'document'),
    ...of('video', video, 'video.mp4'),
    ...of('video', video_note, 'video.mp4'),
  ]
}

const endings: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
}

/** As it was called there; where it has no name, one whose ending fits its kind. */
const nameOf = ({ file_name: given, mime_type: mime = '' }: Media, usual: string): string => {
  const name = oneLine(given ?? '').replace(/[/\\]/g, '_')
  if (name) return name
  const ending = endings[mime]
  return ending ? `${usual.replace(/\.\w+$/, '')}.${ending}` : usual
}

const isTooLarge = ({ part: { file_size: size = 0 } }: Sent): boolean => size > mostBytes

const lostWords = ({ kind, name, part: { file_size: size = 0 } }: Sent): string =>
  `[The ${kind} "${name}" (${Math.round(size / 104_857.6) / 10} MB) that came with this could not be fetched: ${tooLarge}.]`

const fullName = ({ first_name = '', last_name = '' }: { first_name?: string | undefined; last_name?: string | undefined }) =>
  `${first_name} ${last_name}`.trim()

/** Fit for one line of words of ours: what others chose to be called cannot pose as more than a name. */
const oneLine = (words: string): string =>
  words
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)
