/** Sends text and files to a Telegram chat. */
import { stat } from 'node:fs/promises'
import type { InputFile } from 'grammy'
import { type Button, type Gateway, SendError, type SentFile } from '../platform.ts'
import { type BotApi, type Signal, TelegramError } from './bot-api.ts'
import { toTelegramHtml } from './html.ts'

const MiB = 1024 * 1024
const maxBytes = 50 * MiB
const maxPhotoBytes = 10 * MiB

export interface SendDeps {
  readonly api: BotApi
  /** The same API with a timeout for large files. */
  readonly slow: BotApi
  /** Host name of the API, for error messages. */
  readonly host: string
  /** Aborts when nothing more may be started or awaited. */
  readonly closeSignal: AbortSignal
}

type Ways = Pick<Gateway, 'send' | 'sendFile' | 'unbutton'>

export const createSending = ({ api, slow, host, closeSignal }: SendDeps): Ways => ({
  send: (target, text, _, signal, buttons = []) =>
    withSendErrors(host, signal, async () => {
      const attempt = (place: Place) =>
        withFormat(text, ({ words, ...form }) =>
          // No preview: it would make Telegram fetch any URL that an attacker gets the persona to write.
          api.ask(
            (raw, stop) =>
              raw.sendMessage(
                {
                  ...place,
                  text: words,
                  ...form,
                  link_preview_options: { is_disabled: true },
                  ...(buttons.length > 0 && {
                    reply_markup: { inline_keyboard: [buttons.map(toKeyboardButton)] },
                  }),
                },
                stop,
              ),
            signal,
          ),
        )
      const response = await withPlace(target, attempt)
      return Number.isSafeInteger(response?.message_id) ? String(response.message_id) : null
    }),
  unbutton: async (target, message) => {
    const sending = api.ask(
      (raw, stop) =>
        raw.editMessageReplyMarkup(
          { chat_id: parseTarget(target).chat_id, message_id: Number(message) },
          stop,
        ),
      closeSignal,
    )
    await sending.catch(() => {})
  },
  sendFile: (target, file, _, signal) =>
    withSendErrors(host, signal, async () => {
      const size = await readSize(file)
      const attempt = (method: Method) =>
        withPlace(target, (place) =>
          withFormat(file.caption, ({ words, ...form }) =>
            slow.ask(async (raw, stop) => {
              const inputFile = await toInputFile(file)
              const rest = { ...place, ...(words ? { caption: words } : {}), ...form }
              return senders[method](raw, inputFile, rest, stop)
            }, signal),
          ),
        )
      const method = methodFor(file, size)
      try {
        await attempt(method)
      } catch (error) {
        // Telegram rejects pictures with extreme proportions, and some users reject voice notes. As a plain
        // file they still arrive.
        if (method === 'document' || !isAboutTheFile(error)) throw error
        await attempt('document')
      }
    }),
})

/** Returns the chat and topic of a gateway target. */
export const parseTarget = (target: string): Place => {
  const [chat = '', topic] = target.split('/')
  return { chat_id: chat, ...(topic !== undefined && { message_thread_id: Number(topic) }) }
}

/** If the topic was closed or deleted, sends to the chat itself. */
const withPlace = async <T>(target: string, attempt: (place: Place) => Promise<T>): Promise<T> => {
  const { message_thread_id: topic, chat_id } = parseTarget(target)
  if (topic === undefined) return attempt({ chat_id })
  try {
    return await attempt({ chat_id, message_thread_id: topic })
  } catch (error) {
    const isTopicGone =
      error instanceof TelegramError &&
      error.code === 400 &&
      /thread not found|TOPIC_(?:DELETED|CLOSED)/i.test(error.message)
    if (!isTopicGone) throw error
    return attempt({ chat_id })
  }
}

const toKeyboardButton = ({ label, data }: Button) => ({ text: label, callback_data: data })

type Raw = Parameters<Parameters<BotApi['ask']>[0]>[0]
type Method = 'photo' | 'voice' | 'audio' | 'document'
interface Place {
  readonly chat_id: string
  readonly message_thread_id?: number
}
interface SendPlace extends Place {
  readonly caption?: string
  readonly parse_mode?: 'HTML'
}

