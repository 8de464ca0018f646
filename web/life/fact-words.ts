/** Describes a fact in a sentence, and quotes the user text that it holds. */
import { momentName } from '../shared/moments.ts'
import { slots, toFields, toList, toText } from '../shared/shapes.ts'
import { isolated } from '../strings/isolated.ts'
import { lifeText } from '../strings/life-words.ts'
import { newText } from '../strings/new-words.ts'
import { nameTool } from '../tools/builtin-tools.ts'
import { getRow, isFactName } from './fact-kinds.ts'

export interface ErasableFact {
  readonly type: string
  /** Null if it was erased. */
  readonly payload: unknown
}

/** Returns a sentence that describes the fact. `name` is the persona's name. */
export const formatFact = ({ type, payload }: ErasableFact, name: string): string => {
  if (!isFactName(type)) return type
  const erasedText = payload === null ? lifeText.factErased[type] : undefined
  return erasedText
    ? erasedText(name)
    : lifeText.fact[type](name, (field) => isolated(fieldIn(toFields(payload), field)))
}

/** Returns the user text of a fact, or an empty string if it has none or the text was erased. */
export const getQuote = ({ type, payload }: ErasableFact): string => {
  const fields = toFields(payload)
  const texts = (getRow(type).words ?? []).map((field) => getTexts(fields[field]))
  const reason = 'reason' in fields && !texts.includes(toText(fields.reason)) ? toText(fields.reason) : ''
  return [...new Set([...texts, reason])].filter((line) => line !== '').join('\n')
}

const getTexts = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((part) => toText(toFields(part).text)).join('\n')
  const { caption, name, text: words } = toFields(value)
  if (typeof caption === 'string' || typeof name === 'string')
    return [toText(name), toText(caption)].filter((part) => part !== '').join(': ')
  if (typeof words === 'string') return words
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 1)
}

/** Formats a field for a sentence. Some fields are derived from others. */
const fieldIn = (fields: ReturnType<typeof toFields>, field: string): string => {
  switch (field) {
    case 'organ':
    case 'slot': {
      const name = toText(fields.slot) || toText(fields.organ)
      const slot = slots.find((candidate) => candidate === name)
      return slot ? newText.organ.name[slot] : name
    }
    /** The name of a tool for people. */
    case 'action':
      return nameTool(toText(fields.name), fields.input)
    case 'model':
      return toText(toFields(fields.organ).model) || toText(fields.model)
    case 'when':
      return momentName(toText(fields.wall))
    case 'channel':
      return toText(toFields(fields.channel).type)
    case 'facts':
      return String(toList(fields.facts).length)
    default: {
      const value = fields[field]
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : toText(value)
    }
  }
}
