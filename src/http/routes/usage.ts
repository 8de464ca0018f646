/** GET /api/persona/{persona_id}/usage */

import * as z from 'zod'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import { sumUp } from '../../../projections/usage.ts'
import { dayAround, getSpentTokens } from '../../agents/spending-limit.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { usageWithin } from '../../persona/usage-ledger.ts'
import { route } from '../route.ts'
import { instantDescription, readInstant } from './moments.ts'
import { Usage } from './shapes.ts'

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
