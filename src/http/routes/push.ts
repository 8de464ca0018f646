/** Routes of push notifications. */

import * as z from 'zod'
import { Endpoint, Subscription } from '../../web-push/subscription.ts'
import { HttpRefused, type Item } from '../refused.ts'
import { route } from '../route.ts'

export const getPushKeyRoute = route({
  method: 'get',
  path: '/api/push',
  summary: 'The public key for push subscriptions of browsers',
  description: 'A VAPID public key, as `applicationServerKey` of `PushManager.subscribe` takes it.',
  tag: 'Daemon',
  reply: z
    .object({ public_key: z.string().describe('A point of P-256 in base64url.') })
    .meta({ id: 'PushKey' }),
  refuses: ['journal_unavailable'],
  handle:
    ({ webPush }) =>
    async () => ({ public_key: await webPush.publicKey() }),
})

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
      const refusal = webPush.getRefusal(body.endpoint)
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
      const result = await webPush.tryOut(endpoint)
      if (!result || result.outcome === 'gone') throw new HttpRefused({ code: 'browser_unknown' })
      if (result.outcome !== 'sent') throw new HttpRefused({ code: 'browser_untold', reason: result.reason })
      return { status: 'sent' as const }
    },
})
