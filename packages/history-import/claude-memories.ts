/** The memory of Claude about a user, from its export: statements about the user, not a conversation. */
import type { Found, Said } from './imported-conversation.ts'
import { firstWords, getField, type Loose, toList, toLoose, toText } from './loose-values.ts'

export const isMemories = (value: Loose): boolean =>
  Object.hasOwn(value, 'conversations_memory') || Object.hasOwn(value, 'project_memories')

/** Returns the memory as messages of the assistant, who wrote it. */
export const fromMemories = (value: Loose): Found => ({
  id: null,
  title: 'Memories',
  updated: [],
  said: () => saidIn(value),
})

const saidIn = function* (value: Loose): Generator<Said> {
  const projects = toLoose(getField(value, 'project_memories'))
  const files = toList(getField(value, 'memory_files')).map(toLoose)
  const all = [
    toText(getField(value, 'conversations_memory')),
    ...Object.values(projects).map(toText),
    ...files.map((file) => firstWords(getField(file, 'content'), getField(file, 'text'))),
  ]
  for (const content of all) if (content.trim() !== '') yield { role: 'assistant', content, time: null }
}
