/** Marks sentences that promise to remember or remind, which are false if nothing can be stored. */
import type { Situation } from './situation.ts'
import { wordsOf } from './words.ts'

/** Replaces the marked sentences. Without the tool `remember` each is replaced by its alternative. */
export const settlePromises = (text: string, situation: Pick<Situation, 'tools' | 'language'>): string => {
  if (situation.tools.has('remember')) return text.replace(marked, '$1')
  const honest = text.replace(marked, '$2').trim()
  return honest === text.trim() ? text : [honest, wordsOf(situation).keepsNothing].filter(Boolean).join(' ')
}

/** U+E000, the promise, U+E001, its alternative, U+E002. */
const marked = /\uE000([^\uE000-\uE002]*)\uE001([^\uE000-\uE002]*)\uE002/g
