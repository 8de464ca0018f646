/** Serves the single-page app: the files of the built page, and the page itself for every other address. */
import type { ErrorRequestHandler, Express, RequestHandler } from 'express'
import compressedFiles from 'express-static-gzip'
import { HttpRefused } from '../refused.ts'
import { fileRefusal } from './sent-files.ts'

/** The page loads nothing from other origins and cannot be framed. */
const pagePolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const unbuilt =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Daimon</title><p>The daemon runs. Its page is not built.</p></html>\n'

/** `refuse` answers methods other than GET and HEAD. */
export const mountPages = (app: Express, folder: string, refuse: RequestHandler): void => {
  app.use((request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return void refuse(request, response, next)
    response.setHeader('Content-Security-Policy', pagePolicy)
    response.setHeader('Cache-Control', 'no-cache')
    next()
  })
  const files = compressedFiles(folder, {
    enableBrotli: true,
    index: false,
    serveStatic: { redirect: false, cacheControl: false, dotfiles: 'ignore' },
  })
  app.use((request, response, next) => (isEncoded(request.path) ? files(request, response, next) : next()))
  app.use('/assets/', () => {
    throw new HttpRefused({ code: 'path_unknown' })
  })
  app.use((request, response, next) => {
    request.url = '/index.html'
    files(request, response, next)
  })
  app.use((_request, response) => void response.type('html').send(unbuilt))
  app.use(onFailed)
}

/** A path with an invalid encoding names no file. */
const isEncoded = (path: string): boolean => {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

const onFailed: ErrorRequestHandler = (error, _request, _response, next) => next(fileRefusal(error))
