/** POST /api/push/try */
import * as z from 'zod'
import { Endpoint } from '../../web-push/subscription.ts'
import { route } from '../route.ts'
import { HttpRefused } from '../schema/refused.ts'

export const tryPushRoute = route({
  method: 'post',
  path: '/api/push/try',
  summary: 'Send a test notification to this browser',
  description: 'Calls its push service once and returns the result.',
  tag: 'Daemon',
  body: z.object({ endpoint: Endpoint }).meta({ id: 'PushTryRequest' }),
  reply: z.object({ status: z.literal('sent') }).meta({ id: 'PushTried' }),
  refuses: ['browser_unknown', 'browser_untold', 'journal_unavailable'],
  handle:
    ({ webPush }) =>
    async ({ body: { endpoint } }) => {
      const sent = await webPush.tryOut(endpoint)
      if (!sent || sent.outcome === 'gone') throw new HttpRefused({ code: 'browser_unknown' })
      if (sent.outcome !== 'sent') throw new HttpRefused({ code: 'browser_untold', reason: sent.reason })
      return { status: 'sent' as const }
    },
})
