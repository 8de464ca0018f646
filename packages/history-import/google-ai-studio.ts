/**
 * A prompt that Google AI Studio saved in Drive: `chunkedPrompt.chunks` of `role` and `text`, thoughts marked
 * by `isThought`. The format is not documented; this is the shape of files from 2024 to 2026.
 */
import { isObject } from '../kit/is-object.ts'
import type { Found, Said } from './imported-conversation.ts'
import { getField, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { toRole } from './messages.ts'
import { describeParts, joinTexts } from './wordless-parts.ts'

export const isStudioPrompt = (value: Loose): boolean =>
  isObject(getField(value, 'chunkedPrompt')) &&
  Array.isArray(getField(toLoose(getField(value, 'chunkedPrompt')), 'chunks'))

export const fromStudioPrompt = (value: Loose): readonly Found[] => {
  const chunks = toList(getField(toLoose(getField(value, 'chunkedPrompt')), 'chunks')).map(toLoose)
  return [{ id: null, title: '', updated: [], said: () => chunks.map(saidIn) }]
}

/** Files are references to Drive. */
const attachmentFields = [
  ['driveImage', 'image'],
  ['driveDocument', 'file'],
  ['driveVideo', 'video'],
  ['driveAudio', 'audio'],
  ['inlineImage', 'image'],
  ['inlineFile', 'file'],
] as const

const saidIn = (chunk: Loose): Said | null => {
  const role = toRole(toText(getField(chunk, 'role')))
  if (!role || getField(chunk, 'isThought') === true) return null
  const files = attachmentFields
    .filter(([name]) => isObject(getField(chunk, name)))
    .map(([, type]) => ({ type }))
  return {
    role,
    content: joinTexts(toText(getField(chunk, 'text')), describeParts(files)),
    time: getField(chunk, 'createTime'),
  }
}
