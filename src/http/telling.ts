/** What read, hear and attach share: whether she can be told anything now, the fact, and the reply that a caller may wait for. */
import type { Request, Response } from 'express'
import * as z from 'zod'
import type { HeardMedia, PersonaId } from '../../journal/facts/fact-values.ts'
import { hearing } from '../commands/hear.ts'
import { Refused } from '../persona/refusals.ts'
import { webChannelOf } from '../web-channel.ts'
import type { RouteDeps } from './route.ts'
import type { ProblemCode } from './schema/problems.ts'
import { Reply } from './schema/shapes.ts'
import { whileThere } from './server/caller.ts'
import { waitForReply } from './server/waited-reply.ts'

/** Query of the three. */
export const Wait = z.object({
  wait: z.number().min(0).max(600).optional().describe('Seconds to wait for her reply. Opens the web channel by itself.'),
})

export const Received = z
  .object({
    status: z.literal('received'),
    reply: Reply.nullable()
      .optional()
      .describe(
        'Only with `wait`: all she said in the turn that took the message; null when the time is over, or she is stopped meanwhile.',
      ),
  })
  .meta({ id: 'Received' })

export const whyNotTold: readonly ProblemCode[] = ['body_too_large', 'not_active', 'web_closed']

export interface Told {
  readonly id: PersonaId
  readonly content: string
  /** Makes the file hers that came with it. */
  readonly keep?: () => Promise<HeardMedia>
  readonly wait: number | undefined
  readonly request: Request
  readonly response: Response
}

/** Refused: not_active, web_closed. */
export const createTelling = (deps: RouteDeps) => {
  const { agents, closing, personas, web } = deps

  return async (told: Told): Promise<z.input<typeof Received>> => {
    const { id, wait, request, response } = told
    // In the moment of a restart she only seems to be away.
    if (!agents.running(id)) await agents.settled(id)
    if (!agents.running(id)) throw new Refused({ code: 'not_active' })
    if (wait !== undefined) web.open(id)
    else if (!web.isOpen(id)) throw new Refused({ code: 'web_closed' })

    const key = dedupeKey(request.headers['idempotency-key'])
    const { content, keep } = told
    const tell = () => hearing(personas, id, { channel: webChannelOf(id), words: { content }, key, ...(keep && { keep }) })
    if (wait === undefined) {
      await tell()
      return received
    }
    return whileThere(response, closing, async (over) => ({
      ...received,
      reply: await waitForReply(deps, { id, key, seconds: wait, over, tell }),
    }))
  }
}

const received = { status: 'received' as const }

/** Marked as the caller's own, so that no key another channel makes can be the same. */
const dedupeKey = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && header !== '' ? `http:${header}` : null
