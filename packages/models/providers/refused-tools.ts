/**
 * Simplifies tool descriptions that a provider refuses. If it also refuses the simpler one, omits the tool
 * and informs the model.
 */

import { hash } from 'node:crypto'
import { isObject } from '../../kit/is-object.ts'
import type { Prompt, ToolSpec } from '../mind.ts'

/** The refused tools of one model at one address. */
export interface RefusedTools {
  /** Returns the prompt without the known refused parts. */
  fitted(prompt: Prompt): Prompt
  /**
   * Learns from a refusal of a fitted prompt. Returns false if it is not about a tool, or nothing is left to
   * try.
   */
  learn(refusalText: string, prompt: Prompt): boolean
}

/** By the hash of a description, so a changed description counts as new. */
type Known = Map<string, 'simple' | 'left out'>

/** Max remembered descriptions. */
const mostKnown = 1000

export const createRefusedTools = (): RefusedTools => {
  const knownTools: Known = new Map()
  const getState = (tool: ToolSpec) => {
    const state = knownTools.get(toKey(tool))
    return state === 'simple' && !simplify(tool) ? 'left out' : state
  }
  const fitPrompt = (prompt: Prompt): Prompt => {
    if (knownTools.size === 0) return prompt
    const omittedTools = prompt.tools.filter((tool) => getState(tool) === 'left out')
    const tools = prompt.tools.flatMap((tool) => {
      const state = getState(tool)
      return state === undefined ? tool : state === 'simple' ? (simplify(tool) ?? []) : []
    })
    return omittedTools.length === 0
      ? { ...prompt, tools }
      : { ...prompt, tools, system: `${prompt.system}\n\n${leftOut(omittedTools)}` }
  }
  const learn = (refusalText: string, prompt: Prompt): boolean => {
    const { names, known: areKnown } = refusedIn(refusalText, fitPrompt(prompt).tools)
    const namedTools = prompt.tools.filter(({ name }) => names.includes(name))
    // If the refusal names no tool, all are simplified, but none is omitted.
    const newTools = namedTools.filter((tool) => areKnown || getState(tool) === undefined)
    if (knownTools.size + newTools.length > mostKnown) knownTools.clear()
    for (const tool of newTools)
      knownTools.set(toKey(tool), getState(tool) === undefined ? 'simple' : 'left out')
    return newTools.length > 0
  }
  return { fitted: fitPrompt, learn }
}

const toKey = (tool: ToolSpec): string => hash('sha256', JSON.stringify(tool))

const leftOut = (tools: readonly ToolSpec[]): string =>
  `# Tools that you cannot use now
The provider of your model refuses how these are described: ${tools.map(({ name }) => `\`${name}\``).join(', ')}. Where one of them is wanted, say so.`

interface Refusal {
  readonly names: readonly string[]
  /** True if the refusal names the tools. Otherwise it may be about any tool. */
  readonly known: boolean
}

const refusedIn = (refusalText: string, tools: readonly ToolSpec[]): Refusal => {
  const namesByPlace = placesIn(refusalText).flatMap((index) => tools[index]?.name ?? [])
  if (namesByPlace.length > 0) return { names: namesByPlace, known: true }
  const names = [...refusalText.matchAll(toolNames)].map(([, name]) => name)
  const namedTool = tools.find(({ name }) => names.includes(name))
  if (namedTool) return { names: [namedTool.name], known: true }
  return {
    names: ofSchemas.some((words) => words.test(refusalText)) ? tools.map(({ name }) => name) : [],
    known: false,
  }
}

/**
 * Formats: `tools[0].function_declarations[3]` (possibly several), `tools[3].function.parameters`,
 * `tools.3.custom.input_schema`.
 */
const placesIn = (refusalText: string): readonly number[] => {
  const declarationMatches = [...refusalText.matchAll(declarations)]
  const matches = declarationMatches.length > 0 ? declarationMatches : [...refusalText.matchAll(toolPlaces)]
  return [...new Set(matches.map(([, bracketedIndex, dottedIndex]) => Number(bracketedIndex ?? dottedIndex)))]
}

const declarations = /function_?declarations\[(\d{1,4})\]/gi
const toolPlaces = /\btools(?:\[(\d{1,4})\]|\.(\d{1,4}))\.(?:function|parameters|custom|input_schema)\b/gi

/** Formats: `Invalid schema for function 'x'`, `tool "x" has …`, also within JSON. */
const toolNames = /\b(?:function|tool)s?[ :]{1,3}(?:name[ :]{1,3})?\\?["'`]([\w-]{1,64})/gi
/** The second row is for local servers: llama.cpp, Ollama, and grammar compilers. */
const ofSchemas: readonly RegExp[] = [
  /\b(?:tools?|functions?)\b[^\n]{0,80}\bschema\b|\bschema\b[^\n]{0,80}\b(?:tools?|functions?)\b/i,
  /\b(?:schema conversion failed|unrecognized schema|compile JSON schema|JSON schema not supported)\b/i,
  /\bGo struct field [\w.]{0,80}\btools\b/,
]

/** Keeps only the simple properties. Returns null if a required one is not simple. */
const simplify = (tool: ToolSpec): ToolSpec | null => {
  const { properties, required } = tool.parameters
  const entries = Object.entries(isObject(properties) ? properties : {})
  const plainEntries = entries.flatMap(([name, schema]) => {
    const plain = isObject(schema) ? toPlain(schema) : null
    return plain ? [[name, plain] as const] : []
  })
  const names = new Set(plainEntries.map(([name]) => name))
  const requiredNames = Array.isArray(required) ? required : []
  if (!requiredNames.every((name) => names.has(name))) return null
  return {
    name: tool.name,
    description: `${tool.description} (What it takes is told here in part.)`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(plainEntries),
      ...(requiredNames.length > 0 && { required: requiredNames }),
    },
  }
}

const plainTypes = ['string', 'number', 'integer', 'boolean']

const toPlain = ({ type, description, items }: Record<string, unknown>): object | null => {
  const descriptionField = typeof description === 'string' ? { description } : {}
  if (typeof type === 'string' && plainTypes.includes(type)) return { type, ...descriptionField }
  if (type !== 'array' || !isObject(items) || typeof items.type !== 'string') return null
  return plainTypes.includes(items.type) ? { type, items: { type: items.type }, ...descriptionField } : null
}
