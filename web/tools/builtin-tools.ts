/** The built-in tools in words for people. */
import { toFields, toText } from '../shared/shapes.ts'
import { words } from '../strings/tool-words.ts'

/** Returns the name of a tool for people. An unknown tool keeps its own name. */
export const nameTool = (name: string, input?: unknown): string =>
  words.builtinNames[`${name} ${toText(toFields(input).op)}`] ?? words.builtinNames[name] ?? name

/** Fields of the inputs of built-in tools that a person understands without their names. */
const plainFields = [
  'text',
  'content',
  'query',
  'question',
  'wish',
  'intention',
  'body',
  'url',
  'file',
  'when',
]

/** Returns the main texts of an input of a built-in tool, one per line. */
export const describeInput = (input: unknown): string => {
  const fields = toFields(input)
  return plainFields
    .map((field) => toText(fields[field]))
    .filter((text) => text !== '')
    .join('\n')
}
