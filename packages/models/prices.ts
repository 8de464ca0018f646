/**
 * Computes the price of a call, from the price list in the home or, if it lacks the model, from the shipped
 * one.
 */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Price, Provider, Usage } from '../../facts/fact-values.ts'
import { inTime, type Stopwatch } from '../../journal/log/timeout.ts'
import type { Log } from '../kit/log.ts'
import { systemClock } from '../kit/time/clock.ts'
import { type ProviderUrls, providerTable } from './providers/provider-table.ts'
import { readVoice } from './voice-name.ts'

/**
 * `provider` is null for a local or embedded model. `url` is the organ's own address, or null for the
 * configured one.
 */
export interface Priced {
  readonly provider: Provider | null
  readonly model: string
  readonly url: string | null
  readonly usage: Usage
}

/** The price of a typical call, compared with other models. */
export type PriceLevel = 'cheap' | 'moderate' | 'expensive'

export interface Prices {
  /** Returns null if no list has the model, or its usage is unknown. Never rejects. */
  getPrice(call: Priced): Promise<Price | null>
  /** Returns null if no list has token prices of the model. Never rejects. */
  getLevel(model: Omit<Priced, 'usage'>): Promise<PriceLevel | null>
  /** Returns the date of the list in use. `own`: it is the one in the home. Never rejects. */
  dated(): Promise<{ readonly dated: string; readonly own: boolean }>
}

const Rate = z.number().min(0)
const tokens = {
  input: Rate.optional(),
  output: Rate.optional(),
  cached: Rate.optional(),
  written: Rate.optional(),
}

/**
 * US dollars per million tokens, image, million characters, or minute. `long`: the token rates of prompts
 * with more than `over` tokens.
 */
const Rates = z.strictObject({
  ...tokens,
  image: Rate.optional(),
  million_characters: Rate.optional(),
  minute: Rate.optional(),
  long: z.strictObject({ over: z.int().min(0), ...tokens }).optional(),
})
type Rates = z.infer<typeof Rates>

/** Keys of models are `provider/name`. */
export const PriceList = z.object({
  dated: z.iso.date(),
  currency: z.literal('USD'),
  models: z.record(z.string(), Rates),
})
type PriceList = z.infer<typeof PriceList>

interface Lists {
  readonly own: Listed | null
  readonly shipped: Listed
}

interface Listed {
  readonly dated: string
  readonly models: ReadonlyMap<string, Rates>
}

interface Deps {
  readonly home: string
  /** The configured addresses. */
  readonly urls: ProviderUrls
  readonly log: Log
  readonly stopwatch?: Stopwatch
}

export const openPrices = ({ home, urls, log, stopwatch = systemClock() }: Deps): Prices => {
  const lists = createLists(join(home, 'prices.json'), log, stopwatch)
  const findRates = async ({ provider, model, url }: Omit<Priced, 'usage'>) => {
    if (provider === null) return null
    const { own, shipped } = await lists()
    // Another address has its own prices, which only the list in the home can know.
    const valid = isVendors(provider, url ?? urls[provider]) ? [own, shipped] : [own]
    for (const name of getNames(provider, model))
      for (const list of valid) {
        const rates = list?.models.get(name)
        if (list && rates) return { rates, dated: list.dated }
      }
    return null
  }
  return {
    getPrice: async (call) => {
      const listing = await findRates(call)
      return listing && toPrice(listing.rates, call.usage, listing.dated)
    },
    getLevel: async (model) => {
      const listing = await findRates(model)
      return listing && toLevel(listing.rates)
    },
    dated: async () => {
      const { own, shipped } = await lists()
      return { dated: (own ?? shipped).dated, own: own !== null }
    },
  }
}

const isVendors = (provider: Provider, url: string): boolean =>
  URL.canParse(url) && new URL(url).hostname === new URL(providerTable[provider].url).hostname

/**
 * Returns the model's name, then the name without a snapshot suffix: `gpt-4o-2024-08-06`,
 * `claude-sonnet-4-20250514`, `grok-4-0709`, `gemini-2.0-flash-001`, `claude-3-5-haiku-latest`. Never a
 * shorter prefix, because `gpt-4o` and `gpt-4o-mini` have different prices.
 */
const getNames = (provider: Provider, model: string): readonly string[] => {
  const name = readVoice(model).model.replace(/^models\//, '')
  const family = name.replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|\d{3}|latest)$/, '')
  return [...new Set([name, family])].map((modelName) => `${provider}/${modelName}`)
}

const perUnit = {
  image: ['image', 1],
  character: ['million_characters', 1_000_000],
  second: ['minute', 60],
} as const

/**
 * Adds up everything that has a rate. Unknown token counts are free if the output itself has a rate;
 * otherwise the price is unknown.
 */
