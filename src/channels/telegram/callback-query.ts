/** Handles button presses on Telegram (core.telegram.org/bots/api#callbackquery) and answers them. */
import type { MessageEntity } from 'grammy/types'
import { z } from 'zod'
import type { Listener, PressResult } from '../platform.ts'
import type { BotApi } from './bot-api.ts'
import type { Update } from './parse-messages.ts'

/** `text` is missing if the message is too old. */
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
  readonly closeSignal: AbortSignal
  readonly onPress: Listener['onPress']
}

/** Max UTF-16 units of a message, and of the short notice over the chat. */
const maxLength = 4096
const maxShownLength = 200

/** Milliseconds for which the answer to a press is tried. */
const maxAnswerMs = 20_000

/** Returns the work for a press, or null if the update is not a press. */
export type CallbackHandler = (update: Update) => (() => Promise<void>) | null

export const createCallbackHandler =
  ({ api, closeSignal, onPress }: Deps): CallbackHandler =>
  (update) => {
    const parsedQuery = Query.safeParse((update as { readonly callback_query?: unknown }).callback_query)
    if (!parsedQuery.success) return null
    const query = parsedQuery.data
    return async () => {
      const result = await onPress({ target: String(query.message.chat.id), data: query.data })
      const signal = AbortSignal.any([closeSignal, AbortSignal.timeout(maxAnswerMs)])
      // The decision is stored. The answer is optional, so it is not awaited.
      void Promise.allSettled([
        showNotice(query, result, { api, signal }),
        editMessage(query, result, { api, signal }),
      ])
    }
  }

interface Means {
  readonly api: BotApi
  readonly signal: AbortSignal
}

/** Without a result this only ends the loading state of the button. */
const showNotice = ({ id }: Query, result: PressResult | null, { api, signal }: Means) =>
  api.ask(
    (raw, stop) =>
      raw.answerCallbackQuery(
        {
          callback_query_id: id,
          ...(result && { text: result.words.slice(0, maxShownLength), show_alert: !result.decided }),
        },
        stop,
      ),
    signal,
  )

/** Editing a message without passing buttons removes them. */
const editMessage = async ({ message }: Query, result: PressResult | null, { api, signal }: Means) => {
  if (!result) return
  const messageRef = { chat_id: message.chat.id, message_id: message.message_id }
  const text = `${message.text}\n\n${result.words}`
  const hasFittingText = result.decided && message.text !== undefined && text.length <= maxLength
  const entities = message.entities as MessageEntity[] | undefined
  await api.ask(
    (raw, stop): Promise<unknown> =>
      hasFittingText
        ? raw.editMessageText(
            {
              ...messageRef,
              text,
              ...(entities && { entities }),
              link_preview_options: { is_disabled: true },
            },
            stop,
          )
        : raw.editMessageReplyMarkup(messageRef, stop),
    signal,
  )
}
