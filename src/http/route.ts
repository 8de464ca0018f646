/** Declares a route. The router, the checks and the OpenAPI document are made from this one description. */
import type { Request, RequestHandler, Response } from 'express'
import * as z from 'zod'
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Documents } from '../../packages/documents/documents.ts'
import type { DiscreetLog, Log } from '../../packages/kit/log.ts'
import type { Prices } from '../../packages/models/prices.ts'
import type { LinkIndexes } from '../causes/link-index.ts'
import type { PersonaLocations } from '../cluster/persona-location.ts'
import type { CommandDeps } from '../commands/command-deps.ts'
import type { Config, Limits } from '../config.ts'
import type { DurabilityWatch } from '../health/durability-watch.ts'
import type { Minutes } from '../health/minutes.ts'
import type { Projections } from '../health/projections.ts'
import type { Metrics } from '../metrics/prometheus-metrics.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { Search } from '../search/search.ts'
import type { SubscriptionsOnDemand } from '../subscriptions/subscriptions-on-demand.ts'
import type { WebPush } from '../web-push/web-push.ts'
import type { Tag } from './openapi/tags.ts'
import type { ProblemCode } from './problems.ts'
import { HttpRefused, type Item } from './refused.ts'
import type { BodyReading } from './server/body-reader.ts'
import { jsonBody } from './server/json-body.ts'
import { sendCompressedJson } from './server/json-response.ts'
import type { PassingOn } from './server/pass-on.ts'
import { createQueryReader, type Query } from './server/query-string.ts'
import type { SlowUploadGuard } from './server/slow-upload.ts'
import { checkForm, createFormReader } from './server/upload-form.ts'
import { validate } from './server/validation.ts'

export interface Deps extends CommandDeps {
  readonly log: Log & Pick<DiscreetLog, 'droppedLines'>
  readonly config: Config
  readonly minutes: Pick<Minutes, 'read'>
  readonly projections: Projections
  readonly prices: Prices
  readonly documents: Pick<Documents, 'sense' | 'read'>
  readonly search: Pick<Search, 'drop' | 'embedder' | 'find' | 'rank' | 'vectors'>
  readonly links: Pick<LinkIndexes, 'use'>
  readonly webPush: Omit<WebPush, 'close'>
  /** Subscriptions of other programs to facts. */
  readonly subscriptions: Omit<SubscriptionsOnDemand, 'close'>
  /** Memory of the machine in bytes. */
  readonly memory: number
  /** Finds personas that other daemons of the cluster host. Null without a cluster. */
  readonly elsewhere: PersonaLocations | null
  /** Null unless the home is a copy that is only shown. */
  readonly copy: CopyOrigin | null
  /** Watches how durable acknowledged commits of the cluster are. Null without a cluster. */
  readonly durability: DurabilityWatch | null
}

/** What a home is a copy of, and the time of the last fact of each persona (ISO 8601). */
export interface CopyOrigin {
  readonly path: string
  readonly until: Readonly<Record<PersonaId, string>>
}

/** `closing` aborts when the server stops. Handlers that let a client wait must answer then. */
export interface RouteDeps extends Deps {
  readonly metrics: Metrics
  readonly closing: AbortSignal
  readonly pace: SlowUploadGuard
  /** Reads JSON bodies. All requests share one memory budget. */
  readonly bodies: BodyReading
  readonly passing: PassingOn | null
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** JSON lines: one value per line. */
export interface Lines {
  readonly lines: z.ZodType
}

export interface Description {
  readonly method: Method
  /** In OpenAPI's form: `/api/persona/{persona_id}/read`. */
  readonly path: string
  readonly summary: string
  /** Adds to the summary in one or two sentences. */
  readonly description: string
  readonly tag: Tag
  readonly body: z.ZodType | undefined
  /** Schema of a multipart/form-data body. Its file is a `FilePart`. */
  readonly form: z.ZodObject | undefined
  readonly query: z.ZodObject | undefined
  /** Schema of the 200 response. `file` means bytes of any type. */
  readonly reply: z.ZodType | 'file' | 'text/calendar' | 'text/plain' | Lines
  /** Schema of each event, if a client may ask for an event stream instead. */
  readonly events: z.ZodType | undefined
  readonly refuses: readonly ProblemCode[]
  /** HEAD is served like GET. */
  readonly head: boolean
}

export interface Route extends Description {
  serve(deps: RouteDeps): RequestHandler[]
}

export const byPath = <T extends Description>(routes: readonly T[]): ReadonlyMap<string, readonly T[]> => {
  const paths = new Map<string, T[]>()
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route])
  return paths
}

/** Returned by a handler that sent the response itself. */
export const alreadySent = { sent: true } as const

type Params<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Readonly<Record<Name, string>> & Params<Rest>
  : unknown

interface Call<P extends string, B extends z.ZodType, Q extends z.ZodObject> {
  readonly params: Params<P>
  readonly body: z.output<B>
  readonly query: z.output<Q>
  readonly request: Request
  readonly response: Response
}

type Answer<R extends z.ZodType> = z.input<R> | typeof alreadySent

