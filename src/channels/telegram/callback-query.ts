/**
 * Somebody pressed a button on Telegram (core.telegram.org/bots/api#callbackquery), and what they are told.
 */
import type { MessageEntity } from 'grammy/types'
import { z } from 'zod'
import type { Listener, PressResult } from '../platform.ts'
import type { BotApi } from './bot-api.ts'
import type { Update } from './heard.ts'

/** `text` is missing where the message is too old to be shown. */
const Query = z.object({
  id: z.string().min(1),
  data: z.string(),
  message: z.object({
    message_id: z.number().int(),
    chat: z.object({ id: z.number().int() }),
    text: z.string().optional().catch(undefined),
    entities: z.array(z.unknown()).optional().catch(undefined),
  }),
})
type Query = z.infer<typeof Query>

interface Deps {
  readonly api: BotApi
  readonly closed: AbortSignal
  readonly pressed: Listener['pressed']
}

/** UTF-16 units of a message, and of the words that are shown over the chat for a moment. */
const [longest, longestShown] = [4096, 200]

/** Milliseconds that telling what came of it is tried for. */
const longestTelling = 20_000

/** What is to be done about a press; null for what is none. */
export type TakePress = (update: Update) => (() => Promise<void>) | null

export const createTakePress =
  ({ api, closed, pressed }: Deps): TakePress =>
  (update) => {
    const read = Query.safeParse((update as { readonly callback_query?: unknown }).callback_query)
    if (!read.success) return null
    const query = read.data
    return async () => {
      const result = await pressed({ target: String(query.message.chat.id), data: query.data })
      const signal = AbortSignal.any([closed, AbortSignal.timeout(longestTelling)])
      // It is kept: what is told of it nobody waits for, and nothing hangs on it.
      void Promise.allSettled([shown(query, result, { api, signal }), edited(query, result, { api, signal })])
    }
  }

interface Means {
  readonly api: BotApi
  readonly signal: AbortSignal
}

/** Without words it is only that the button is no longer shown to be waiting. */
const shown = ({ id }: Query, result: PressResult | null, { api, signal }: Means) =>
  api.ask(
    (raw, stop) =>
      raw.answerCallbackQuery(
        {
          callback_query_id: id,
          ...(result && { text: result.words.slice(0, longestShown), show_alert: !result.decided }),
        },
        stop,
      ),
    signal,
  )

/** A message that is edited without buttons has none. */
const edited = async ({ message }: Query, result: PressResult | null, { api, signal }: Means) => {
  if (!result) return
  const at = { chat_id: message.chat.id, message_id: message.message_id }
  const text = `${message.text}\n\n${result.words}`
  const fits = result.decided && message.text !== undefined && text.length <= longest
  const entities = message.entities as MessageEntity[] | undefined
  await api.ask(
    (raw, stop): Promise<unknown> =>
      fits
        ? raw.editMessageText(
            { ...at, text, ...(entities && { entities }), link_preview_options: { is_disabled: true } },
            stop,
          )
        : raw.editMessageReplyMarkup(at, stop),
    signal,
  )
}
