/**
 * Measures how much of a request to the model repeats the previous request. A prompt cache or a local
 * runtime's KV cache reuses only a byte-identical prefix; the rest is computed and paid again. Compares with
 * a model without a cache. `npm run bench model-view 1000` measures 1000 exchanges with each provider instead
 * of 120.
 */
import type { Mind, Prompt } from '../packages/models/mind.ts'
import { createWordParts, has, openStage, type Script } from '../test/agents/stage.ts'
import { createFakeClock } from '../test/clock.ts'
import { chanceFrom } from '../test/random.ts'
import { type CachingProvider, openProvider, type Shape, shapes, tokensPerMs } from './caching-providers.ts'
import type { Figure } from './figure.ts'
import { bytesPerToken, type Cached, countRepeated } from './prefix-cache.ts'

const minuteMs = 60_000

interface Requests {
  /** Share of each request that the next one repeats, from 0 to 1. */
  readonly shares: readonly number[]
  /** Tokens of all requests, and those that no cache holds. */
  readonly tokens: number
  readonly uncachedTokens: number
  readonly first: string
}

export const modelView = async (): Promise<readonly Figure[]> => {
  const everyday = await talk(120, 40)
  const long = await talk(60, 400)
  const lasting = await talk(300, 40)
  const fixedTokens = everyday.first.length / bytesPerToken
  return [
    toShare('share of a request repeated by the next, 120 messages of 40 words', everyday, 0.95),
    toShare('the same, 60 messages of 400 words', long, 0.75),
    toShare('the same, 300 messages of 40 words', lasting, 0.95),
    {
      label: 'tokens computed per exchange, 300 messages',
      value: lasting.uncachedTokens / 300,
      unit: 'tokens',
      baseline: { label: 'without a cache', value: lasting.tokens / 300 },
      goal: '≤ 0.1 ×',
      isMet: lasting.uncachedTokens <= lasting.tokens * 0.1,
    },
    {
      label: 'tools and system prompt of a new persona',
      value: fixedTokens,
      unit: 'tokens',
      goal: '≤ 1500',
      isMet: fixedTokens <= 1500,
    },
    ...(await measureShapes(Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 120))),
  ]
}

const measureShapes = async (exchanges: number): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const shape of shapes) figures.push(...(await measureShape(shape, exchanges)))
  return figures
}

/** Sends the requests of a talk over HTTP to a server with the cache of this provider. */
const measureShape = async (shape: Shape, exchanges: number): Promise<readonly Figure[]> => {
  const say = createVocabulary()
  const provider = await openProvider(shape, () => say(30))
  try {
    await talk(exchanges, 40, provider.mind.think)
    return toFigures(shape, exchanges, provider)
  } finally {
    await provider.close()
  }
}

const toFigures = (
  shape: Shape,
  exchanges: number,
  { requests, waitedMs, reloads }: CachingProvider,
): readonly Figure[] => {
  const label = `${shape}, ${exchanges} exchanges`
  const sum = (count: (request: Cached) => number) =>
    requests.reduce((total, request) => total + count(request), 0)
  const tokens = sum((request) => request.tokens) / exchanges
  const uncached = sum(({ uncachedTokens }) => uncachedTokens) / exchanges
  const toPercent = (field: 'repeatedShare' | 'markedShare', goal: number, title: string): Figure => {
    const shares = requests.flatMap((request) => request[field] ?? [])
    const mean = shares.reduce((total, share) => total + share, 0) / shares.length
    return {
      label: `${label}: ${title}`,
      value: mean * 100,
      unit: '%',
      goal: `≥ ${goal * 100} %`,
      isMet: mean >= goal,
    }
  }
  return [
    toPercent('repeatedShare', 0.95, 'share of a request repeated by the next'),
    ...(shape === 'Anthropic'
      ? [toPercent('markedShare', 0.9, 'share of a request before the last cache mark of the previous one')]
      : []),
    {
      label: `${label}: tokens computed per exchange`,
      value: uncached,
      unit: 'tokens',
      baseline: { label: 'without a cache', value: tokens },
      goal: '≤ 0.15 ×',
      isMet: uncached <= tokens * 0.15,
    },
    {
      label: `${label}: wait for the computation at ${tokensPerMs} tokens per ms, per exchange`,
      value: waitedMs() / exchanges,
      unit: 'ms',
      baseline: { label: 'without a cache', value: tokens / tokensPerMs },
      goal: '≤ 0.3 ×',
      isMet: waitedMs() / exchanges <= (tokens / tokensPerMs) * 0.3,
    },
    ...(shape === 'Ollama'
      ? [{ label: `${label}: model reloads`, value: reloads(), unit: '', goal: '0', isMet: reloads() === 0 }]
      : []),
  ]
}

/** Returns texts of a number of words. */
const createVocabulary = () => {
  const chance = chanceFrom(1)
  return (count: number): string =>
    Array.from({ length: count }, () => vocabulary[chance.pickBetween(0, vocabulary.length - 1)]).join(' ')
}

/** One message a minute, each answered with 30 words. `think` replaces the scripted model. */
const talk = async (messages: number, wordCount: number, think?: Mind['think']): Promise<Requests> => {
  const say = createVocabulary()
  const clock = createFakeClock()
  const script: Script = think ? (prompt, signal) => think(prompt, signal) : () => createWordParts(say(30))
  const stage = await openStage({ script, clock })
  try {
    for (let n = 1; n <= messages; n++) {
      await stage.hear(say(wordCount))
      await stage.until('an answer', has('TurnEnded', n))
      clock.leap(minuteMs)
    }
    return compare(stage.prompts)
  } finally {
    await stage.close()
  }
}

const vocabulary =
  'the garden was full of light when we came home and Lena asked about supper while rain fell on the roof'.split(
    ' ',
  )

const compare = (prompts: readonly Prompt[]): Requests => {
  const texts = prompts.map(toText)
  let tokens = 0
  let uncachedTokens = 0
  const shares: number[] = []
  for (const [n, text] of texts.entries()) {
    const previousText = texts[n - 1] ?? ''
    const repeatedLength = countRepeated(previousText, text)
    tokens += text.length / bytesPerToken
    uncachedTokens += (text.length - repeatedLength) / bytesPerToken
    if (n > 0) shares.push(repeatedLength / previousText.length)
  }
  const [first] = prompts
  return { shares, tokens, uncachedTokens, first: first ? JSON.stringify([first.tools, first.system]) : '' }
}

/** Tools, system prompt, messages: the order in which models read them. */
const toText = ({ tools, system, messages }: Prompt): string =>
  JSON.stringify([tools, system, ...messages]).slice(0, -1)

const toShare = (label: string, { shares }: Requests, goal: number): Figure => {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  return { label, value: mean * 100, unit: '%', goal: `≥ ${goal * 100} %`, isMet: mean >= goal }
}
