/** GET /api/persona/{persona_id}/usage */

import * as z from 'zod'
import { CallCause, Provider, SearchProvider, Slot } from '../../../facts/fact-values.ts'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import { sumUp, type Usage as UsageView } from '../../../projections/usage.ts'
import { dayAround, getSpentTokens } from '../../agents/spending-limit.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { usageWithin } from '../../persona/usage-ledger.ts'
import { route } from '../route.ts'
import { instantDescription, readInstant } from './moments.ts'

export const cause = CallCause

const sum = {
  calls: z.int(),
  failed: z.int().describe('Calls without an answer. Their cost is unknown.'),
  tries: z.int().describe('Number of calls to a provider, with retries.'),
  input: z.int(),
  output: z.int(),
  cached: z.int().describe('Input tokens that a provider read from its cache.'),
  written: z.int().describe('Input tokens that a provider wrote to its cache.'),
  images: z.number(),
  characters: z.number(),
  seconds: z.number(),
  searches: z.int().describe('Searches of the web. They are not among the calls.'),
  ms: z.int(),
  usd: z.number().nullable().describe('Null if no answer had a price.'),
  unpriced: z.int().describe('Answers without a price.'),
  dated: z.array(z.string()).readonly().describe('Dates of the price lists that were used.'),
}
export const Sum = z.object(sum).meta({ id: 'Sum' })

export const UsageSums = z.object({
  total: Sum,
  organs: z.array(z.object({ organ: Slot, ...sum })).readonly(),
  models: z.array(z.object({ provider: Provider.nullable(), model: z.string(), ...sum })).readonly(),
  causes: z.array(z.object({ cause, ...sum })).readonly(),
  searches: z.array(z.object({ search: SearchProvider, ...sum })).readonly(),
  days: z.array(z.object({ day: z.string(), ...sum })).readonly(),
}) satisfies z.ZodType<UsageView>

const Usage = UsageSums.extend({
  from: z.string().nullable(),
  to: z.string().nullable(),
  today: z
    .object({ tokens: z.int(), ceiling: z.int().nullable(), anew: z.string() })
    .describe('Tokens of the current day, independent of the requested range.'),
  prices: z
    .object({ dated: z.string(), own: z.boolean() })
    .describe('The price list for new calls. `own` is a file in the home.'),
}).meta({ id: 'Usage' })

export const getUsageRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/usage',
  summary: 'Tokens, time and money: in total, by organ, model, cause and day',
  description: 'Sums over the calls in the journal. Each call is priced by the list of its time.',
  tag: 'Turns',
  query: z.object({
    from: z.string().optional().describe(`Start of the range. ${instantDescription}`),
    to: z.string().optional().describe(`End of the range, exclusive. ${instantDescription}`),
  }),
  reply: Usage,
  refuses: ['persona_unknown', 'window_invalid'],
  handle:
    ({ personas, prices, clock, config }) =>
    async ({ params: { persona_id: id }, query: { from, to } }) => {
      requireListed(personas, id)
      const { zone } = clock
      const parseInstant = async (text: string | undefined) =>
        text === undefined ? null : readInstant(text, zone, ['from', 'to'])
      const window = { from: await parseInstant(from), to: await parseInstant(to) }
      const now = clock.now()
      const { to: nextDayAt } = await dayAround(now, zone)
      const { sums, tokens } = await personas.read(id, async ({ journal }) => ({
        sums: await sumUp(usageWithin(journal, window)),
        tokens: await getSpentTokens({ journal, zone, now }),
      }))
      return {
        from: from ?? null,
        to: to ?? null,
        ...sums,
        today: { tokens, ceiling: config.dailyTokens, anew: isoIn(zone, nextDayAt) },
        prices: await prices.dated(),
      }
    },
})
