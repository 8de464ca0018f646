/** What somebody wrote on Telegram, as the daemon hears it. */
import type { MessagePart } from '../../../journal/facts/fact-values.ts'
import type { Bot } from '../../commands/bots.ts'
import type { Heard, HeardFile } from '../platform.ts'
import type { FetchFile } from './fetch-files.ts'
import { type Message, messageOf } from './message.ts'
import { isTooLarge, mediaIn } from './message-files.ts'
import { partsOf, whoseIs } from './own-and-foreign.ts'

export interface Update {
  readonly update_id: number
}

/** null: no message for us. */
export type Hear = (update: Update) => Heard | null

export const createHear =
  ({ bot, fetchFile }: { bot: Bot; fetchFile: FetchFile }): Hear =>
  (update) => {
    const read = messageOf(update)
    if (!read) return null
    const { message, edited } = read
    // Another bot that answers each answer would never end; an anonymous administrator writes through one,
    // too.
    if (message.is_automatic_forward || (message.from?.is_bot && !message.sender_chat)) return null
    const direct = message.chat.type === 'private'
    if (!direct && !isAddressed(message, bot)) return null

    const heard = { key: `telegram:${bot.id}:${update.update_id}`, target: String(message.chat.id), direct }
    // A place that moves, a poll that is voted in: they change, and nobody corrected a word.
    if (edited)
      return message.text || message.caption
        ? { ...heard, parts: [correction, ...partsOf(message, bot)], files: [], command: null }
        : null
    const parts = partsOf(message, bot)
    const fetchable = mediaIn(message).filter((one) => !isTooLarge(one))
    if (parts.length === 0 && fetchable.length === 0) return null
    const whose = whoseIs(message)
    return {
      ...heard,
      parts,
      files: fetchable.map(
        ({ name, voice, part }): HeardFile => ({
          name,
          voice,
          ...whose,
          bytes: (signal) => fetchFile(part.file_id, signal),
        }),
      ),
      command: whose.from === 'person' ? (commandIn(message, bot)?.known ?? null) : null,
    }
  }

/** What was written before stays as it was heard. */
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
    reply_to_message: answered,
  } = message
  if (String(answered?.from?.id) === bot.id) return true
  if ([...entities, ...caption_entities].some(({ user }) => user && String(user.id) === bot.id)) return true
  if (commandIn(message, bot)) return true
  const name = bot.name.replace(/\W/g, '\\$&')
  // Linear: the letters of a name.
  return new RegExp(`(?<![\\w@])@${name}(?!\\w)`, 'i').test(`${text}\n${caption}`)
}

const commands = ['start', 'stop', 'restart', 'help'] as const

/** null: no command, or one for another bot. */
const commandIn = ({ text = '' }: Message, bot: Bot): { readonly known: Heard['command'] } | null => {
  const [, word = '', whose] = /^\/(\w+)(?:@(\w+))?(?=\s|$)/.exec(text) ?? []
  if (!word || (whose && whose.toLowerCase() !== bot.name.toLowerCase())) return null
  return { known: commands.find((command) => command === word.toLowerCase()) ?? null }
}
