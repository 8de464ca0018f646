/**
 * Measures how much of a request to the model repeats the previous request. A prompt cache or a local
 * runtime's KV cache reuses only a byte-identical prefix; the rest is computed and paid again. Compares with
 * a model without a cache.
 */
import type { Prompt } from '../packages/models/mind.ts'
import { has, openStage, says } from '../test/agents/stage.ts'
import { createFakeClock } from '../test/clock.ts'
import { chanceFrom } from '../test/random.ts'
import type { Figure } from './figure.ts'

/** As `tokensIn` estimates. */
const bytesPerToken = 3.5
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
      met: lasting.uncachedTokens <= lasting.tokens * 0.1,
    },
    {
      label: 'tools and system prompt of a new persona',
      value: fixedTokens,
      unit: 'tokens',
      goal: '≤ 1500',
      met: fixedTokens <= 1500,
    },
  ]
}

/** One message a minute, each answered with 30 words. */
const talk = async (messages: number, words: number): Promise<Requests> => {
  const chance = chanceFrom(1)
  const say = (count: number) =>
    Array.from({ length: count }, () => vocabulary[chance.pickBetween(0, vocabulary.length - 1)]).join(' ')
  const clock = createFakeClock()
  const stage = await openStage({ script: () => says(say(30)), clock })
  try {
    for (let n = 1; n <= messages; n++) {
      await stage.hear(say(words))
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
    const before = texts[n - 1] ?? ''
    const repeated = countRepeated(before, text)
    tokens += text.length / bytesPerToken
    uncachedTokens += (text.length - repeated) / bytesPerToken
    if (n > 0) shares.push(repeated / before.length)
  }
  const [first] = prompts
  return { shares, tokens, uncachedTokens, first: first ? JSON.stringify([first.tools, first.system]) : '' }
}

/** Tools, system prompt, messages: the order in which models read them. */
const toText = ({ tools, system, messages }: Prompt): string =>
  JSON.stringify([tools, system, ...messages]).slice(0, -1)

const countRepeated = (before: string, after: string): number => {
  let at = 0
  while (at < before.length && before[at] === after[at]) at++
  return at
}

const toShare = (label: string, { shares }: Requests, goal: number): Figure => {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  return { label, value: mean * 100, unit: '%', goal: `≥ ${goal * 100} %`, met: mean >= goal }
}
