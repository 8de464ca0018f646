/** Which of the known shapes a piece of a history has, and the conversations in it. */

import { isObject } from '../kit/is-object.ts'
import { type ActivityLabel, findLabel } from './activity-label.ts'
import { fromCharacterAi, isCharacterAi } from './character-ai.ts'
import { fromCard, isCard } from './character-card.ts'
import { fromChatGpt, fromShared, isChatGpt, isShared } from './chatgpt.ts'
import { fromMemories, isMemories } from './claude-memories.ts'
import { isSessionLine, saidInSession, sessionTitle } from './coding-sessions.ts'
import { isExchange, isSeparateConversation, parseActivity, saidInExchange } from './gemini-history.ts'
import { fromStudioPrompt, isStudioPrompt } from './google-ai-studio.ts'
import { fromGrok, isGrok } from './grok.ts'
import type { Found, Said } from './imported-conversation.ts'
import { fromAgentFile, isAgentFile } from './letta.ts'
import { fromLibreChat, isLibreChat } from './librechat.ts'
import { fromLocomo, isLocomo } from './locomo.ts'
import { getField, type Loose, toList } from './loose-values.ts'
import { fromMessages, fromSaid, fromTalk, isMessage, isTalk, saidBy } from './messages.ts'
import { fromOpenWebUi, isOpenWebUi } from './open-webui.ts'
import { getTitle, isChatHead, isChatLine, saidInChat, withoutGreeting } from './silly-tavern.ts'
import { feedLimits } from './unreadable.ts'

/** `empty`: it has no content by which its form could be recognised. */
export type Form = 'known' | 'unknown' | 'empty'

interface WholeForm {
  readonly matches: (value: Loose) => boolean
  readonly from: (value: Loose) => readonly Found[]
}

/** Conversations that are one object; the first that fits. */
const wholeForms: readonly WholeForm[] = [
  { matches: isChatGpt, from: (value) => [fromChatGpt(value)] },
  { matches: isShared, from: (value) => [fromShared(value)] },
  { matches: isGrok, from: fromGrok },
  { matches: isOpenWebUi, from: fromOpenWebUi },
  { matches: isLibreChat, from: fromLibreChat },
  { matches: isLocomo, from: fromLocomo },
  { matches: isCard, from: fromCard },
  { matches: isStudioPrompt, from: fromStudioPrompt },
  { matches: isCharacterAi, from: fromCharacterAi },
  { matches: isAgentFile, from: fromAgentFile },
  { matches: isMemories, from: (value) => [fromMemories(value)] },
  { matches: isTalk, from: (value) => [fromTalk(value)] },
]

/** Shapes of which several make one conversation. */
const pieces: readonly ((value: Loose) => boolean)[] = [
  isExchange,
  isChatHead,
  isChatLine,
  isSessionLine,
  isMessage,
]

/** Names under which services and tools wrap one conversation, or all of them. */
const wrappers = ['conversation', 'data']
const maxWraps = 4

/** Takes off objects and lists of one around conversations. */
const unwrapValue = (value: unknown, levels = maxWraps): unknown => {
  if (levels === 0) return value
  if (Array.isArray(value)) {
    const [onlyItem] = value
    return value.length === 1 && !isMessage(onlyItem) ? unwrapValue(onlyItem, levels - 1) : value
  }
  if (!isObject(value) || isKnown(value)) return value
  const inner = wrappers
    .map((name) => getField(value, name))
    .find((item) => isObject(item) || Array.isArray(item))
  return inner === undefined ? value : unwrapValue(inner, levels - 1)
}

const isWrapped = (value: Loose): boolean =>
  Array.isArray(getField(value, 'conversations')) || Array.isArray(getField(value, 'chats'))

const isKnown = (value: Loose): boolean =>
  isWrapped(value) ||
  wholeForms.some(({ matches }) => matches(value)) ||
  pieces.some((matches) => matches(value))

const isWhole = (value: unknown): value is Loose =>
  isObject(value) && wholeForms.some(({ matches }) => matches(value))

/** Returns whether a piece of a file has one of the known shapes. */
export const detectForm = (piece: unknown): Form => {
  const value = unwrapValue(piece)
  if (value === null) return 'empty'
  if (Array.isArray(value)) {
    if (value.some((item) => isMessage(item) || isWhole(item))) return 'known'
    return value.every((item) => detectForm(item) === 'empty') ? 'empty' : 'unknown'
  }
  if (!isObject(value)) return 'unknown'
  if (Object.keys(value).length === 0) return 'empty'
  return isKnown(value) ? 'known' : 'unknown'
}

