/** POST /api/push/forget */
import * as z from 'zod'
import { Endpoint } from '../../web-push/subscription.ts'
import { route } from '../route.ts'
import { HttpRefused } from '../schema/refused.ts'

export const forgetPushRoute = route({
  method: 'post',
  path: '/api/push/forget',
  summary: 'Stop notifications to this browser',
  description: 'Its endpoint is deleted from the home before the response is sent.',
  tag: 'Daemon',
  body: z.object({ endpoint: Endpoint }).meta({ id: 'PushForgetRequest' }),
  reply: z.object({ status: z.literal('forgotten') }).meta({ id: 'PushForgotten' }),
  refuses: ['browser_unknown', 'journal_unavailable'],
  handle:
    ({ webPush }) =>
    async ({ body: { endpoint } }) => {
      if (!(await webPush.forget(endpoint))) throw new HttpRefused({ code: 'browser_unknown' })
      return { status: 'forgotten' as const }
    },
})
