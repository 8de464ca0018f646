/** A temporary HTTP server on this machine that receives the redirect of an OAuth authorization, once. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addOwnListener } from '../kit/network/own-listeners.ts'

export interface LoopbackRedirect {
  readonly url: string
  /** The redirect must contain this value. */
  readonly state: string
  /** Resolves with the parameters of the redirect; undefined on timeout or after `close`. Never rejects. */
  readonly parameters: Promise<URLSearchParams | undefined>
  close(): void
}

/** `port`: any free port if null, or if it is in use. `ms`: the timeout. */
export const listenForRedirect = async (port: number | null, ms: number): Promise<LoopbackRedirect> => {
  const state = randomBytes(32).toString('base64url')
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 })
  server.maxConnections = 10
  await listen(server, port ?? 0).catch(() => listen(server, 0))
  const { port: boundPort } = server.address() as AddressInfo
  const origin = `127.0.0.1:${boundPort}`
  server.once('close', addOwnListener({ port: boundPort }))
  let settleParameters: (parameters: URLSearchParams | undefined) => void = () => undefined
  const parameters = new Promise<URLSearchParams | undefined>((resolve) => (settleParameters = resolve))
  const end = (params: URLSearchParams | undefined) => {
    clearTimeout(timer)
    settleParameters(params)
    server.close()
    // Leaves time to send the response.
    setTimeout(() => server.closeAllConnections(), 1000).unref()
  }
  const timer = setTimeout(() => end(undefined), ms)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const params = request.headers.host === origin ? readParams(request) : undefined
    // A request with another state comes from someone else. Keep waiting for the right one.
    if (!params || !isSame(params.get('state') ?? '', state))
      return answer(response, 404, 'There is nothing here.')
    answer(response, 200, words(params))
    end(params)
  })
  return { url: `http://${origin}/callback`, state, parameters, close: () => end(undefined) }
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })

const readParams = ({ method, url = '' }: IncomingMessage): URLSearchParams | undefined => {
  const [path, query = ''] = url.split('?')
  return method === 'GET' && path === '/callback' ? new URLSearchParams(query) : undefined
}

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

const words = (params: URLSearchParams): string =>
  params.has('code')
    ? 'The authorization is complete. You can close this page.'
    : 'Nothing was authorized. You can close this page.'

/** The page must contain nothing from the request. */
const answer = (response: ServerResponse, status: number, sentence: string): void => {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Daimon</title><p>${sentence}</p></html>`
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(page)
}
