/**
 * An agent file of Letta (`.af`): `agents[]` with `messages`, and `blocks` with the agent's memory. Files of
 * 2025 hold one agent without a list, with `core_memory`. Source of the shape:
 * https://github.com/letta-ai/agent-file and letta/schemas/agent_file.py of letta-ai/letta.
 */
import { isObject } from '../kit/is-object.ts'
import type { Found, Said } from './imported-conversation.ts'
import { at, firstWords, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { toRole } from './messages.ts'
import { describeParts } from './wordless-parts.ts'

export const isAgentFile = (value: Loose): boolean =>
  (Array.isArray(at(value, 'agents')) && Array.isArray(at(value, 'blocks'))) ||
  (Array.isArray(at(value, 'core_memory')) && Array.isArray(at(value, 'messages')))

/** Only the block about the user is read, never those that say who the agent is. */
export const fromAgentFile = (value: Loose): readonly Found[] => {
  const agents = Array.isArray(at(value, 'agents')) ? toList(at(value, 'agents')).map(toLoose) : [value]
  const blocks = [...toList(at(value, 'blocks')), ...toList(at(value, 'core_memory'))].map(toLoose)
  const aboutUser = blocks
    .filter((block) => at(block, 'label') === 'human')
    .map((block) => toText(at(block, 'value')))
    .filter((text) => text.trim() !== '')
  return [
    ...(aboutUser.length ? [notesFrom(aboutUser)] : []),
    ...agents.map((agent) => ({
      id: firstWords(at(agent, 'id')),
      title: toText(at(agent, 'name')),
      updated: [],
      said: () => toList(at(agent, 'messages')).map(toLoose).map(saidIn),
    })),
  ]
}

const notesFrom = (texts: readonly string[]): Found => ({
  id: null,
  title: 'Memories',
  updated: [],
  said: () => texts.map((content) => ({ role: 'assistant', content, time: null })),
})

/** Returns null for tool results, system messages, heartbeats and thoughts. */
const saidIn = (message: Loose): Said | null => {
  const role = toRole(toText(at(message, 'role')))
  if (!role) return null
  const time = at(message, 'created_at')
  const content = at(message, 'content')
  const text = typeof content === 'string' ? content : describeParts(toList(content))
  if (role === 'user') {
    const typed = typedText(text)
    return typed === null ? null : { role, content: typed, time }
  }
  // Older agents speak by a tool; the text beside it is a thought.
  const sentText = toList(at(message, 'tool_calls')).map(sentMessage).filter(Boolean).join('\n\n')
  if (sentText) return { role, content: sentText, time }
  return toList(at(message, 'tool_calls')).length ? null : { role, content: text, time }
}

/** Letta wraps the input of the user as JSON of a type; other types are events of the program. */
const typedText = (text: string): string | null => {
  if (!text.trimStart().startsWith('{')) return text
  const wrappedValue = parsed(text)
  const type = at(wrappedValue, 'type')
  if (type === 'user_message') return toText(at(wrappedValue, 'message'))
  return typeof type === 'string' ? null : text
}

const sentMessage = (call: unknown): string => {
  const called = toLoose(at(toLoose(call), 'function'))
  if (at(called, 'name') !== 'send_message') return ''
  return toText(at(parsed(toText(at(called, 'arguments'))), 'message'))
}

const parsed = (text: string): Loose => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : toLoose(null)
  } catch {
    return toLoose(null) // not JSON after all
  }
}
