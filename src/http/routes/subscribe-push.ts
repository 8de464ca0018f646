/** POST /api/push */
import * as z from 'zod'
import { Subscription } from '../../web-push/subscription.ts'
import { route } from '../route.ts'
import { HttpRefused, type Item } from '../schema/refused.ts'

export const subscribePushRoute = route({
  method: 'post',
  path: '/api/push',
  summary: 'Notify this browser of messages while its page is closed',
  description:
    'The body is `PushSubscription.toJSON()`. Messages that a persona sends on its own initiative go to every browser, answers only if no page is open. They are encrypted for the browser, so that its push service cannot read them.',
  tag: 'Daemon',
  body: Subscription.meta({ id: 'PushSubscription' }),
  reply: z.object({ status: z.literal('subscribed') }).meta({ id: 'PushSubscribed' }),
  refuses: ['journal_unavailable'],
  handle:
    ({ webPush }) =>
    async ({ body }) => {
      const refusal = webPush.refusalOf(body.endpoint)
      if (refusal !== null) throw new HttpRefused({ code: 'invalid', items: [notCalled(refusal)] })
      await webPush.subscribe(body)
      return { status: 'subscribed' as const }
    },
})

const notCalled = (refusal: string): Item => ({
  type: 'value_error',
  loc: ['body', 'endpoint'],
  msg: `Value error, no push service can be there: ${refusal}`,
})
