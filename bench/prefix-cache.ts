/** Simulates the prompt caches of Ollama, OpenAI and Anthropic on the requests that they receive. */
import { hash } from 'node:crypto'
import { type Fields, isObject } from '../packages/kit/is-object.ts'

/** As `tokensIn` estimates. */
export const bytesPerToken = 3.5

/** In tokens. `markedShare`: share before the last cache mark of the previous one; null without. */
export interface Cached {
  readonly tokens: number
  readonly uncachedTokens: number
  /** Share of the previous request that this one repeats, from 0 to 1; null for the first. */
  readonly repeatedShare: number | null
  readonly markedShare: number | null
}

export interface PrefixCache {
  readCached(body: Fields): Cached
}

export const countRepeated = (previousText: string, text: string): number => {
  let offset = 0
  while (offset < previousText.length && previousText[offset] === text[offset]) offset++
  return offset
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
  let previousText = ''
  return {
    readCached: (body) => {
      // Without the closing bracket, so that more messages continue the text.
      const text = JSON.stringify(toParts(body)).slice(0, -1)
      const repeatedUnits = countRepeated(previousText, text)
      const cached = {
        tokens: text.length / bytesPerToken,
        uncachedTokens: (text.length - toCachedUnits(repeatedUnits)) / bytesPerToken,
        repeatedShare: previousText === '' ? null : repeatedUnits / previousText.length,
        markedShare: null,
      }
      previousText = text
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
  const storedIds = new Set<string>()
  let previousPrefixes: Prefix[] = []
  return {
    readCached: (body) => {
      const prefixes = toPrefixes(body)
      const units = prefixes.at(-1)?.units ?? 0
      const marks = prefixes.flatMap(({ isMarked }, index) => (isMarked ? index : []))
      const reachable = marks.flatMap((index) => prefixes.slice(Math.max(0, index - maxLookback), index + 1))
      const cachedUnits = Math.max(
        0,
        ...reachable.filter(({ id }) => storedIds.has(id)).map((prefix) => prefix.units),
      )
      const samePrefixes = prefixes.filter(({ id }, index) => previousPrefixes[index]?.id === id)
      const lastMark = previousPrefixes.findLast(({ isMarked }) => isMarked)
      const isKept = lastMark !== undefined && samePrefixes.some(({ id }) => id === lastMark.id)
      const cached = {
        tokens: units / bytesPerToken,
        uncachedTokens: (units - cachedUnits) / bytesPerToken,
        repeatedShare:
          previousPrefixes.length === 0
            ? null
            : (samePrefixes.at(-1)?.units ?? 0) / (previousPrefixes.at(-1)?.units ?? 1),
        markedShare: previousPrefixes.length === 0 ? null : isKept ? lastMark.units / units : 0,
      }
      for (const index of marks) storedIds.add(prefixes[index]?.id ?? '')
      previousPrefixes = prefixes
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