const toPrice = (rates: Rates, { made, ...used }: Usage, date: string): Price | null => {
  const [rate, units] = made ? perUnit[made.unit] : []
  const unitRate = rate && rates[rate]
  const madeTokensPrice = made && units && unitRate !== undefined ? (made.count / units) * unitRate : null
  const ofTokens = tokenPrice(rates, used, madeTokensPrice !== null)
  if (madeTokensPrice === null && ofTokens === null) return null
  // Rounded to billionths of a dollar, so that 0.1 + 0.2 is 0.3.
  const usd = Math.round(((madeTokensPrice ?? 0) + (ofTokens ?? 0)) * 1e9) / 1e9
  return Number.isFinite(usd) ? { usd: Math.max(0, usd), dated: date } : null
}

const tokenPrice = (
  rates: Rates,
  { input, output, cached, written = 0 }: Omit<Usage, 'made'>,
  lenient: boolean,
): number | null => {
  const rate = ratesFor(rates, input)
  if (rate.input === undefined && rate.output === undefined) return null
  if (!lenient && (isUntold(rate.input, input) || isUntold(rate.output, output))) return null
  // The input tokens include those read from the cache and those written to it.
  const fromCache = Math.min(cached ?? 0, input ?? 0)
  const toCache = Math.min(written, (input ?? 0) - fromCache)
  const uncachedInput = (input ?? 0) - fromCache - toCache
  const { input: inputRate = 0, output: outputRate = 0 } = rate
  const { cached: cachedRate = inputRate, written: writtenRate = inputRate } = rate
  return (
    (uncachedInput * inputRate +
      fromCache * cachedRate +
      toCache * writtenRate +
      (output ?? 0) * outputRate) /
    1_000_000
  )
}

/** US dollars per million tokens, with three input tokens for each output token. */
const cheapUpTo = 1
const moderateUpTo = 6

const toLevel = ({ input, output }: Rates): PriceLevel | null => {
  if (input === undefined || output === undefined) return null
  const rate = (3 * input + output) / 4
  if (rate <= cheapUpTo) return 'cheap'
  return rate <= moderateUpTo ? 'moderate' : 'expensive'
}

const ratesFor = ({ long, ...rates }: Rates, input: number | null) =>
  long && (input ?? 0) > long.over ? long : rates

const isUntold = (rate: number | undefined, amount: number | null): boolean =>
  rate !== undefined && amount === null

/**
 * Returns both lists. Reads the list in the home again when its file changes. Logs an invalid list once and
 * ignores it.
 */
const createLists = (path: string, log: Log, stopwatch: Stopwatch): (() => Promise<Lists>) => {
  let lastMark = ''
  let ownPrices: Listed | null = null
  let looking: Promise<void> | undefined
  let shippedPrices: Promise<Listed> | undefined
  let hangs = false

  const look = async (): Promise<void> => {
    const mark = await readMark(path)
    if (mark === lastMark) return
    ownPrices = mark === '' ? null : await read()
    lastMark = mark
  }

  const read = async (): Promise<Listed | null> => {
    try {
      const list = await readList(path)
      log.info({ count: list.models.size }, `prices.json in the home is used: prices of ${list.dated}`)
      return list
    } catch (error) {
      log.warn(
        { reason: toReason(error) },
        'prices.json in the home cannot be used: the shipped prices are used until it is fixed',
      )
      return null
    }
  }

  return async () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    try {
      await inTime(stopwatch, looking)
      hangs = false
    } catch (error) {
      // The last known list stays in use.
      if (!hangs) log.warn({ reason: toReason(error) }, 'prices.json in the home cannot be read')
      hangs = true
    }
    shippedPrices ??= readShipped()
    return { own: ownPrices, shipped: await shippedPrices }
  }
}

const maxBytes = 4 * 1024 * 1024

/** Returns a value that changes with the file, empty if the file is missing. */
const readMark = async (path: string): Promise<string> => {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

class NoList extends Error {}

const readList = async (path: string): Promise<Listed> => {
  const stats = await stat(path)
  // Checked first, because opening a pipe could block forever.
  if (!stats.isFile()) throw new NoList('it is no file')
  if (stats.size > maxBytes) throw new NoList(`it has more than ${maxBytes} bytes`)
  const list = PriceList.safeParse(parse(await readFile(path, 'utf8')))
  if (!list.success) throw new NoList(list.error.issues.slice(0, 3).map(describeIssue).join('; '))
  return toListed(list.data)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // The parser's message quotes the content.
    throw new NoList('it is no JSON')
  }
}

const describeIssue = ({ path, message }: z.core.$ZodIssue): string =>
  `${message} (${path.join(' → ') || 'the whole'})`

const toReason = (error: unknown): string => {
  if (error instanceof NoList) return error.message
  return error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be read'
}

const readShipped = async (): Promise<Listed> =>
  toListed(PriceList.parse((await import('./prices.json', { with: { type: 'json' } })).default))

const toListed = ({ dated, models }: PriceList): Listed => ({
  dated,
  models: new Map(Object.entries(models)),
})
