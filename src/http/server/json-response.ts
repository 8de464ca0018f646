/** Sends replies: JSON in one write, with the headers of every reply. */
import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http'
import { type Problem, problemFor, toProblemBody } from '../problems.ts'

export const securityHeaders: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Frame-Options', 'DENY'],
]

/**
 * `no-store`, so that browsers do not write replies of the API to disk. They contain keys and conversations.
 */
export const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

export const sendJson = (
  response: ServerResponse,
  status: number,
  value: unknown,
  headers?: OutgoingHttpHeaders,
): void => sendJsonText(response, status, JSON.stringify(value), headers)

/** Sends a value that is already JSON. */
export const sendJsonText = (
  response: ServerResponse,
  status: number,
  text: string | Buffer,
  headers?: OutgoingHttpHeaders,
): void => {
  response.writeHead(status, { ...jsonHeaders, 'Content-Length': Buffer.byteLength(text), ...headers })
  response.end(text)
}

/** The header `X-Problem` has the code of the problem, by which the page translates it. */
export const sendProblem = (response: ServerResponse, problem: Problem, path: string): void =>
  sendJson(response, problem.status, toProblemBody(problem, path), {
    ...problem.headers,
    'X-Problem': problem.code,
  })

/** Sends a constant 500 if sending the response failed. Never throws. */
export const sendFault = (response: ServerResponse, path: string): void => {
  if (response.headersSent || response.destroyed) return void response.destroy()
  try {
    sendProblem(response, problemFor(fault), path)
  } catch {
    response.destroy()
  }
}

const fault = {
  code: 'unforeseen',
  name: 'Error',
  reason: 'the request could not be answered. See the log of the daemon',
} as const

/** Formats a problem for a socket without a response. The caller closes the socket after it. */
export const rawProblem = (problem: Problem, path: string): string => {
  const text = JSON.stringify(toProblemBody(problem, path))
  const headers = [
    ...Object.entries(jsonHeaders),
    ['Content-Length', Buffer.byteLength(text)],
    ...securityHeaders,
    ['Connection', 'close'],
  ]
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines}\r\n${text}`
}
