/**
 * Groups updates that are one message: the pictures of an album, or a long text that Telegram split. Only
 * adjacent updates are grouped, so a group is a range of update ids.
 */
import type { Update } from './heard.ts'
import { getTopic, type Message, parseMessage } from './message.ts'

/** UTF-16 units. Telegram splits a text at 4096, or earlier at the end of a word. */
const cutFrom = 4000

/** Max seconds between two parts of a message. */
const longestGap = 5

export const groupUpdates = (updates: readonly Update[]): readonly (readonly Update[])[] => {
  const groups: Update[][] = []
  for (const update of updates) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    if (group && before && continues(before, update)) group.push(update)
    else groups.push([update])
  }
  return groups
}

/** Returns whether the next update may belong to the group. */
export const isOpen = (group: readonly Update[]): boolean => {
  const last = messageIn(group.at(-1))
  return last !== null && (last.media_group_id !== undefined || isCut(last))
}

const messageIn = (update: Update | undefined): Message | null => {
  const read = parseMessage(update)
  return read && !read.edited ? read.message : null
}

/** Returns whether the sender wrote the text and it is as long as a message can be. */
const isCut = ({ text = '', forward_origin, forward_date, via_bot }: Message): boolean =>
  text.length >= cutFrom && !forward_origin && forward_date === undefined && !via_bot

const continues = (before: Update, after: Update): boolean => {
  const left = messageIn(before)
  const other = messageIn(after)
  if (!left || !other) return false
  const isSameSender =
    left.chat.id === other.chat.id &&
    getTopic(left) === getTopic(other) &&
    (left.sender_chat ?? left.from)?.id === (other.sender_chat ?? other.from)?.id
  if (!isSameSender) return false
  if (left.media_group_id !== undefined || other.media_group_id !== undefined)
    return left.media_group_id === other.media_group_id
  return (
    isCut(left) &&
    other.text !== undefined &&
    !/^\/\w/.test(other.text) &&
    !other.forward_origin &&
    other.forward_date === undefined &&
    !other.via_bot &&
    !other.reply_to_message &&
    Math.abs((other.date ?? 0) - (left.date ?? 0)) <= longestGap
  )
}
