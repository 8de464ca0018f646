/** Traces requests: one span from the arrival of the headers until the response is closed. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isTracing, readTraceHeaders, runWithin, startSpan } from '../../../packages/kit/tracing/tracing.ts'

/** Continues the trace of a client that sends `traceparent`. */
export const traceRequest = (request: IncomingMessage, response: ServerResponse, serve: () => void): void => {
  if (!isTracing()) return serve()
  const { method = 'GET', headers } = request
  const parent = readTraceHeaders(headers)
  const span = startSpan({
    name: method,
    kind: 'server',
    attributes: { 'http.request.method': method },
    parent: parent ?? null,
  })
  response.once('close', () => {
    const route = getRoute(request)
    if (route !== undefined) {
      span.rename(`${method} ${route}`)
      span.set({ 'http.route': route })
    }
    const { statusCode: status } = response
    span.set({ 'http.response.status_code': status })
    if (!response.writableFinished) span.end('client_disconnected')
    else span.end(status >= 500 ? String(status) : undefined)
  })
  runWithin(span.place, serve)
}

/** Returns the template in the form of the API's description. Undefined for files of the page. */
const getRoute = (request: IncomingMessage & { readonly route?: { readonly path?: unknown } }) => {
  const path = request.route?.path
  return typeof path === 'string' ? path.replaceAll(/:(\w+)/g, '{$1}') : undefined
}
