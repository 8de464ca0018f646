/** The Express app: every route of the table, then what is no route, then every error as its problem. */
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import type { Log } from '../../log.ts'
import { byPath, type Route, type RouteDeps } from '../route.ts'
import { routes } from '../routes/table.ts'
import { createDescription } from '../schema/openapi.ts'
import { problemOf } from '../schema/problems.ts'
import { HttpRefused } from '../schema/refused.ts'
import { mountMcp } from './mcp-endpoint.ts'
import { mountPages } from './pages.ts'
import { type Classes, placeBelow } from './prototypes.ts'
import { sendJsonText, sendProblem } from './replies.ts'

/** `pages` is the folder of the built page. */
export const createApp = (deps: RouteDeps, pages: string, classes: Classes): Express => {
  const app = express()
  placeBelow(app, classes)
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.set('query parser', false)

  for (const [path, here] of byPath(routes)) mountPath(app, path, here, deps)
  const description = createDescription(routes)
  app
    .route('/openapi.json')
    .head(notAllowed('GET'))
    .get((_request, response) => sendJsonText(response, 200, description()))
    .all(notAllowed('GET'))
  mountMcp(app, deps, notAllowed('POST'))
  app.use(['/api', '/v1', '/mcp'], () => {
    throw new HttpRefused({ code: 'path_unknown' })
  })
  mountPages(app, pages, notAllowed('GET, HEAD'))
  app.use(answerError(deps.log))
  return app
}

const mountPath = (app: Express, path: string, here: readonly Route[], deps: RouteDeps): void => {
  const allow = here.flatMap(({ method, head }) => (head ? [method, 'head'] : [method])).join(', ')
  const refuse = notAllowed(allow.toUpperCase())
  const place = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
  // Express would serve HEAD by the GET handler.
  if (!here.some(({ head }) => head)) place.head(refuse)
  for (const route of here) place[route.method](...route.serve(deps))
  place.all(refuse)
}

const notAllowed =
  (allow: string): RequestHandler =>
  () => {
    throw new HttpRefused({ code: 'method_unknown', allow })
  }

const answerError =
  (log: Log): ErrorRequestHandler =>
  (error, request, response, _next) => {
    const problem = problemOf(error)
    const { route }: { route?: { path?: unknown } } = request
    // Nobody is there to be told, and nothing went wrong.
    if (problem.status >= 500 && problem.code !== 'cut_short') {
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
