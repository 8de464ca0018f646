/** Names of people and chats on Telegram. */
import type { Origin } from './message.ts'

interface NamedChat {
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
}

export const fullName = ({ first_name = '', last_name = '' }: NamedChat): string =>
  `${first_name} ${last_name}`.trim()

/** Makes an untrusted name safe for one line of a prompt, so that it cannot look like anything but a name. */
export const oneLine = (words: string): string =>
  words
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)

/** Returns null if the name is missing or blank. */
export const orNull = (name: string | undefined): string | null => oneLine(name ?? '') || null

/** Returns the name of the original author of a forwarded message. */
export const originName = ({
  sender_user: person,
  sender_user_name: name,
  sender_chat,
  chat,
}: Origin): string | null => orNull(name ?? (person ? fullName(person) : (chat ?? sender_chat)?.title))
