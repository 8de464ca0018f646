/** Builds the Express app: all routes of the table, then unknown paths, then the error handler. */
import type { RequestListener } from 'node:http'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import type { PersonaLocations } from '../../cluster/persona-location.ts'
import { createOpenApi } from '../openapi/openapi.ts'
import { getProblem, type Problem, type ProblemCode, problemFor } from '../problems.ts'
import { HttpRefused } from '../refused.ts'
import { byPath, type Route, type RouteDeps } from '../route.ts'
import { routes } from '../routes/route-table.ts'
import { sendCompressedJson, sendFault, sendProblem } from './json-response.ts'
import { mountMcp } from './mcp-endpoint.ts'
import { mountPages } from './pages.ts'
import { type Classes, placeBelow } from './prototypes.ts'

/** Creates the app. `pages` is the folder of the built page. */
export const createApp = (deps: RouteDeps, pages: string, classes: Classes): RequestListener => {
  const app = express()
  placeBelow(app, classes)
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.set('query parser', false)

  const paths = [...byPath(routes)].map(([path, pathRoutes]) => ({
    path,
    words: path.split('/'),
    pathRoutes,
  }))
  for (const { path, words, pathRoutes } of paths)
    mountPath(app, path, pathRoutes, widerThan(words, paths), deps)
  const description = createOpenApi(routes)
  app
    .route('/openapi.json')
    .head(notAllowed('GET'))
    .get((request, response) => sendCompressedJson(request, response, description()))
    .all(notAllowed('GET'))
  mountMcp(app, deps, notAllowed('POST'))
  app.use(['/api', '/v1', '/mcp'], () => {
    throw new HttpRefused({ code: 'path_unknown' })
  })
  mountPages(app, pages, notAllowed('GET, HEAD'))
  app.use(answerError(deps))
  return (request, response) => {
    // If an error handler fails, Express sends an HTML page with the stack.
    const onUnhandled = () => sendFault(response, request.url ?? '/')
    ;(app as unknown as AppWithEnd)(request, response, onUnhandled)
  }
}

/** Express's own types leave out its third argument. */
type AppWithEnd = (...args: [...Parameters<RequestListener>, onUnhandled: (error?: unknown) => void]) => void

/** Mounts the routes of one path. `wider` are the routes of other templates that also match this path. */
const mountPath = (
  app: Express,
  path: string,
  pathRoutes: readonly Route[],
  widerRoutes: readonly Route[],
  deps: RouteDeps,
): void => {
  const methods = [...pathRoutes, ...widerRoutes].flatMap(({ method, head }) =>
    head ? [method, 'head'] : [method],
  )
  const refuseMethod = notAllowed([...new Set(methods)].join(', ').toUpperCase())
  const refuse: RequestHandler = (request, response, next) =>
    widerRoutes.some(({ method }) => method.toUpperCase() === request.method)
      ? next()
      : refuseMethod(request, response, next)
  const place = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
  // Express would serve HEAD by the GET handler.
  if (!pathRoutes.some(({ head }) => head)) place.head(refuse)
  for (const route of pathRoutes) place[route.method](...route.serve(deps))
  place.all(refuse)
}

/** Returns the routes of templates that have a parameter in a place where this path has a fixed word. */
const widerThan = (
  words: readonly string[],
  paths: readonly { readonly words: readonly string[]; readonly pathRoutes: readonly Route[] }[],
): readonly Route[] =>
  paths.flatMap(({ words: parts, pathRoutes }) => {
    const isWider =
      parts !== words &&
      parts.length === words.length &&
      parts.every((part, n) => part === words[n] || (part.startsWith('{') && !words[n]?.startsWith('{')))
    return isWider ? pathRoutes : []
  })

const notAllowed =
  (allow: string): RequestHandler =>
  () => {
    throw new HttpRefused({ code: 'method_unknown', allow })
  }

/** Problems that a persona can cause while it moves to another daemon. They are not reported as such. */
const movingProblems: readonly ProblemCode[] = [
  ...(['persona_unknown', 'not_running', 'journal_unavailable', 'journal_replaced'] as const),
]

const inCluster = (problem: Problem, locations: PersonaLocations | null, id: unknown): Problem => {
  if (!locations || !movingProblems.some((code) => code === problem.code)) return problem
  if (problem.code === 'journal_unavailable' && locations.age() !== null)
    return problemFor({ code: 'cut_off' })
  if (typeof id === 'string' && locations.isMoving(id)) return problemFor({ code: 'host_gone' })
  // The cluster's servers may answer again before the failed append is reported.
  return problem.code === 'journal_unavailable' ? problemFor({ code: 'cut_off' }) : problem
}

const answerError =
  ({ log, elsewhere }: RouteDeps): ErrorRequestHandler =>
  (error, request, response, _next) => {
    const problem = inCluster(getProblem(error), elsewhere, request.params.persona_id)
    const { route }: { route?: { path?: unknown } } = request
    // cut_short has no client left to answer, and too_busy is not a fault.
    if (problem.status >= 500 && problem.code !== 'cut_short' && problem.code !== 'too_busy') {
      log.error(
        {
          err: error,
          status: problem.status,
          route: `${request.method} ${String(route?.path ?? 'no route')}`,
        },
        'a request failed',
      )
    }
    if (response.headersSent || response.destroyed) return void response.destroy()
    sendProblem(response, problem, request.originalUrl)
  }
