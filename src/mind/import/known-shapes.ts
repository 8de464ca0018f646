/** Which of the known shapes a piece of a history has, and the conversations in it. */

import { isObject } from '../../is-object.ts'
import { fromCharacterAi, isCharacterAi } from './character-ai.ts'
import { fromCard, isCard } from './character-card.ts'
import { fromChatGpt, isChatGpt } from './chatgpt.ts'
import { fromMemories, isMemories } from './claude-memories.ts'
import { isSessionLine, saidInSession, sessionTitle } from './coding-sessions.ts'
import { isApart, isExchange, saidInExchange } from './gemini-history.ts'
import { fromStudioPrompt, isStudioPrompt } from './google-ai-studio.ts'
import { fromGrok, isGrok } from './grok.ts'
import type { Found, Said } from './imported-conversation.ts'
import { fromAgentFile, isAgentFile } from './letta.ts'
import { fromLibreChat, isLibreChat } from './librechat.ts'
import { fromLocomo, isLocomo } from './locomo.ts'
import { at, type Loose, listOf } from './loose-values.ts'
import { fromMessages, fromSaid, fromTalk, isMessage, isTalk, saidBy } from './messages.ts'
import { fromOpenWebUi, isOpenWebUi } from './open-webui.ts'
import { isChatHead, isChatLine, saidInChat, titleOf, withoutGreeting } from './silly-tavern.ts'
import { feedLimits } from './unreadable.ts'

/** `empty`: nothing stands in it, so nobody can say. */
export type Form = 'known' | 'unknown' | 'empty'

interface WholeForm {
  readonly is: (value: Loose) => boolean
  readonly from: (value: Loose) => readonly Found[]
}

/** Conversations that are one object; the first that fits. */
const wholes: readonly WholeForm[] = [
  { is: isChatGpt, from: (value) => [fromChatGpt(value)] },
  { is: isGrok, from: fromGrok },
  { is: isOpenWebUi, from: fromOpenWebUi },
  { is: isLibreChat, from: fromLibreChat },
  { is: isLocomo, from: fromLocomo },
  { is: isCard, from: fromCard },
  { is: isStudioPrompt, from: fromStudioPrompt },
  { is: isCharacterAi, from: fromCharacterAi },
  { is: isAgentFile, from: fromAgentFile },
  { is: isMemories, from: (value) => [fromMemories(value)] },
  { is: isTalk, from: (value) => [fromTalk(value)] },
]

/** Of which several are a conversation. */
const pieces: readonly ((value: Loose) => boolean)[] = [
  isExchange,
  isChatHead,
  isChatLine,
  isSessionLine,
  isMessage,
]

/** Whether a piece of a file has one of the shapes that are read, whatever is in it. */
export const formOf = (value: unknown): Form => {
  if (value === null) return 'empty'
  if (Array.isArray(value)) {
    if (value.some(isMessage)) return 'known'
    return value.every((one) => formOf(one) === 'empty') ? 'empty' : 'unknown'
  }
  if (!isObject(value)) return 'unknown'
  if (Object.keys(value).length === 0) return 'empty'
  const wraps = Array.isArray(at(value, 'conversations')) || Array.isArray(at(value, 'chats'))
  const known = wraps || wholes.some(({ is }) => is(value)) || pieces.some((is) => is(value))
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
  /** What stands above a chat of lines. */
  let head: Loose | undefined
  let sessionName = ''

  const end = () => {
    const all = head ? [...withoutGreeting(said)] : said
    const title = head ? titleOf(head) : sessionName
    const tooLarge = size > feedLimits.conversation || all.length > feedLimits.messages
    const newestFirst = last !== undefined
    said = []
    size = 0
    last = undefined
    head = undefined
    sessionName = ''
    if (tooLarge) leftOut('too_large')
    if (all.length === 0 || tooLarge) return []
    return [{ ...fromSaid(() => (newestFirst ? all.reverse() : all)), title }]
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
    if (Array.isArray(value)) return value.some(isMessage) ? [fromMessages(value.filter(isObject))] : []
    if (!isObject(value)) return []
    const whole = wholes.find(({ is }) => is(value))
    if (whole) return whole.from(value)
    if (isChatLine(value)) {
      head ??= value
      gather([saidInChat(value)], bytes)
      return []
    }
    if (isChatHead(value)) {
      const before = end()
      head = value
      return before
    }
    if (isExchange(value)) return exchange(value, bytes)
    if (isSessionLine(value)) {
      sessionName ||= sessionTitle(value) ?? ''
      gather([saidInSession(value)], bytes)
      return []
    }
    if (isMessage(value)) {
      gather([saidBy(value)], bytes)
      return []
    }
    const inner = listOf(at(value, 'conversations'))
    return inner.some(isMessage)
      ? [{ ...fromMessages(inner.filter(isObject)), id: at(value, 'id'), title: at(value, 'title') }]
      : []
  }

  return { take, end }
}
