/**
 * A conversation as a list of messages: exports of Claude (`chat_messages` of `sender` and `content`),
 * requests to models (`messages` of `role` and `content`), training sets (`from` and `value`), and Eternego
 * (lines of `role` and `content`). The formats are not documented; readers of exports up to 2026 agree on
 * them.
 */
import { isObject } from '../kit/is-object.ts'
import { spokenBranch, type Threads } from './branches.ts'
import type { Found, Said } from './imported-conversation.ts'
import { firstWords, getField, type Loose, toList, toLoose, toText, toTime } from './loose-values.ts'
import { describeKind, describeParts, filesBeside, joinTexts } from './wordless-parts.ts'

export const isTalk = (value: Loose): boolean =>
  Array.isArray(getField(value, 'chat_messages')) || Array.isArray(getField(value, 'messages'))

export const isMessage = (value: unknown): value is Loose =>
  isObject(value) && getRole(value) !== '' && Object.hasOwn(value, getBody(value))

export const fromTalk = (value: Loose): Found => {
  const chatMessages = getField(value, 'chat_messages')
  const messages = toList(Array.isArray(chatMessages) ? chatMessages : getField(value, 'messages')).filter(
    isObject,
  )
  return {
    id: ['uuid', 'conversation_id', 'id']
      .map((name) => getField(value, name))
      .find((id) => id !== undefined && id !== null),
    title: firstWords(getField(value, 'name'), getField(value, 'title')),
    updated: ['updated_at', 'update_time', 'updated'].map((name) => getField(value, name)),
    said: () => saidIn(spokenBranch(messages, threads, getField(value, 'current_leaf_message_uuid'))),
  }
}

/** Messages without anything around them. */
export const fromMessages = (messages: readonly Loose[]): Found => fromSaid(() => saidIn(messages))

export const fromSaid = (readMessages: Found['said']): Found => ({
  id: null,
  title: '',
  updated: [],
  said: readMessages,
})

const getRole = (message: Loose): string =>
  firstWords(getField(message, 'role'), getField(message, 'sender'), getField(message, 'from'))
    .trim()
    .toLowerCase()

const getBody = (message: Loose): string =>
  ['content', 'text', 'value'].find((name) => Object.hasOwn(message, name)) ?? ''

const timeIn = (message: Loose): unknown =>
  ['created_at', 'create_time', 'timestamp', 'time', 'date']
    .map((name) => getField(message, name))
    .find((time) => toTime(time) !== null)

const threads: Threads = {
  id: (message) => getField(message, 'uuid'),
  parent: (message) => getField(message, 'parent_message_uuid'),
  time: timeIn,
}

const roles: Readonly<Record<string, 'user' | 'assistant'>> = {
  user: 'user',
  human: 'user',
  // Of Eternego, and of logs.
  person: 'user',
  persona: 'assistant',
  me: 'user',
  you: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  gpt: 'assistant',
  chatgpt: 'assistant',
}

/** undefined for any other name. */
export const toRole = (name: string): Said['role'] | undefined =>
  getField(roles, name) as Said['role'] | undefined

const saidIn = function* (messages: Iterable<Loose>): Generator<Said | null> {
  for (const message of messages) yield saidBy(message)
}

/** null: of a tool, or of those who set the scene. */
export const saidBy = (message: Loose): Said | null => {
  const role = toRole(getRole(message))
  return role
    ? { role, content: joinTexts(spokenIn(message), filesBeside(message)), time: timeIn(message) }
    : null
}

const spokenIn = (message: Loose): string => {
  const content = getField(message, getBody(message))
  if (typeof content === 'string') return withoutPlaceholders(content)
  const parts = isObject(content) ? [content] : toList(content)
  const ownText = withoutPlaceholders(toText(getField(message, 'text')))
  const words = describeParts(parts, ownText)
  if (words !== '') return words
  // The bare text of a message with thoughts has these in it.
  const hasThinking = parts.some((part) => describeKind(toLoose(part)) === 'thinking')
  return hasThinking ? '' : ownText
}

/** Removes the text that Claude's export writes instead of a block that it cannot export. */
const withoutPlaceholders = (text: string): string =>
  text.includes('This block is not supported')
    ? text
        .replace(/(?:```\s*)?This block is not supported on your current device yet\.(?:\s*```)?/g, '')
        .replace(/\n{3,}/g, '\n\n')
    : text