const senders: Readonly<
  Record<Method, (raw: Raw, file: InputFile, rest: SendPlace, signal: Signal) => Promise<unknown>>
> = {
  photo: (raw, photo, rest, signal) => raw.sendPhoto({ photo, ...rest }, signal),
  voice: (raw, voice, rest, signal) => raw.sendVoice({ voice, ...rest }, signal),
  audio: (raw, audio, rest, signal) => raw.sendAudio({ audio, ...rest }, signal),
  document: (raw, document, rest, signal) => raw.sendDocument({ document, ...rest }, signal),
}

const methodFor = ({ mime, voice }: SentFile, size: number): Method => {
  if (/^image\/(jpeg|png|webp)$/.test(mime)) return size <= maxPhotoBytes ? 'photo' : 'document'
  const playable = /^audio\/(mpeg|mp4|x-m4a|m4a)$/.test(mime)
  if (voice && (playable || /^(audio|application)\/(ogg|opus)$/.test(mime))) return 'voice'
  return playable ? 'audio' : 'document'
}

const readSize = async ({ path, name }: SentFile): Promise<number> => {
  const stats = await stat(path).catch(() => null)
  if (!stats?.isFile()) throw new SendError(`The file ${name} is no longer there.`, { lasting: true })
  if (stats.size === 0)
    throw new SendError(`The file ${name} is empty, and Telegram takes no empty files.`, { lasting: true })
  if (stats.size > maxBytes)
    throw new SendError(`The file ${name} is larger than the 50 MB that Telegram takes from a bot.`, {
      lasting: true,
    })
  return stats.size
}

/** The library writes the name into the header unquoted. Quotes keep a semicolon or space from ending it. */
const toInputFile = async ({ path, name }: SentFile): Promise<InputFile> => {
  const { InputFile } = await import('grammy')
  const plain = wellFormed(name).replace(/[\p{Cc}"\\/]/gu, '_')
  return new InputFile(path, `"${plain || 'file'}"`)
}

interface Form {
  readonly words: string
  readonly parse_mode?: 'HTML'
}

/** Sends formatted text. If Telegram cannot parse it, sends the plain text. */
const withFormat = async <T>(text: string, attempt: (form: Form) => Promise<T>): Promise<T> => {
  const words = wellFormed(text)
  const html = toTelegramHtml(words)
  try {
    return await attempt(html === null ? { words } : { words: html, parse_mode: 'HTML' })
  } catch (error) {
    const isUnreadable =
      error instanceof TelegramError &&
      error.code === 400 &&
      /parse entities|is empty|must be non-empty/i.test(error.message)
    if (html === null || !isUnreadable) throw error
    return attempt({ words })
  }
}

/** Replaces lone surrogates, because Telegram rejects a message that contains one. */
const wellFormed = (words: string): string => words.replace(/\p{Surrogate}/gu, '\u{fffd}')

const isAboutTheFile = (error: unknown): boolean =>
  error instanceof TelegramError &&
  error.code === 400 &&
  /PHOTO|IMAGE|VOICE|AUDIO|wrong file type|file type/i.test(error.message)

const withSendErrors = async <T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SendError) throw error
    if (signal.aborted) throw new SendError('The request was cancelled.', { lasting: false })
    throw error instanceof TelegramError
      ? toSendError(error, host)
      : new SendError('The message could not be sent to Telegram.', { lasting: false })
  }
}

const toSendError = ({ message, code, wait, moved: hasMoved }: TelegramError, host: string): SendError => {
  if (code === null)
    return new SendError(`Telegram could not be reached at ${host}: ${message}.`, { lasting: false })
  if (code === 429)
    return new SendError('Telegram asks for a pause before it takes more.', { lasting: false, wait })
  if (code >= 500)
    return new SendError(`Telegram reports an internal error: ${message}.`, { lasting: false, wait })
  if (code === 401 || code === 404)
    return new SendError(
      'Telegram no longer accepts the token of this bot. Ask @BotFather for its token and add the channel again.',
      {
        lasting: true,
      },
    )
  if (hasMoved)
    return new SendError(
      'This group has become a supergroup, which is another chat to Telegram. Pair the bot there again.',
      {
        lasting: true,
      },
    )
  return new SendError(`Telegram does not deliver this: ${message}.`, { lasting: true })
}
