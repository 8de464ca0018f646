/**
 * The parts of a Telegram update that the daemon reads (core.telegram.org/bots/api#message). Invalid optional
 * parts are dropped.
 */
import { z } from 'zod'

const optionalField = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
const words = optionalField(z.string())

const Person = z.object({
  id: z.number(),
  is_bot: optionalField(z.boolean()),
  first_name: words,
  last_name: words,
  username: words,
})

const Chat = z.object({ id: z.number().int(), type: z.string(), title: words })

const Media = z.object({
  file_id: z.string().min(1),
  file_size: optionalField(z.number()),
  file_name: words,
  mime_type: words,
})
export type Media = z.infer<typeof Media>

const Entity = z.object({
  type: z.string(),
  offset: z.number().int(),
  length: z.number().int(),
  url: words,
  language: words,
  user: optionalField(z.object({ id: z.number() })),
})
export type Entity = z.infer<typeof Entity>

const Place = z.object({ latitude: z.number(), longitude: z.number() })

export const updates = ['message', 'edited_message', 'callback_query'] as const

const Origin = z.object({
  sender_user: optionalField(Person),
  sender_user_name: words,
  sender_chat: optionalField(Chat),
  chat: optionalField(Chat),
})
export type Origin = z.infer<typeof Origin>

/** Content that can occur in a message and also in a message of another chat that it answers. */
const thingFields = {
  voice: optionalField(Media),
  audio: optionalField(Media),
  photo: optionalField(z.array(Media.extend({ width: z.number(), height: z.number() })).min(1)),
  document: optionalField(Media),
  video: optionalField(Media),
  video_note: optionalField(Media),
  animation: optionalField(Media),
  sticker: optionalField(z.object({ emoji: words })),
  location: optionalField(Place),
  venue: optionalField(z.object({ location: Place, title: z.string(), address: words })),
  contact: optionalField(z.object({ phone_number: z.string(), first_name: words, last_name: words })),
  dice: optionalField(z.object({ emoji: z.string(), value: z.number() })),
  poll: optionalField(z.object({ question: z.string(), options: z.array(z.object({ text: z.string() })) })),
  story: optionalField(z.object({})),
  game: optionalField(z.object({ title: words })),
  checklist: optionalField(z.object({ title: words, tasks: z.array(z.object({ text: z.string() })) })),
  paid_media: optionalField(z.object({})),
  invoice: optionalField(z.object({ title: words })),
}
export type Things = z.infer<z.ZodObject<typeof thingFields>>

const messageFields = {
  from: optionalField(Person),
  text: words,
  caption: words,
  // An invalid origin becomes an empty one, so the message still counts as forwarded.
  forward_origin: Origin.optional().catch({}),
  forward_date: z.unknown().optional(),
  via_bot: Person.optional().catch({ id: 0 }),
  ...thingFields,
}

const Message = z.object({
  chat: Chat,
  /** Epoch seconds. */
  date: optionalField(z.number()),
  sender_chat: optionalField(Chat),
  message_thread_id: optionalField(z.number().int()),
  /** If it is missing, the thread is a chain of replies and not a topic. */
  is_topic_message: optionalField(z.boolean()),
  media_group_id: words,
  ...messageFields,
  entities: optionalField(z.array(Entity)),
  caption_entities: optionalField(z.array(Entity)),
  reply_to_message: optionalField(z.object(messageFields)),
  external_reply: optionalField(z.object({ ...thingFields, origin: Origin.catch({}) })),
  quote: optionalField(z.object({ text: z.string() })),
  is_automatic_forward: optionalField(z.boolean()),
})
export type MessageFields = z.infer<z.ZodObject<typeof messageFields>>
export type Message = z.infer<typeof Message>

/**
 * Returns null if the update is not a message or is invalid. `edited`: the message corrects an earlier one.
 */
export const parseMessage = (
  update: unknown,
): { readonly message: Message; readonly edited: boolean } | null => {
  const { message, edited_message: editedMessage } = (update ?? {}) as {
    readonly message?: unknown
    readonly edited_message?: unknown
  }
  const parsedMessage = Message.safeParse(message ?? editedMessage).data
  return parsedMessage ? { message: parsedMessage, edited: message === undefined } : null
}

/** Returns the topic of a message. */
export const getTopic = ({ is_topic_message, message_thread_id: topic }: Message): string | undefined =>
  is_topic_message && topic !== undefined ? String(topic) : undefined
