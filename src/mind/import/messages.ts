/**
 * A conversation as a list of messages: as Claude exports it (`chat_messages` of `sender` and `content`), as
 * models are spoken to (`messages` of `role` and `content`), and as training sets tell it (`from` and
 * `value`). Nobody promises the shape of an export; it is the one that readers of exports up to 2026 agree
 * on.
 */
import { pathTo, type Twig } from './branches.ts'
import type { Found, Said } from './imported-conversation.ts'
import { at, firstWords, isLoose, type Loose, listOf, looseOf, timeOf, wordsOf } from './loose-values.ts'
import { filesBeside, kindOf, partsOf, together } from './wordless-parts.ts'

export const isTalk = (value: Loose): boolean =>
  Array.isArray(at(value, 'chat_messages')) || Array.isArray(at(value, 'messages'))

export const isMessage = (value: unknown): value is Loose =>
  isLoose(value) && whose(value) !== '' && Object.hasOwn(value, bodyOf(value))

export const fromTalk = (value: Loose): Found => {
  const told = at(value, 'chat_messages')
  const messages = listOf(Array.isArray(told) ? told : at(value, 'messages')).filter(isLoose)
  return {
    id: ['uuid', 'conversation_id', 'id']
      .map((name) => at(value, name))
      .find((id) => id !== undefined && id !== null),
    title: firstWords(at(value, 'name'), at(value, 'title')),
    updated: ['updated_at', 'update_time', 'updated'].map((name) => at(value, name)),
    said: () => saidIn(kept(messages, at(value, 'current_leaf_message_uuid'))),
  }
}

/** Messages without anything around them. */
export const fromMessages = (messages: readonly Loose[]): Found => fromSaid(() => saidIn(messages))

export const fromSaid = (said: Found['said']): Found => ({ id: null, title: '', updated: [], said })

const whose = (message: Loose): string =>
  firstWords(at(message, 'role'), at(message, 'sender'), at(message, 'from')).trim().toLowerCase()

const bodyOf = (message: Loose): string =>
  ['content', 'text', 'value'].find((name) => Object.hasOwn(message, name)) ?? ''

const timeIn = (message: Loose): unknown =>
  ['created_at', 'create_time', 'timestamp', 'time', 'date']
    .map((name) => at(message, name))
    .find((time) => timeOf(time) !== null)

/** Where messages know which one they answer, those of the branch that was spoken last. */
const kept = (messages: readonly Loose[], tip: unknown): readonly Loose[] => {
  const byId = new Map<string, Loose>()
  for (const message of messages) byId.set(wordsOf(at(message, 'uuid')), message)
  const tree = new Map<string, Twig>()
  const beginnings = new Set<unknown>()
  for (const [id, message] of byId) {
    const parent = at(message, 'parent_message_uuid')
    const known = typeof parent === 'string' && byId.has(parent)
    if (!known) beginnings.add(parent)
    tree.set(id, { parent: known ? parent : null, time: timeOf(timeIn(message)), bare: false })
  }
  // Several beginnings of one origin are edits of the first message; of several, the tree is torn, and all of
  // it is told.
  const whole =
    byId.size === messages.length &&
    beginnings.size <= 1 &&
    [...tree.values()].some(({ parent }) => parent !== null)
  if (!whole) return messages
  return pathTo(typeof tip === 'string' ? tip : null, tree).map((id) => looseOf(byId.get(id)))
}

const roles: Readonly<Record<string, 'user' | 'assistant'>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  gpt: 'assistant',
  chatgpt: 'assistant',
}

const saidIn = function* (messages: Iterable<Loose>): Generator<Said | null> {
  for (const message of messages) yield saidBy(message)
}

/** null: of a tool, or of those who set the scene. */
export const saidBy = (message: Loose): Said | null => {
  const role = at(roles, whose(message)) as Said['role'] | undefined
  return role
    ? { role, content: together(spokenIn(message), filesBeside(message)), time: timeIn(message) }
    : null
}

const spokenIn = (message: Loose): string => {
  const content = at(message, bodyOf(message))
  if (typeof content === 'string') return withoutPlaceholders(content)
  const parts = isLoose(content) ? [content] : listOf(content)
  const beside = withoutPlaceholders(wordsOf(at(message, 'text')))
  const words = partsOf(parts, beside)
  if (words !== '') return words
  // The bare text of a message with thoughts has these in it.
  const thought = parts.some((part) => kindOf(looseOf(part)) === 'thinking')
  return thought ? '' : beside
}

/** What Claude's export says in the place of a block that it cannot tell. */
const withoutPlaceholders = (text: string): string =>
  text.includes('This block is not supported')
    ? text
        .replace(/(?:```\s*)?This block is not supported on your current device yet\.(?:\s*```)?/g, '')
        .replace(/\n{3,}/g, '\n\n')
    : text
