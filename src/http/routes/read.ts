/** POST /api/persona/{persona_id}/read */
import * as z from 'zod'
import { webChannelOf } from '../../channels/web.ts'
import type { Hear } from '../../persona/commands.ts'
import { Refused } from '../../persona/refusals.ts'
import { whileThere } from '../caller.ts'
import { HttpRefused } from '../refused.ts'
import { waitForReply } from '../reply.ts'
import { route } from '../route.ts'
import { Reply } from '../shapes.ts'

const ReadRequest = z.object({ message: z.string() }).meta({ id: 'ReadRequest' })

export const read = route({
  method: 'post',
  path: '/api/persona/{persona_id}/read',
  summary: 'Tell her something on the web channel',
  body: ReadRequest,
  query: z.object({
    wait: z.number().min(0).max(600).optional().describe('Seconds to wait for her reply. Opens the web channel by itself.'),
  }),
  reply: z
    .object({
      status: z.literal('received'),
      reply: Reply.nullable()
        .optional()
        .describe('Only with `wait`: all she said in the turn that took the message; null when the time is over.'),
    })
    .meta({ id: 'Received' }),
  refuses: ['body_too_large', 'not_active', 'web_closed'],
  handle: (deps) => {
    const { agents, closing, config, personas, web } = deps
    const most = config.limits.message
    return async ({ params: { persona_id: id }, body: { message }, query: { wait }, request, response }) => {
      if (Buffer.byteLength(message) > most) throw new HttpRefused({ code: 'body_too_large', what: 'message', most })
      // In the moment of a restart she only seems to be away.
      if (!agents.running(id)) await agents.settled(id)
      if (!agents.running(id)) throw new Refused({ code: 'not_active' })
      if (wait !== undefined) web.open(id)
      else if (!web.isOpen(id)) throw new Refused({ code: 'web_closed' })

      const key = dedupeKey(request.headers['idempotency-key'])
      const hear: Hear = { type: 'Hear', channel: webChannelOf(id), content: message, media: null, key }
      const tell = () => personas.execute(id, hear, 'person')
      if (wait === undefined) {
        await tell()
        return received
      }
      return whileThere(response, closing, async (over) => ({
        ...received,
        reply: await waitForReply(deps, { id, key, seconds: wait, over, tell }),
      }))
    }
  },
})

const received = { status: 'received' as const }

/** Marked as the caller's own, so that no key another channel makes can be the same. */
const dedupeKey = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && header !== '' ? `http:${header}` : null
