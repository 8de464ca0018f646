/** Delivers a message for read, hear and attach, and waits for the reply if the client asks for it. */
import type { Request, Response } from 'express'
import * as z from 'zod'
import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import { askPersona, type OutgoingMessage, tellPersona } from '../../commands/talk.ts'
import type { RouteDeps } from '../route.ts'
import { withAbortSignal } from '../server/caller.ts'
import type { ProblemCode } from './problems.ts'
import { Reply } from './shapes.ts'

/** Query of read, hear and attach. */
export const Wait = z.object({
  wait: z
    .number()
    .min(0)
    .max(600)
    .optional()
    .describe('Seconds to wait for the reply. Opens the web channel if it is closed.'),
})

export const Received = z
  .object({
    status: z.literal('received'),
    reply: Reply.nullable()
      .optional()
      .describe(
        'Only with `wait`: everything that the persona said in the turn that took the message. Null on timeout, or if the persona is stopped meanwhile.',
      ),
  })
  .meta({ id: 'Received' })

export const deliveryProblems: readonly ProblemCode[] = ['body_too_large', 'not_active', 'web_closed']

interface Delivery extends Omit<OutgoingMessage, 'key'> {
  readonly id: PersonaId
  readonly wait: number | undefined
  readonly request: Request
  readonly response: Response
}

export const deliverAndWait = async (
  deps: RouteDeps,
  { id, wait, request, response, ...words }: Delivery,
): Promise<z.input<typeof Received>> => {
  const message = { ...words, key: dedupeKey(request.headers['idempotency-key']) }
  if (wait !== undefined)
    return withAbortSignal(response, deps.closing, async (signal) => ({
      ...received,
      reply: await askPersona(deps, id, message, { seconds: wait, over: signal }),
    }))
  await tellPersona(deps, id, message)
  return received
}

const received = { status: 'received' as const }

/** Prefixed, so that it cannot equal a key of another channel. */
const dedupeKey = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && header !== '' ? `http:${header}` : null
