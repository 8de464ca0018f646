/** Serves /mcp/{persona_id}: passes requests to the persona's server of the Model Context Protocol. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type {
  Response as Answer,
  Request as Asked,
  ErrorRequestHandler,
  Express,
  RequestHandler,
} from 'express'
import { isObject } from '../../../packages/kit/is-object.ts'
import { currentPlace, inSpan, isTracing, readTraceHeaders } from '../../../packages/kit/tracing/tracing.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import type { McpEndpoint } from '../../mcp/server/persona-endpoint.ts'
import { getProblem, toProblemBody, toSentence } from '../problems.ts'
import { mapUnreadPersona, type RouteDeps } from '../route.ts'
import { withAbortSignal } from './client-abort.ts'
import { jsonBody } from './json-body.ts'
import { sendJson } from './json-response.ts'

/**
 * `refuse` answers methods other than POST. The server keeps no session between requests that these could
 * refer to.
 */
export const mountMcp = (app: Express, deps: RouteDeps, refuse: RequestHandler): void => {
  const { limits } = deps.config
  const place = app.route('/mcp/:persona_id')
  place.post(checkContentType, jsonBody({ limit: limits.json }, deps.bodies), serve(deps), onFailed)
  place.all(refuse)
}

const checkContentType: RequestHandler = (request, response, next) => {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() === 'application/json') return next()
  sendJson(response, 415, rpcError(null, 'The Content-Type must be application/json'))
}

const serve = (deps: RouteDeps): RequestHandler<{ persona_id: string }> => {
  const endpoint = createLazyEndpoint(deps)
  return async (request, response) => {
    const { persona_id: persona } = request.params
    await mapUnreadPersona(deps.personas, persona, () => requireListed(deps.personas, persona))
    const { serve } = await endpoint()
    await withAbortSignal(response, deps.closing, (signal) =>
      traceMessage(request.body, async () =>
        send(
          response,
          await serve({ persona, headers: toHeaders(request), body: request.body, disconnectSignal: signal }),
        ),
      ),
    )
  }
}

/**
 * Traces a message of the protocol until its answer is sent. Continues the trace that its `_meta` names
 * (SEP-414), and otherwise that of the HTTP request.
 */
const traceMessage = <T>(body: unknown, work: () => Promise<T>): Promise<T> => {
  if (!isTracing() || !isObject(body)) return work()
  const { method, params } = body
  const name = tracedMethods.find((tracedMethod) => tracedMethod === method)
  if (name === undefined) return work()
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {}
  const parent = readTraceHeaders(meta)
  const request = currentPlace()
  const origin = parent && { parent, links: request ? [request] : [] }
  return inSpan({ name, kind: 'server', attributes: { 'mcp.method.name': name }, ...origin }, work)
}

const tracedMethods = ['tools/call', 'resources/read'] as const

/** Loads the endpoint when the first client connects. */
const createLazyEndpoint = (deps: RouteDeps): (() => Promise<McpEndpoint>) => {
  let openedEndpoint: Promise<McpEndpoint> | undefined
  const open = async () => {
    const { openMcpEndpoint } = await import('../../mcp/server/persona-endpoint.ts')
    const endpoint = openMcpEndpoint({ ...deps, maxMessageLength: deps.config.limits.message, explain })
    deps.closing.addEventListener('abort', () => void endpoint.close(), { once: true })
    return endpoint
  }
  return () => {
    openedEndpoint ??= open()
    return openedEndpoint
  }
}

const explain = (error: unknown) => {
  const { status, code, detail } = getProblem(error)
  return { words: toSentence(detail), own: status >= 500 && code !== 'cut_short' }
}

const toHeaders = ({ headersDistinct }: Asked): Headers =>
  new Headers(
    Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  )

const send = async (response: Answer, { status, headers, body }: Response): Promise<void> => {
  response.status(status)
  headers.forEach((value, name) => void response.setHeader(name, value))
  response.setHeader('Cache-Control', 'no-store')
  if (!body) return void response.end()
  // A client that disconnects gets nothing more.
  await pipeline(Readable.fromWeb(body), response).catch(() => response.destroy())
}

/** Answers errors that occur before the protocol library runs. Uses the id of the request. */
const onFailed: ErrorRequestHandler = (error, request, response, next) => {
  const problem = getProblem(error)
  if (problem.status >= 500 || response.headersSent) return next(error)
  const { error: rpcProblem } = toProblemBody(problem, request.originalUrl) as { error: object }
  const status = problem.code === 'invalid' ? 400 : problem.status
  sendJson(response, status, { jsonrpc: '2.0', id: getId(request.body), error: rpcProblem }, problem.headers)
}

const getId = (body: unknown): string | number | null => {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

const rpcError = (id: string | number | null, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32_000, message },
})
