/** The typed client of the daemon's HTTP API. */
import createClient from 'openapi-fetch'
import { type Answer, problemHeader, readFailure } from './answer.ts'
import type { paths } from './api-types.ts'

/** Example: `client.GET('/api/persona/{persona_id}/usage', { params: { path: { persona_id } } })`. */
export const client = createClient<paths>()

interface ClientResponse<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** Repairs the types of openapi-fetch, which turn readonly arrays into objects with array members. */
type Mended<T> = T extends string
  ? T
  : T extends { readonly length: number; readonly [index: number]: infer E }
    ? readonly Mended<E>[]
    : T extends object
      ? { [K in keyof T]: Mended<T[K]> }
      : T

/** Converts a response of `client` to an answer. Never rejects. */
export const answerTo = async <T>(request: Promise<ClientResponse<T>>): Promise<Answer<Mended<T>>> => {
  try {
    const { data, error, response } = await request
    return response.ok
      ? { ok: true, value: data as Mended<T> }
      : { ok: false, failure: readFailure(response.status, error, response.headers.get(problemHeader)) }
  } catch {
    return { ok: false, failure: readFailure(null, null) }
  }
}
