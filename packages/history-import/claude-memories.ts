/**
 * What Claude kept in mind of a person, as its export tells it: words about them, not a conversation they
 * had.
 */
import type { Found, Said } from './imported-conversation.ts'
import { at, firstWords, type Loose, listOf, looseOf, wordsOf } from './loose-values.ts'

export const isMemories = (value: Loose): boolean =>
  Object.hasOwn(value, 'conversations_memory') || Object.hasOwn(value, 'project_memories')

/** Told as if it had been said, by whom it was written: the assistant. */
export const fromMemories = (value: Loose): Found => ({
  id: null,
  title: 'Memories',
  updated: [],
  said: () => saidIn(value),
})

const saidIn = function* (value: Loose): Generator<Said> {
  const projects = looseOf(at(value, 'project_memories'))
  const files = listOf(at(value, 'memory_files')).map(looseOf)
  const all = [
    wordsOf(at(value, 'conversations_memory')),
    ...Object.values(projects).map(wordsOf),
    ...files.map((file) => firstWords(at(file, 'content'), at(file, 'text'))),
  ]
  for (const content of all) if (content.trim() !== '') yield { role: 'assistant', content, time: null }
}
