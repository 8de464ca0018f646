/** The daemon's routes, with the types of its own description. */
import createClient from 'openapi-fetch'
import { type Answer, failureOf } from './answer.ts'
import type { components, paths } from './api-types.ts'

/** `client.GET('/api/persona/{persona_id}/usage', { params: { path: { persona_id } } })` and so on. */
export const client = createClient<paths>()

/** What the daemon answers with, by the names of its description. */
export type Shape<Name extends keyof components['schemas']> = components['schemas'][Name]

interface Asked<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** The types of openapi-fetch take a list that is only read for an object with the members of one. */
type Mended<T> = T extends string
  ? T
  : T extends { readonly length: number; readonly [index: number]: infer E }
    ? readonly Mended<E>[]
    : T extends object
      ? { [K in keyof T]: Mended<T[K]> }
      : T

/** Waits for what `client` was asked. Never rejects. */
export const answerTo = async <T>(asked: Promise<Asked<T>>): Promise<Answer<Mended<T>>> => {
  try {
    const { data, error, response } = await asked
    return response.ok
      ? { ok: true, value: data as Mended<T> }
      : { ok: false, failure: failureOf(response.status, error) }
  } catch {
    return { ok: false, failure: failureOf(null, null) }
  }
}
