/**
 * Groups updates that are one message: the pictures of an album, or a long text that Telegram split. Only
 * adjacent updates are grouped, so a group is a range of update ids.
 */

import { getTopic, type Message, parseMessage } from './message.ts'
import type { Update } from './parse-messages.ts'

/** UTF-16 units. Telegram splits a text at 4096, or earlier at the end of a word. */
const cutFrom = 4000

/** Max seconds between two parts of a message. */
const maxGap = 5

export const groupUpdates = (updates: readonly Update[]): readonly (readonly Update[])[] => {
  const groups: Update[][] = []
  for (const update of updates) {
    const group = groups.at(-1)
    const previousUpdate = group?.at(-1)
    if (group && previousUpdate && continues(previousUpdate, update)) group.push(update)
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
  const message = parseMessage(update)
  return message && !message.edited ? message.message : null
}

/** Returns whether the sender wrote the text and it is as long as a message can be. */
const isCut = ({ text = '', forward_origin, forward_date, via_bot }: Message): boolean =>
  text.length >= cutFrom && !forward_origin && forward_date === undefined && !via_bot

const continues = (earlierUpdate: Update, laterUpdate: Update): boolean => {
  const first = messageIn(earlierUpdate)
  const second = messageIn(laterUpdate)
  if (!first || !second) return false
  const isSameSender =
    first.chat.id === second.chat.id &&
    getTopic(first) === getTopic(second) &&
    (first.sender_chat ?? first.from)?.id === (second.sender_chat ?? second.from)?.id
  if (!isSameSender) return false
  if (first.media_group_id !== undefined || second.media_group_id !== undefined)
    return first.media_group_id === second.media_group_id
  return (
    isCut(first) &&
    second.text !== undefined &&
    !/^\/\w/.test(second.text) &&
    !second.forward_origin &&
    second.forward_date === undefined &&
    !second.via_bot &&
    !second.reply_to_message &&
    Math.abs((second.date ?? 0) - (first.date ?? 0)) <= maxGap
  )
}