export interface Gathering {
  /** Returns the conversations that are complete now; none for a value that is no conversation. */
  take(value: unknown, bytes: number): readonly Found[]
  /**
   * Called at the end of a list or of the file: messages without an object around them were a conversation.
   */
  end(): readonly Found[]
}

interface Exchange {
  readonly value: Loose
  readonly bytes: number
}

/** Exchanges and their bytes that are held until the label of prompts is known. */
const sample = { exchanges: 300, bytes: 16 * 1024 * 1024 }

export const createGathering = (leftOut: (reason: 'too_large') => void): Gathering => {
  let messages: (Said | null)[] = []
  let size = 0
  let last: Loose | undefined
  /** The first line of a chat in lines. */
  let head: Loose | undefined
  let sessionName = ''

  let exchanges: Exchange[] = []
  let heldBytes = 0
  let label: ActivityLabel | undefined

  const end = () => [...release(), ...finish()]

  const finish = (): readonly Found[] => {
    const all = head ? [...withoutGreeting(messages)] : messages
    const title = head ? getTitle(head) : sessionName
    const tooLarge = size > feedLimits.conversation || all.length > feedLimits.messages
    const newestFirst = last !== undefined
    messages = []
    size = 0
    last = undefined
    head = undefined
    sessionName = ''
    if (tooLarge) leftOut('too_large')
    if (all.length === 0 || tooLarge) return []
    return [{ ...fromSaid(() => (newestFirst ? all.reverse() : all)), title }]
  }

  const gather = (newMessages: readonly (Said | null)[], bytes: number) => {
    size += bytes
    if (size > feedLimits.conversation) messages = []
    else if (messages.length <= feedLimits.messages) messages.push(...newMessages)
  }

  /** Takes the exchanges that were held. */
  const release = (): readonly Found[] => {
    const pendingExchanges = exchanges
    exchanges = []
    heldBytes = 0
    if (pendingExchanges.length === 0) return []
    label ??= findLabel(pendingExchanges.map(({ value }) => parseActivity(value)))
    const usedLabel = label
    return pendingExchanges.flatMap(({ value, bytes }) => exchange(value, bytes, usedLabel))
  }

  const exchange = (value: Loose, bytes: number, activityLabel: ActivityLabel): readonly Found[] => {
    const finishedConversations = last && !isSeparateConversation(last, value) ? [] : finish()
    last = value
    // The whole conversation is reversed at its end.
    gather([...saidInExchange(value, activityLabel)].reverse(), bytes)
    return finishedConversations
  }

  const takeExchange = (value: Loose, bytes: number): readonly Found[] => {
    if (label) return exchange(value, bytes, label)
    exchanges.push({ value, bytes })
    heldBytes += bytes
    return exchanges.length >= sample.exchanges || heldBytes > sample.bytes ? release() : []
  }

  const takeValue = (piece: unknown, bytes: number): readonly Found[] => {
    const value = unwrapValue(piece)
    if (Array.isArray(value)) {
      if (value.some(isMessage)) return [fromMessages(value.filter(isObject))]
      return value.filter(isWhole).flatMap((item) => takeValue(item, bytes))
    }
    if (!isObject(value)) return []
    const wholeForm = wholeForms.find(({ matches }) => matches(value))
    if (wholeForm) return wholeForm.from(value)
    if (isChatLine(value)) {
      head ??= value
      gather([saidInChat(value)], bytes)
      return []
    }
    if (isChatHead(value)) {
      const finishedConversations = end()
      head = value
      return finishedConversations
    }
    if (isExchange(value)) return takeExchange(value, bytes)
    if (isSessionLine(value)) {
      sessionName ||= sessionTitle(value) ?? ''
      gather([saidInSession(value)], bytes)
      return []
    }
    if (isMessage(value)) {
      gather([saidBy(value)], bytes)
      return []
    }
    const inner = toList(getField(value, 'conversations'))
    // The splitter takes conversations out of an object that nothing wraps.
    if (inner.some(isWhole)) return inner.filter(isWhole).flatMap((item) => takeValue(item, bytes))
    return inner.some(isMessage)
      ? [
          {
            ...fromMessages(inner.filter(isObject)),
            id: getField(value, 'id'),
            title: getField(value, 'title'),
          },
        ]
      : []
  }

  return { take: takeValue, end }
}
