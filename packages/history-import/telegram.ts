/**
 * Reads the `result.json` of Telegram Desktop: one chat, or the whole account with `chats.list`. A chat has
 * `name`, `type`, `id` and `messages`; a message has `from`, `from_id` (`user123`), `text` as a string or as
 * a list of strings and entities, and `type` (`service` for notices). Source: the writer in Telegram Desktop,
 * `export/output/export_output_json.cpp`.
 */
import type { MaybeYield } from '../kit/flow/yielding.ts'
import { isObject } from '../kit/is-object.ts'
import type { Found, Said } from './imported-conversation.ts'
import { parseGently } from './json-reader.ts'
import type { OnLeftOut } from './left-out.ts'
import { firstWords, getField, type Loose, toList, toLoose, toText, toTime } from './loose-values.ts'
import { createPathSplitter, type PathPiece } from './path-splitter.ts'
import { type ChatLine, createChatCutter, isSameName } from './people-chats.ts'
import { feedLimits } from './unreadable.ts'
import { joinTexts } from './wordless-parts.ts'

const chatTypes =
  'personal_chat|bot_chat|saved_messages|private_group|private_supergroup|private_channel|public_group|public_supergroup|public_channel'
const chatType = new RegExp(`"type"\\s*:\\s*"(?:${chatTypes})"`)
const messageList = /"messages"\s*:\s*\[/
const account = /"personal_information"\s*:\s*\{/
const chatList = /"chats"\s*:\s*\{\s*(?:"about"\s*:\s*"[^"]{0,1000}"\s*,\s*)?"list"\s*:\s*\[/

/** Checks the beginning of a file. */
export const isTelegram = (text: string): boolean =>
  /^\s*\{/.test(text) &&
  (account.test(text) || chatList.test(text) || (chatType.test(text) && messageList.test(text)))

interface Options {
  readonly maybeYield: MaybeYield
  /** The name of the user, for a group of an export that does not say it. */
  readonly me: string | undefined
  readonly onLeftOut: OnLeftOut
}

/** Bytes of one message, or of one value about a chat. */
const maxBytes = 4 * 1024 * 1024
/** Messages of which a reply can name the author. */
const maxAuthors = 100_000

/** Yields conversations while the file is read. Throws `Unreadable` if it is damaged further on. */
export const fromTelegram = async function* (
  chunks: AsyncIterable<Buffer>,
  { maybeYield, me, onLeftOut }: Options,
): AsyncGenerator<Found> {
  const { depth: deepestLevel, values } = feedLimits
  const splitter = createPathSplitter({ maxBytes, values, deepest: deepestLevel, plan: choosePlan })
  let owner: string | undefined
  let chat = createChat({ owner, me, onLeftOut })

  const takePiece = async (piece: PathPiece): Promise<Found | undefined> => {
    const field = inChat(piece.path)
    if (piece.kind === 'closed') {
      if (field !== '') return undefined
      const endedChat = chat.end()
      chat = createChat({ owner, me, onLeftOut })
      return endedChat
    }
    if (piece.kind === 'left_out') {
      onLeftOut('bad_message')
      return undefined
    }
    const value = await parseGently(piece.bytes, maybeYield)
    if (field === 'messages.*') return chat.add(value)
    if (piece.path === 'personal_information') {
      owner = plainId(getField(toLoose(value), 'user_id'))
      chat = createChat({ owner, me, onLeftOut })
    } else chat.describe(field, value)
    return undefined
  }

  for await (const chunk of chunks) {
    for (const piece of splitter.push(chunk)) {
      const conversation = await takePiece(piece)
      if (conversation) yield conversation
    }
    await maybeYield()
  }
  splitter.end()
}

/** The path of a value within its chat; `''` for the chat itself. */
const inChat = (path: string): string => path.replace(/^(?:left_)?chats\.list\.\*(?:\.|$)/, '')

const choosePlan = (path: string): 'piece' | 'inside' | 'skip' => {
  if (path === 'personal_information') return 'piece'
  if (/^(?:left_)?chats(?:\.list)?$/.test(path)) return 'inside'
  const field = inChat(path)
  if (field === '' || field === 'messages') return 'inside'
  return ['name', 'type', 'id', 'messages.*'].includes(field) ? 'piece' : 'skip'
}

/** `user123`, `"123"` and `123` are the same user. Older exports have numbers. */
const plainId = (id: unknown): string | undefined => {
  const text = typeof id === 'number' ? String(id) : toText(id)
  return text === '' ? undefined : text.replace(/^user/, '')
}

interface ChatOptions extends Pick<Options, 'me' | 'onLeftOut'> {
  /** Id of the user whose account was exported. */
  readonly owner: string | undefined
}

interface Chat {
  describe(field: string, value: unknown): void
  add(message: unknown): Found | undefined
  end(): Found | undefined
}

const createChat = ({ owner, me, onLeftOut }: ChatOptions): Chat => {
  const chatInfo = { name: '', type: '', id: undefined as string | undefined }
  /** Id of the user, once a message of theirs was found. */
  let ownId: string | undefined
  let ownName: string | null = null
  let cutter: ReturnType<typeof createChatCutter> | undefined
  const authors = new Map<number, string>()
  let lastId: unknown

  const isOwn = (id: string | undefined, name: string): boolean => {
    if (id === undefined) return false
    if (owner !== undefined) return id === owner
    if (chatInfo.type === 'saved_messages') return id === (chatInfo.id ?? id)
    if (chatInfo.type === 'personal_chat' || chatInfo.type === 'bot_chat') {
      // The id of such a chat is the id of the other person.
      if (id === chatInfo.id || isSameName(name, chatInfo.name)) return false
      ownId ??= id
      return id === ownId
    }
    return me !== undefined && (isSameName(name, me) || id === plainId(me))
  }

  const toLine = (message: Loose): ChatLine | undefined => {
    const content = contentIn(message)
    if (content === undefined) return undefined
    const id = plainId(getField(message, 'from_id'))
    const name =
      firstWords(getField(message, 'from'), getField(message, 'from_id')).slice(0, feedLimits.title) ||
      'Unknown'
    const isUser = isOwn(id, name)
    if (isUser) ownName = name
    const target = getField(message, 'reply_to_message_id')
    const author = typeof target === 'number' && target !== lastId ? authors.get(target) : undefined
    const reply = author === undefined ? '' : `(in reply to ${author})`
    lastId = getField(message, 'id')
    if (typeof lastId === 'number' && authors.size < maxAuthors) authors.set(lastId, name)
    const time = timeIn(message)
    return { name, time, said: saidBy({ message, name, isUser, content: joinTexts(reply, content), time }) }
  }

  const saidBy = ({ message, name, isUser, content, time }: Spoken): Said | null => {
    if (contentIn(message) === '') return null
    // The words of someone else must not become memory of the user.
    const origin = firstWords(getField(message, 'forwarded_from'), getField(message, 'via_bot')).slice(
      0,
      feedLimits.title,
    )
    const isForwarded = Object.hasOwn(message, 'forwarded_from') || Object.hasOwn(message, 'via_bot')
    if (isUser && !isForwarded) return { role: 'user', content, time }
    const source = isForwarded ? ` (forwarded from ${origin || 'someone'})` : ''
    const isBot = chatInfo.type === 'bot_chat' && !isForwarded
    return { role: 'assistant', content: isBot ? content : `${name}${source}: ${content}`, time }
  }

  return {
    describe: (field, value) => {
      if (field === 'id') chatInfo.id = plainId(value)
      else if (field === 'name' || field === 'type')
        chatInfo[field] = toText(value).slice(0, feedLimits.title)
    },
    add: (message) => {
      if (isObject(message) && getField(message, 'type') === 'service') {
        onLeftOut('notice')
        return undefined
      }
      const line = isObject(message) ? toLine(message) : undefined
      if (!line) {
        onLeftOut('bad_message')
        return undefined
      }
      cutter ??= createChatCutter({
        kind: chatInfo.type === 'bot_chat' ? 'talk' : 'people',
        title: `Telegram: ${chatInfo.type === 'saved_messages' ? 'Saved messages' : chatInfo.name || 'a chat'}`,
        person: () => ownName,
      })
      return cutter.push(line)
    },
    end: () => cutter?.end(),
  }
}

interface Spoken {
  readonly message: Loose
  readonly name: string
  readonly isUser: boolean
  readonly content: string
  readonly time: number | null
}

/** Returns undefined if the message has no text of a known type. */
const contentIn = (message: Loose): string | undefined => {
  const text = getField(message, 'text') ?? getField(message, 'text_entities') ?? ''
  if (typeof text !== 'string' && !Array.isArray(text)) return undefined
  const words = typeof text === 'string' ? text : toList(text).map(partIn).join('')
  return joinTexts(mediaIn(message), words)
}

const partIn = (part: unknown): string =>
  typeof part === 'string' ? part : toText(getField(toLoose(part), 'text'))

const media: Readonly<Record<string, string>> = {
  animation: '(animation)',
  audio_file: '(audio)',
  video_file: '(video)',
  video_message: '(video message)',
  voice_message: '(voice message)',
}

/** Names a file or another part that is not text, in brackets. */
const mediaIn = (message: Loose): string => {
  const hasField = (name: string) => Object.hasOwn(message, name)
  const type = toText(getField(message, 'media_type'))
  if (type === 'sticker')
    return `(sticker ${toText(getField(message, 'sticker_emoji')).slice(0, 16)}`.trim().concat(')')
  const mediaName = getField(media, type)
  if (typeof mediaName === 'string') return mediaName
  if (hasField('photo')) return '(photo)'
  if (hasField('poll'))
    return `(poll: ${toText(getField(toLoose(getField(message, 'poll')), 'question')).slice(0, 300)})`
  if (hasField('contact_information')) return '(contact)'
  if (hasField('location_information')) return '(place)'
  if (!hasField('file')) return ''
  const name = toText(getField(message, 'file_name'))
    .replace(/[\s()]+/g, ' ')
    .trim()
  return name === '' ? '(file)' : `(file: ${name.slice(0, feedLimits.title)})`
}

/** `date_unixtime` is a string of seconds. `date` is in the zone of the computer that made the export. */
const timeIn = (message: Loose): number | null => {
  const seconds = getField(message, 'date_unixtime')
  return toTime(typeof seconds === 'string' ? Number(seconds) : seconds) ?? toTime(getField(message, 'date'))
}
