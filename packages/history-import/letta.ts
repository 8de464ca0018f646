/**
 * An agent file of Letta (`.af`): `agents[]` with `messages`, and `blocks` with the agent's memory. Files of
 * 2025 hold one agent without a list, with `core_memory`. Source of the shape:
 * https://github.com/letta-ai/agent-file and letta/schemas/agent_file.py of letta-ai/letta.
 */
import { isObject } from '../kit/is-object.ts'
import type { Found, Said } from './imported-conversation.ts'
import { firstWords, getField, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { toRole } from './messages.ts'
import { describeParts } from './wordless-parts.ts'

export const isAgentFile = (value: Loose): boolean =>
  (Array.isArray(getField(value, 'agents')) && Array.isArray(getField(value, 'blocks'))) ||
  (Array.isArray(getField(value, 'core_memory')) && Array.isArray(getField(value, 'messages')))

/** Only the block about the user is read, never those that say who the agent is. */
export const fromAgentFile = (value: Loose): readonly Found[] => {
  const agents = Array.isArray(getField(value, 'agents'))
    ? toList(getField(value, 'agents')).map(toLoose)
    : [value]
  const blocks = [...toList(getField(value, 'blocks')), ...toList(getField(value, 'core_memory'))].map(
    toLoose,
  )
  const aboutUser = blocks
    .filter((block) => getField(block, 'label') === 'human')
    .map((block) => toText(getField(block, 'value')))
    .filter((text) => text.trim() !== '')
  return [
    ...(aboutUser.length ? [notesFrom(aboutUser)] : []),
    ...agents.map((agent) => ({
      id: firstWords(getField(agent, 'id')),
      title: toText(getField(agent, 'name')),
      updated: [],
      said: () => toList(getField(agent, 'messages')).map(toLoose).map(saidIn),
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
  const role = toRole(toText(getField(message, 'role')))
  if (!role) return null
  const time = getField(message, 'created_at')
  const content = getField(message, 'content')
  const text = typeof content === 'string' ? content : describeParts(toList(content))
  if (role === 'user') {
    const typedContent = typedText(text)
    return typedContent === null ? null : { role, content: typedContent, time }
  }
  // Older agents speak by a tool; the text beside it is a thought.
  const sentText = toList(getField(message, 'tool_calls')).map(sentMessage).filter(Boolean).join('\n\n')
  if (sentText) return { role, content: sentText, time }
  return toList(getField(message, 'tool_calls')).length ? null : { role, content: text, time }
}

/** Letta wraps the input of the user as JSON of a type; other types are events of the program. */
const typedText = (text: string): string | null => {
  if (!text.trimStart().startsWith('{')) return text
  const wrappedValue = parseLoose(text)
  const type = getField(wrappedValue, 'type')
  if (type === 'user_message') return toText(getField(wrappedValue, 'message'))
  return typeof type === 'string' ? null : text
}

const sentMessage = (call: unknown): string => {
  const calledFunction = toLoose(getField(toLoose(call), 'function'))
  if (getField(calledFunction, 'name') !== 'send_message') return ''
  return toText(getField(parseLoose(toText(getField(calledFunction, 'arguments'))), 'message'))
}

const parseLoose = (text: string): Loose => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : toLoose(null)
  } catch {
    return toLoose(null) // not JSON after all
  }
}
