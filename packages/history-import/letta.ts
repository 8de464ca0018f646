/**
 * An agent file of Letta (`.af`): `agents[]` with `messages`, and `blocks` with the agent's memory. Files of
 * 2025 hold one agent without a list, with `core_memory`. Source of the shape:
 * https://github.com/letta-ai/agent-file and letta/schemas/agent_file.py of letta-ai/letta.
 */
import { isObject } from '../kit/is-object.ts'
import type { Found, Said } from './imported-conversation.ts'
import { at, firstWords, type Loose, listOf, looseOf, wordsOf } from './loose-values.ts'
import { roleOf } from './messages.ts'
import { partsOf } from './wordless-parts.ts'

export const isAgentFile = (value: Loose): boolean =>
  (Array.isArray(at(value, 'agents')) && Array.isArray(at(value, 'blocks'))) ||
  (Array.isArray(at(value, 'core_memory')) && Array.isArray(at(value, 'messages')))

/** Only the block about the user is read, never those that say who the agent is. */
export const fromAgentFile = (value: Loose): readonly Found[] => {
  const agents = Array.isArray(at(value, 'agents')) ? listOf(at(value, 'agents')).map(looseOf) : [value]
  const blocks = [...listOf(at(value, 'blocks')), ...listOf(at(value, 'core_memory'))].map(looseOf)
  const aboutUser = blocks
    .filter((block) => at(block, 'label') === 'human')
    .map((block) => wordsOf(at(block, 'value')))
    .filter((text) => text.trim() !== '')
  return [
    ...(aboutUser.length ? [notesFrom(aboutUser)] : []),
    ...agents.map((agent) => ({
      id: firstWords(at(agent, 'id')),
      title: wordsOf(at(agent, 'name')),
      updated: [],
      said: () => listOf(at(agent, 'messages')).map(looseOf).map(saidIn),
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
  const role = roleOf(wordsOf(at(message, 'role')))
  if (!role) return null
  const time = at(message, 'created_at')
  const content = at(message, 'content')
  const text = typeof content === 'string' ? content : partsOf(listOf(content))
  if (role === 'user') {
    const typed = typedText(text)
    return typed === null ? null : { role, content: typed, time }
  }
  // Older agents speak by a tool; the text beside it is a thought.
  const sent = listOf(at(message, 'tool_calls')).map(sentMessage).filter(Boolean).join('\n\n')
  if (sent) return { role, content: sent, time }
  return listOf(at(message, 'tool_calls')).length ? null : { role, content: text, time }
}

/** Letta wraps the input of the user as JSON of a type; other types are events of the program. */
const typedText = (text: string): string | null => {
  if (!text.trimStart().startsWith('{')) return text
  const wrapped = parsed(text)
  const type = at(wrapped, 'type')
  if (type === 'user_message') return wordsOf(at(wrapped, 'message'))
  return typeof type === 'string' ? null : text
}

const sentMessage = (call: unknown): string => {
  const called = looseOf(at(looseOf(call), 'function'))
  if (at(called, 'name') !== 'send_message') return ''
  return wordsOf(at(parsed(wordsOf(at(called, 'arguments'))), 'message'))
}

const parsed = (text: string): Loose => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : looseOf(null)
  } catch {
    return looseOf(null) // not JSON after all
  }
}
