/** GET /api/push */
import * as z from 'zod'
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
