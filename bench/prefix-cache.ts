/** Simulates the prompt caches of Ollama, OpenAI and Anthropic on the requests that they receive. */
import { hash } from 'node:crypto'
import { type Fields, isObject } from '../packages/kit/is-object.ts'

/** As `tokensIn` estimates. */
export const bytesPerToken = 3.5

/** In tokens. `marked`: share of the request before the last cache mark of the previous one; null without. */
export interface Cached {
  readonly tokens: number
  readonly uncachedTokens: number
  /** Share of the previous request that this one repeats, from 0 to 1; null for the first. */
  readonly repeated: number | null
  readonly marked: number | null
}

export interface PrefixCache {
  read(body: Fields): Cached
}

export const countRepeated = (before: string, after: string): number => {
  let at = 0
  while (at < before.length && before[at] === after[at]) at++
  return at
}

/** A local runtime keeps the computed beginning of its last request. */
export const createOllamaCache = (): PrefixCache =>
  createTextCache(
    ({ tools, messages }) => [tools ?? [], ...toList(messages)],
    (units) => units,
  )

/**
 * OpenAI caches beginnings of at least 1024 tokens, in steps of 128. Source:
 * developers.openai.com/api/docs/guides/prompt-caching
 */
export const createOpenAiCache = (): PrefixCache =>
  createTextCache(
    ({ tools, input, messages }) => [tools ?? [], ...toList(input ?? messages)],
    (units) => {
      const tokens = Math.floor(units / bytesPerToken / 128) * 128
      return tokens < 1024 ? 0 : tokens * bytesPerToken
    },
  )

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const createTextCache = (
  toParts: (body: Fields) => readonly unknown[],
  toCachedUnits: (repeatedUnits: number) => number,
): PrefixCache => {
  let before = ''
  return {
    read: (body) => {
      // Without the closing bracket, so that more messages continue the text.
      const text = JSON.stringify(toParts(body)).slice(0, -1)
      const repeatedUnits = countRepeated(before, text)
      const cached = {
        tokens: text.length / bytesPerToken,
        uncachedTokens: (text.length - toCachedUnits(repeatedUnits)) / bytesPerToken,
        repeated: before === '' ? null : repeatedUnits / before.length,
        marked: null,
      }
      before = text
      return cached
    },
  }
}

/** Max blocks before a mark that Anthropic compares with its cache. */
const maxLookback = 20

/**
 * Anthropic stores the beginning up to each mark, and reads the longest stored one that ends at a mark or at
 * one of the 20 blocks before it. Source: platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
export const createAnthropicCache = (): PrefixCache => {
  const stored = new Set<string>()
  let before: Prefix[] = []
  return {
    read: (body) => {
      const prefixes = toPrefixes(body)
      const units = prefixes.at(-1)?.units ?? 0
      const marks = prefixes.flatMap(({ isMarked }, at) => (isMarked ? at : []))
      const reachable = marks.flatMap((at) => prefixes.slice(Math.max(0, at - maxLookback), at + 1))
      const cachedUnits = Math.max(0, ...reachable.filter(({ id }) => stored.has(id)).map((one) => one.units))
      const same = prefixes.filter(({ id }, at) => before[at]?.id === id)
      const lastMark = before.findLast(({ isMarked }) => isMarked)
      const isKept = lastMark !== undefined && same.some(({ id }) => id === lastMark.id)
      const cached = {
        tokens: units / bytesPerToken,
        uncachedTokens: (units - cachedUnits) / bytesPerToken,
        repeated: before.length === 0 ? null : (same.at(-1)?.units ?? 0) / (before.at(-1)?.units ?? 1),
        marked: before.length === 0 ? null : isKept ? lastMark.units / units : 0,
      }
      for (const at of marks) stored.add(prefixes[at]?.id ?? '')
      before = prefixes
      return cached
    },
  }
}

/** The request up to the end of one block. */
interface Prefix {
  readonly id: string
  readonly units: number
  readonly isMarked: boolean
}

const toPrefixes = ({ tools, system, messages }: Fields): Prefix[] => {
  const blocks = [
    ...toList(tools).map((tool) => ['tool', tool] as const),
    ...toBlocks(system).map((block) => ['system', block] as const),
    ...toList(messages)
      .filter(isObject)
      .flatMap(({ role, content }) => toBlocks(content).map((block) => [role, block] as const)),
  ]
  let id = ''
  let units = 0
  return blocks.map(([role, block]) => {
    const { cache_control, ...plain } = isObject(block) ? block : { block }
    const text = JSON.stringify([role, plain])
    id = hash('sha256', id + text)
    units += text.length
    return { id, units, isMarked: cache_control !== undefined }
  })
}

const toBlocks = (content: unknown): readonly unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : toList(content)
