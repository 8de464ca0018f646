/** POST /api/persona/{persona_id}/read */
import * as z from 'zod'
import { route } from '../route.ts'
import { deliverAndWait, deliveryProblems, Received, Wait } from '../schema/received.ts'
import { HttpRefused } from '../schema/refused.ts'

const ReadRequest = z.object({ message: z.string() }).meta({ id: 'ReadRequest' })

export const readRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/read',
  summary: 'Send the persona a message on the web channel',
  description:
    'Without `wait` it answers as soon as the message is stored, and the reply arrives over the WebSocket. Requests with the same `Idempotency-Key` are the same message.',
  tag: 'Talk',
  body: ReadRequest,
  query: Wait,
  reply: Received,
  refuses: deliveryProblems,
  handle: (deps) => {
    const maxBytes = deps.config.limits.message
    return async ({ params: { persona_id: id }, body: { message }, query: { wait }, request, response }) => {
      if (Buffer.byteLength(message) > maxBytes)
        throw new HttpRefused({ code: 'body_too_large', what: 'message', most: maxBytes })
      return deliverAndWait(deps, { id, content: message, wait, request, response })
    }
  },
})
