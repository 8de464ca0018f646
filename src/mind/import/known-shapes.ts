/** Which of the known shapes a piece of a history has, and the conversations in it. */
import { fromChatGpt, isChatGpt } from './chatgpt.ts'
import { fromMemories, isMemories } from './claude-memories.ts'
import { isApart, isExchange, saidInExchange } from './gemini-history.ts'
import type { Found, Said } from './imported-conversation.ts'
import { at, isLoose, type Loose, listOf } from './loose-values.ts'
import { fromMessages, fromSaid, fromTalk, isMessage, isTalk, saidBy } from './messages.ts'
import { feedLimits } from './unreadable.ts'

/** `empty`: nothing stands in it, so nobody can say. */
export type Form = 'known' | 'unknown' | 'empty'

/** Whether a piece of a file has one of the shapes that are read, whatever is in it. */
export const formOf = (value: unknown): Form => {
  if (value === null) return 'empty'
  if (Array.isArray(value)) {
    if (value.some(isMessage)) return 'known'
    return value.every((one) => formOf(one) === 'empty') ? 'empty' : 'unknown'
  }
  if (!isLoose(value)) return 'unknown'
  if (Object.keys(value).length === 0) return 'empty'
  const wraps = Array.isArray(at(value, 'conversations')) || Array.isArray(at(value, 'chats'))
  const known = wraps || [isChatGpt, isMemories, isTalk, isExchange, isMessage].some((is) => is(value))
  return known ? 'known' : 'unknown'
}

export interface Gathering {
  /** The conversations that are whole now. What is no conversation gives none. */
  take(value: unknown, bytes: number): readonly Found[]
  /** A list, or the file, has ended: messages that had nothing around them were a conversation. */
  end(): readonly Found[]
}

export const createGathering = (leftOut: (why: 'too_large') => void): Gathering => {
  let said: (Said | null)[] = []
  let size = 0
  let last: Loose | undefined

  const end = () => {
    const all = said
    const tooLarge = size > feedLimits.conversation || all.length > feedLimits.messages
    const newestFirst = last !== undefined
    said = []
    size = 0
    last = undefined
    if (tooLarge) leftOut('too_large')
    if (all.length === 0 || tooLarge) return []
    return [fromSaid(() => (newestFirst ? all.reverse() : all))]
  }

  const gather = (more: readonly (Said | null)[], bytes: number) => {
    size += bytes
    if (size > feedLimits.conversation) said = []
    else if (said.length <= feedLimits.messages) said.push(...more)
  }

  const exchange = (value: Loose, bytes: number) => {
    const before = last && !isApart(last, value) ? [] : end()
    last = value
    // Turned around as a whole in the end.
    gather([...saidInExchange(value)].reverse(), bytes)
    return before
  }

  const take = (value: unknown, bytes: number): readonly Found[] => {
    if (Array.isArray(value)) return value.some(isMessage) ? [fromMessages(value.filter(isLoose))] : []
    if (!isLoose(value)) return []
    if (isChatGpt(value)) return [fromChatGpt(value)]
    if (isMemories(value)) return [fromMemories(value)]
    if (isTalk(value)) return [fromTalk(value)]
    if (isExchange(value)) return exchange(value, bytes)
    if (isMessage(value)) {
      gather([saidBy(value)], bytes)
      return []
    }
    const inner = listOf(at(value, 'conversations'))
    return inner.some(isMessage)
      ? [{ ...fromMessages(inner.filter(isLoose)), id: at(value, 'id'), title: at(value, 'title') }]
      : []
  }

  return { take, end }
}
