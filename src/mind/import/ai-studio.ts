/** Reads a prompt of Google AI Studio as it lies in Google Drive: JSON without an ending. */
import { isObject } from '../../is-object.ts'
import type { Found } from './imported-conversation.ts'
import { at, type Loose, listOf, looseOf } from './loose-values.ts'
import { fromSaid, saidBy } from './messages.ts'

const chunksIn = (value: Loose): unknown => at(looseOf(at(value, 'chunkedPrompt')), 'chunks')

export const isAiStudio = (value: Loose): boolean => Array.isArray(chunksIn(value))

export const fromAiStudio = (value: Loose): Found =>
  fromSaid(() =>
    listOf(chunksIn(value))
      .filter(isObject)
      .map((chunk) =>
        at(chunk, 'isThought') === true || !Object.hasOwn(chunk, 'text') ? null : saidBy(chunk),
      ),
  )
