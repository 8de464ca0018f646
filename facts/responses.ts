/** Facts about responses of the OpenAI-compatible API that a client can continue, fetch and delete. */
import * as z from 'zod'
import { fact, ordinaryTraits } from './fact.ts'
import { ResponseCall, ResponseRequest } from './fact-values.ts'

const row = { ...ordinaryTraits, background: true, state: ['responses'] } as const

export const responseFacts = {
  /**
   * A client asked for a response. It is neither talk nor memory. `previous`: the response that it continues.
   * `background`: the client does not wait; the request is answered again after a crash. `request` is null
   * only if it was erased.
   */
  ResponseBegan: fact(
    {
      id: z.string(),
      previous: z.string().nullable(),
      background: z.boolean(),
      request: ResponseRequest.nullable(),
    },
    {
      ...row,
      outside: ['id', 'background'],
      links: { id: { thing: 'response', as: 'first' }, previous: { thing: 'response', as: 'earlier' } },
      blank: { request: null },
    },
  ),
  /**
   * `incomplete`: cut at a limit of tokens. `deltas`: the lengths of the pieces in which the text was
   * streamed, in UTF-16 units; empty if they are unknown. `calls`: of tools of the client.
   * `tokens`: of the Mind.
   */
  ResponseEnded: fact(
    {
      id: z.string(),
      status: z.enum(['completed', 'incomplete', 'failed', 'cancelled']),
      text: z.string(),
      deltas: z.array(z.int().min(1)).readonly(),
      calls: z.array(ResponseCall).readonly(),
      tokens: z.strictObject({ input: z.int(), output: z.int(), cached: z.int() }).nullable(),
      error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    },
    {
      ...row,
      outside: ['id', 'status'],
      links: { id: { thing: 'response', as: 'next' } },
      blank: { text: '', calls: [], error: null },
    },
  ),
}
