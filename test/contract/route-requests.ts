/** Requests for every served route. A new route of the table is included without a change here. */

import { describe } from '../../src/http/openapi/openapi.ts'
import { routes } from '../../src/http/routes/route-table.ts'
import { toForm } from '../forms.ts'
import { json } from './setup.ts'

export interface RouteRequest {
  /** In OpenAPI's form: `/api/persona/{persona_id}/read`. */
  readonly template: string
  readonly method: string
  /** With parameters and the required query. */
  readonly path: string
  readonly hasJsonBody: boolean
  /** HEAD is served like GET. */
  readonly head: boolean
  readonly body?: string | Buffer
  readonly headers: Readonly<Record<string, string>>
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required: boolean
    readonly example: unknown
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> }
}

/** Served besides the table. */
const otherRoutes: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/openapi.json': { get: {} },
  '/mcp/{persona_id}': {
    post: {
      requestBody: {
        content: { 'application/json': { example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } } },
      },
    },
  },
}

/** Where the example of the API description would have no effect on a persona of a test. */
const effectiveBodies: Readonly<Record<string, unknown>> = {
  '/api/persona/create': { name: 'Eve', thinking_model: 'llama' },
  '/api/persona/{persona_id}/update': { status: 'sick', name: 'Eve' },
  '/api/persona/{persona_id}/read': { message: 'tell me all' },
}

/** Optional parts of a query that matter: a message is answered, and a running persona is deleted. */
const queries: Readonly<Record<string, string>> = {
  '/api/persona/{persona_id}/read': 'wait=0',
  '/api/persona/{persona_id}/delete': 'force=true',
}

const paths = { ...(describe(routes).paths as typeof otherRoutes), ...otherRoutes }

/**
 * Returns a request for each route that would have an effect on this persona or return its data. The request
 * that deletes the persona is the last.
 */
export const createRouteRequests = (id: string): readonly RouteRequest[] => {
  const requests = Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) => toRequest(template, method, operation, id)),
  )
  const isDelete = ({ template }: RouteRequest) => template === '/api/persona/{persona_id}/delete'
  return [...requests.filter((request) => !isDelete(request)), ...requests.filter(isDelete)]
}

const toRequest = (
  template: string,
  method: string,
  { parameters = [], requestBody }: Operation,
  id: string,
): RouteRequest => {
  const requiredQuery = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
  const query = [...requiredQuery, ...(queries[template] === undefined ? [] : [queries[template]])].join('&')
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'persona_id' ? id : 'x'))
  return {
    template,
    method: method.toUpperCase(),
    path: query === '' ? path : `${path}?${query}`,
    head: routes.some((route) => route.path === template && route.method === method && route.head),
    ...toBody(template, requestBody?.content ?? {}),
  }
}

const toBody = (
  template: string,
  content: Readonly<Record<string, { readonly example: unknown }>>,
): Pick<RouteRequest, 'body' | 'hasJsonBody' | 'headers'> => {
  const jsonContent = content['application/json']
  if (jsonContent) {
    const body = JSON.stringify(effectiveBodies[template] ?? jsonContent.example)
    return {
      hasJsonBody: true,
      body,
      headers: { ...json, 'Content-Length': String(Buffer.byteLength(body)) },
    }
  }
  const form = content['multipart/form-data']
  if (!form) return { hasJsonBody: false, headers: {} }
  const parts = Object.entries(form.example as object).map(([name, value]) => ({
    name,
    content: String(value),
  }))
  return { hasJsonBody: false, ...toForm(parts) }
}
