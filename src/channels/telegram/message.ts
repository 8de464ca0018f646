/** The parts of a Telegram update that this house reads (core.telegram.org/bots/api#message). What is odd in an optional part falls away and the rest stays. */
import { z } from 'zod'

const loose = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
const words = loose(z.string())

const Person = z.object({ id: z.number(), is_bot: loose(z.boolean()), first_name: words, last_name: words, username: words })

const Chat = z.object({ id: z.number().int(), type: z.string(), title: words })

const Media = z.object({ file_id: z.string().min(1), file_size: loose(z.number()), file_name: words, mime_type: words })
export type Media = z.infer<typeof Media>

const Entity = z.object({
  type: z.string(),
  offset: z.number().int(),
  length: z.number().int(),
  url: words,
  user: loose(z.object({ id: z.number() })),
})
export type Entity = z.infer<typeof Entity>

const Place = z.object({ latitude: z.number(), longitude: z.number() })

const Origin = z.object({ sender_user: loose(Person), sender_user_name: words, sender_chat: loose(Chat), chat: loose(Chat) })

const Message = z.object({
  chat: Chat,
  from: loose(Person),
  sender_chat: loose(Chat),
  text: words,
  caption: words,
  entities: loose(z.array(Entity)),
  caption_entities: loose(z.array(Entity)),
  reply_to_message: loose(z.object({ from: loose(Person) })),
  forward_origin: loose(Origin),
  is_automatic_forward: loose(z.boolean()),
  voice: loose(Media),
  audio: loose(Media),
  photo: loose(z.array(Media.extend({ width: z.number(), height: z.number() })).min(1)),
  document: loose(Media),
  video: loose(Media),
  video_note: loose(Media),
  animation: loose(Media),
  sticker: loose(z.object({ emoji: words })),
  location: loose(Place),
  venue: loose(z.object({ location: Place, title: z.string(), address: words })),
  contact: loose(z.object({ phone_number: z.string(), first_name: words, last_name: words })),
  dice: loose(z.object({ emoji: z.string(), value: z.number() })),
  poll: loose(z.object({ question: z.string(), options: z.array(z.object({ text: z.string() })) })),
  story: loose(z.object({})),
  game: loose(z.object({ title: words })),
  checklist: loose(z.object({ title: words, tasks: z.array(z.object({ text: z.string() })) })),
  paid_media: loose(z.object({})),
  invoice: loose(z.object({ title: words })),
})
export type Message = z.infer<typeof Message>

/** null: nothing that was written, or nothing that could be read. */
export const messageOf = (update: unknown): Message | null => {
  const { message } = (update ?? {}) as { readonly message?: unknown }
  return message === undefined ? null : (Message.safeParse(message).data ?? null)
}
