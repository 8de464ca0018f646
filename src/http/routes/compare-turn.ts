/** POST /api/persona/{persona_id}/turns/{id}/compare */
import * as z from 'zod'
import { Usage } from '../../../journal/facts/fact-values.ts'
import { shownUsd } from '../../../projections/usage.ts'
import { compareCall } from '../../commands/compare-call.ts'
import { route } from '../route.ts'
import { HttpRefused } from '../schema/refused.ts'
import { withAbortSignal } from '../server/caller.ts'

export const compareTurnRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/turns/{id}/compare',
  summary: 'Send the first model call of a turn to another model. Nothing is stored or carried out',
  description:
    'The call is sent unchanged, so that the answers of two models can be compared. It costs as much as any call.',
  tag: 'Turns',
  body: z
    .object({
      provider: z.string().nullish(),
      model: z.string(),
      url: z.string().nullish(),
      api_key: z.string().nullish(),
    })
    .meta({ id: 'CompareRequest' }),
  reply: z
    .object({
      answer: z.string(),
      calls: z
        .array(z.object({ id: z.string(), name: z.string(), input: z.unknown() }))
        .readonly()
        .describe('Tool calls in its answer. None is carried out.'),
      usage: Usage,
      ms: z.int(),
      price: z.object({ usd: z.number(), dated: z.string() }).nullable(),
    })
    .meta({ id: 'Compared' }),
  refuses: [
    'persona_unknown',
    'organ_invalid',
    'provider_unknown',
    'model_missing',
    'address_secret',
    'turn_unknown',
    'call_unsent',
    'call_gone',
    'model_failed',
    'cut_short',
  ],
  handle:
    (deps) =>
    ({ params: { persona_id: persona, id }, body, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const { provider, model, url, api_key } = body
        const organ = { provider, model, url, ...(api_key != null && { api_key }) }
        const turn = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : null
        const comparison = await compareCall(deps, persona, { turn, organ }, signal)
        if (!comparison) throw new HttpRefused({ code: 'turn_unknown' })
        const { answer, usage, ms, price } = comparison
        return {
          ...{ answer: answer.text, calls: answer.calls, usage, ms },
          price: price && { ...price, usd: shownUsd(price.usd) },
        }
      }),
})
