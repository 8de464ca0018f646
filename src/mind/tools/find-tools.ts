/**
 * find_tools: if servers offer many tools, the prompt lists only their names, and the model searches for the
 * ones it needs.
 */
import * as z from 'zod'
import type { ToolSpec } from '../../../packages/models/mind.ts'
import type { TurnStep } from '../prompt/talk-items.ts'
import { defineTool, type Tool } from './tool.ts'

/** Max server tools listed in full. If there are more, all of them must be searched. */
const maxShown = 15
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

/** `steps`: the steps of the turn so far. Tools found in them stay listed. */
export const toolSet = (
  { all: ownTools, offered }: OwnTools,
  serverTools: readonly Tool[],
  steps: readonly Pick<TurnStep, 'results'>[],
): ToolSet => {
  if (serverTools.length <= maxShown)
    return {
      tools: [...ownTools, ...serverTools],
      specs: [...offered, ...serverTools].map(({ spec }) => spec),
    }
  const foundNames = foundIn(steps)
  const finder = findTools(serverTools)
  const listedTools = [...offered, finder, ...serverTools.filter(({ spec }) => foundNames.has(spec.name))]
  return { tools: [...ownTools, finder, ...serverTools], specs: listedTools.map(({ spec }) => spec) }
}

const findTools = (serverTools: readonly Tool[]): Tool =>
  defineTool({
    name: 'find_tools',
    description: `Find more tools, from servers, by what they do or by name. Then you can call them.\nTheir names: ${joinNames(serverTools)}`,
    input: z.object({ query: z.string().trim().min(1).max(500).describe('a few words, or names') }),
    run: ({ query }) => {
      const tools = rank(serverTools, query)
      return tools.length > 0
        ? {
            ok: true,
            output: { tools: tools.map(({ spec: { name, description } }) => ({ name, description })) },
          }
        : { ok: false, output: { error: 'No tool of that kind was found. Try other words.' } }
    },
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
    const exact = query.includes(name) ? 100 : 0
    const score = (word: string) =>
      (lowerName.includes(word) ? 3 : 0) + (lowerDescription.includes(word) ? 1 : 0)
    return { tool, score: words.reduce((sum, word) => sum + score(word), exact) }
  })
  const bestMatches = scores
    .filter(({ score }) => score > 0)
    .sort((first, second) => second.score - first.score)
  return bestMatches.slice(0, maxFound).map(({ tool }) => tool)
}

const Found = z.object({ tools: z.array(z.object({ name: z.string() })) })

const foundIn = (steps: readonly Pick<TurnStep, 'results'>[]): ReadonlySet<string> =>
  new Set(
    steps.flatMap(({ results }) =>
      results.flatMap(({ name, output }) => {
        const parsed = name === 'find_tools' ? Found.safeParse(output) : null
        return parsed?.success ? parsed.data.tools.map((tool) => tool.name) : []
      }),
    ),
  )