interface RouteDefinition<P extends string, B extends z.ZodType, Q extends z.ZodObject, R extends z.ZodType> {
  readonly method: Method
  readonly path: P
  readonly summary: string
  /** Adds to the summary in one or two sentences. */
  readonly description: string
  readonly tag: Tag
  readonly body?: B
  /**
   * Takes the place of `body` and is passed to the handler as such. Uploaded files that the handler does not
   * keep are deleted after the response.
   */
  readonly form?: B & z.ZodObject
  /** Max bytes of the body, or of the file in a form. Defaults to the limit for JSON or for uploads. */
  readonly limit?: (limits: Limits) => number
  /** Removes long `data:` URLs from a large body. `largeBody` returns them. */
  readonly cutsUrls?: boolean
  readonly query?: Q
  readonly reply: R | 'file' | 'text/calendar' | 'text/plain' | Lines
  readonly events?: z.ZodType
  readonly refuses?: readonly ProblemCode[]
  readonly head?: boolean
  readonly handle: (deps: RouteDeps) => (call: Call<P, B, Q>) => Answer<R> | Promise<Answer<R>>
}

/**
 * Creates a route. Body or form and query are checked before the handler is called. Its result is sent as the
 * JSON of a 200.
 */
export const route = <
  P extends string,
  B extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodObject = typeof noQuery,
  R extends z.ZodType = z.ZodUndefined,
>({
  method,
  path,
  summary,
  description,
  tag,
  body,
  form,
  limit = ({ json, upload }) => (form ? upload : json),
  cutsUrls = false,
  query,
  reply,
  events,
  refuses = [],
  head = false,
  handle,
}: RouteDefinition<P, B, Q, R>): Route => ({
  method,
  path,
  summary,
  description,
  tag,
  body,
  form,
  query,
  reply,
  events,
  refuses,
  head,
  serve: (deps) => {
    const answer = handle(deps)
    const readQuery = query && createQueryReader(query)
    const readForm = form && createFormReader(form, limit(deps.config.limits), deps)
    const handler: RequestHandler = async (request, response) => {
      const formData = await readForm?.(request, response)
      try {
        const parsedBody = form && formData ? checkForm(form, formData) : checkBody(body, request.body)
        const parsedInput = combine(
          parsedBody,
          query && readQuery ? checkQuery(query, readQuery(request.url)) : { value: {} },
        )
        // The router matched this path, so the parameters have its names.
        const params = request.params as Params<P>
        const call = { params, ...parsedInput, request, response } as Call<P, B, Q>
        const { personas } = deps
        const { persona_id: id } = params as { readonly persona_id?: string }
        const callHandler = () => answer(call)
        const reply = await mapUnreadPersona(personas, id, () =>
          method === 'get' ? mapDeletedPersona(personas, id, callHandler) : callHandler(),
        )
        if (reply !== alreadySent) await sendCompressedJson(request, response, JSON.stringify(reply))
      } finally {
        await formData?.drop()
      }
    }
    if (!body) return [handler]
    const { limits } = deps.config
    const bodyOptions = { limit: limit(limits), dense: limits.json, cutsUrls }
    return [jsonBody(bodyOptions, deps.bodies), handler]
  },
})

const noQuery = z.object({})

type CheckResult = { readonly value: unknown } | { readonly items: readonly Item[] }

const checkBody = (body: z.ZodType | undefined, value: unknown): CheckResult =>
  body ? validate(body, value, 'body') : { value: undefined }

const checkQuery = (query: z.ZodObject, { values, texts }: Query): CheckResult =>
  validate(query, values, 'query', texts)

/** Throws HttpRefused with everything that is wrong with the query and the body. */
const combine = (body: CheckResult, query: CheckResult) => {
  if ('value' in query && 'value' in body) return { query: query.value, body: body.value }
  const items = [query, body].flatMap((result) => ('items' in result ? result.items : []))
  throw new HttpRefused({ code: 'invalid', items })
}

// Maps errors of requests whose persona is unreadable or was deleted.

/** Replaces persona_unknown by the reason if the persona's journal exists but could not be read. */
export const mapUnreadPersona = async <A>(
  personas: Pick<PersonaStore, 'unread'>,
  id: PersonaId | undefined,
  answer: () => A,
): Promise<Awaited<A>> => {
  try {
    return await answer()
  } catch (error) {
    const isUnknown = error instanceof Refused && error.refusal.code === 'persona_unknown'
    throw (isUnknown && id !== undefined && personas.unread(id)) || error
  }
}

/** Throws persona_unknown instead of any other error if the persona was deleted while the request ran. */
const mapDeletedPersona = async <A>(
  personas: Pick<PersonaStore, 'getRow'>,
  id: PersonaId | undefined,
  answer: () => A,
): Promise<Awaited<A>> => {
  const isListed = () => id !== undefined && personas.getRow(id) !== undefined
  const wasListed = isListed()
  try {
    return await answer()
  } catch (error) {
    throw wasListed && !isListed() ? new Refused({ code: 'persona_unknown' }) : error
  }
}
