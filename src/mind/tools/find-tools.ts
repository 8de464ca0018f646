/**
 * find_tools and use_tool: if servers offer many tools, the prompt lists only their names. The model searches
 * for the ones it needs and calls them by name.
 */
import * as z from 'zod'
import type { PromptProfile } from '../../../facts/fact-values.ts'
import type { ToolSpec } from '../../../packages/models/mind.ts'
import { parseInput } from '../prompt/lenient-json.ts'
import { listCompact } from './compact-tools.ts'
import { defineTool, getSize, maxOutputBytes, type Tool, unknownTool } from './tool.ts'

/** Max server tools listed in full. If there are more, all of them must be searched. */
const maxShown = 15
const maxShownCompact = 2
/** Results per search. */
const maxFound = 8
/** UTF-16 units of all names together. */
const maxNamesLength = 12_000

export interface ToolSet {
  /** All tools that may be called. */
  readonly tools: readonly Tool[]
  /** The tools listed in the prompt. */
  readonly specs: readonly ToolSpec[]
}

interface OwnTools {
  readonly all: readonly Tool[]
  /** The ones that can work now. A call of another one returns what it lacks. */
  readonly offered: readonly Tool[]
}

export const toolSet = (
  { all: ownTools, offered }: OwnTools,
  serverTools: readonly Tool[],
  profile: PromptProfile,
): ToolSet => {
  const most = profile === 'full' ? maxShown : maxShownCompact
  const finders = serverTools.length <= most ? [] : [findTools(serverTools), useTool(serverTools)]
  const listedTools = (finders.length > 0 ? finders : serverTools).map(({ spec }) => spec)
  return {
    tools: [...ownTools, ...finders, ...serverTools],
    specs:
      profile === 'full'
        ? [...offered.map(({ spec }) => spec), ...listedTools]
        : listCompact(offered, listedTools),
  }
}

const findTools = (serverTools: readonly Tool[]): Tool =>
  defineTool({
    name: 'find_tools',
    description: `Find more tools, from servers, by what they do or by name. Then use one with use_tool.\nTheir names: ${joinNames(serverTools)}`,
    input: z.object({ query: z.string().trim().min(1).max(500).describe('a few words, or names') }),
    run: ({ query }) => {
      const tools = rank(serverTools, query)
      return tools.length > 0
        ? { ok: true, output: { tools: describeFound(tools) } }
        : { ok: false, output: { error: 'No tool of that kind was found. Try other words.' } }
    },
  })

/** Leaves out the parameters of tools that would make the answer too long. */
const describeFound = (tools: readonly Tool[]): readonly Partial<ToolSpec>[] => {
  let bytesLeft = maxOutputBytes / 2
  return tools.map(({ spec: { name, description, parameters } }) => {
    const size = getSize(parameters)
    if (size > bytesLeft) return { name, description }
    bytesLeft -= size
    return { name, description, parameters }
  })
}

/**
 * Calls a found tool. The list of tools stays the same when tools are found: another list would change the
 * beginning of every prompt.
 */
const useTool = (serverTools: readonly Tool[]): Tool =>
  defineTool({
    name: 'use_tool',
    description: 'Use a tool that find_tools has found.',
    input: z.object({
      name: z.string().trim().min(1).max(200),
      input: z.unknown().optional().describe('an object with its parameters'),
    }),
    redirect: ({ name, input = {} }) => ({ name, input: parseInput(input) }),
    run: ({ name }) => unknownTool({ name }, serverTools),
  })

const joinNames = (serverTools: readonly Tool[]): string => {
  const names = serverTools.map(({ spec }) => spec.name).join(', ')
  return names.length > maxNamesLength ? `${names.slice(0, maxNamesLength)} …` : names
}

/** Ranks by how many words of the query a name or a description contains. A name counts three times. */
const rank = (serverTools: readonly Tool[], query: string): readonly Tool[] => {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
  const scores = serverTools.map((tool) => {
    const { name, description } = tool.spec
    const lowerName = name.toLowerCase()
    const lowerDescription = description.toLowerCase()
    const exactScore = query.includes(name) ? 100 : 0
    const score = (word: string) =>
      (lowerName.includes(word) ? 3 : 0) + (lowerDescription.includes(word) ? 1 : 0)
    return { tool, score: words.reduce((sum, word) => sum + score(word), exactScore) }
  })
  const bestMatches = scores
    .filter(({ score }) => score > 0)
    .sort((first, second) => second.score - first.score)
  return bestMatches.slice(0, maxFound).map(({ tool }) => tool)
}
