/**
 * A prompt that Google AI Studio saved in Drive: `chunkedPrompt.chunks` of `role` and `text`, thoughts marked
 * by `isThought`. The format is not documented; this is the shape of files from 2024 to 2026.
 */
import { isObject } from '../kit/is-object.ts'
import type { Found, Said } from './imported-conversation.ts'
import { at, type Loose, listOf, looseOf, wordsOf } from './loose-values.ts'
import { roleOf } from './messages.ts'
import { partsOf, together } from './wordless-parts.ts'

export const isStudioPrompt = (value: Loose): boolean =>
  isObject(at(value, 'chunkedPrompt')) && Array.isArray(at(looseOf(at(value, 'chunkedPrompt')), 'chunks'))

export const fromStudioPrompt = (value: Loose): readonly Found[] => {
  const chunks = listOf(at(looseOf(at(value, 'chunkedPrompt')), 'chunks')).map(looseOf)
  return [{ id: null, title: '', updated: [], said: () => chunks.map(saidIn) }]
}

/** Files are references to Drive. */
const attached = [
  ['driveImage', 'image'],
  ['driveDocument', 'file'],
  ['driveVideo', 'video'],
  ['driveAudio', 'audio'],
  ['inlineImage', 'image'],
  ['inlineFile', 'file'],
] as const

const saidIn = (chunk: Loose): Said | null => {
  const role = roleOf(wordsOf(at(chunk, 'role')))
  if (!role || at(chunk, 'isThought') === true) return null
  const files = attached.filter(([name]) => isObject(at(chunk, name))).map(([, type]) => ({ type }))
  return {
    role,
    content: together(wordsOf(at(chunk, 'text')), partsOf(files)),
    time: at(chunk, 'createTime'),
  }
}
