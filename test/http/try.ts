/** Runs the routes of a test on a real server without a daemon. */
import { type ClientRequestArgs, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import express, { type RequestHandler } from 'express'
import type { Log } from '../../packages/kit/log.ts'
import { getProblem, toProblemBody } from '../../src/http/problems.ts'
import { type BodyReading, createBodyBudget } from '../../src/http/server/body-reader.ts'
import { createSlowUploadGuard } from '../../src/http/server/slow-upload.ts'

export const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface HttpAsk extends ClientRequestArgs {
  readonly body?: string | Buffer
}

/** Uses the client of Node, because fetch sets Host and Origin itself. */
export const ask = (port: number, { body, ...options }: HttpAsk): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const httpRequest = request({ host: '127.0.0.1', port, agent: false, ...options }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
      response.on('error', reject)
    })
    httpRequest.on('error', reject)
    httpRequest.end(body)
  })

/** Sends raw bytes. Resolves with everything received until the other side closes. */
export const raw = (port: number, bytes: string, host = '127.0.0.1'): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => socket.write(bytes))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (text) => (answer += text))
    socket.on('close', () => resolve(answer))
    // A daemon that has answered need not read the rest. The system then reports a reset.
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)))
  })

/** Reads bodies without waiting, unless `maxBytes` are held. */
export const readingBodies = ({ maxBytes = Infinity } = {}): BodyReading => ({
  budget: createBodyBudget(maxBytes),
  pace: createSlowUploadGuard(60_000),
  closing: new AbortController().signal,
})

/** Runs handlers on a bare Express app with the error responses of the daemon. */
export const withHandlers = async (
  handlers: readonly unknown[],
  act: (port: number) => Promise<void>,
  path = '/',
): Promise<void> => {
  const app = express()
  app.post(path, ...(handlers as RequestHandler[]))
  app.use(((error, request, response, _next) => {
    const problem = getProblem(error)
    response.status(problem.status).set(problem.headers).json(toProblemBody(problem, request.path))
  }) satisfies express.ErrorRequestHandler)
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  try {
    await act(typeof address === 'object' && address ? address.port : 0)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
