/** What people and chats are called on Telegram. */
import type { Origin } from './message.ts'

interface Named {
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
}

export const fullName = ({ first_name = '', last_name = '' }: Named): string =>
  `${first_name} ${last_name}`.trim()

/** Fit for one line of words of ours: what others chose to be called cannot pose as more than a name. */
export const oneLine = (words: string): string =>
  words
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)

/** Null where it is not told. */
export const orNull = (name: string | undefined): string | null => oneLine(name ?? '') || null

/** Whose message it was before it was passed on. */
export const originName = ({
  sender_user: person,
  sender_user_name: name,
  sender_chat,
  chat,
}: Origin): string | null => orNull(name ?? (person ? fullName(person) : (chat ?? sender_chat)?.title))
