/** How replies leave: JSON in one write, and the headers that every reply carries. */
import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http'
import { bodyOf, type Problem, problemFor } from '../schema/problems.ts'

export const securityHeaders: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Frame-Options', 'DENY'],
]

/** A browser keeps nothing of the API on its disk: replies hold keys, and what was said. */
export const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

export const sendJson = (
  response: ServerResponse,
  status: number,
  value: unknown,
  headers?: OutgoingHttpHeaders,
): void => sendJsonText(response, status, JSON.stringify(value), headers)

/** For what is JSON already. */
export const sendJsonText = (
  response: ServerResponse,
  status: number,
  text: string | Buffer,
  headers?: OutgoingHttpHeaders,
): void => {
  response.writeHead(status, { ...jsonHeaders, 'Content-Length': Buffer.byteLength(text), ...headers })
  response.end(text)
}

export const sendProblem = (response: ServerResponse, problem: Problem, path: string): void =>
  sendJson(response, problem.status, bodyOf(problem, path), problem.headers)

/**
 * The last resort when answering failed: a constant 500 that no property of an error can break. Never throws.
 */
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
  reason: 'the request could not be answered; the log of the daemon says more',
} as const

/** The same for a socket that has no response: it is closed after it. */
export const rawProblem = (problem: Problem, path: string): string => {
  const text = JSON.stringify(bodyOf(problem, path))
  const headers = [
    ...Object.entries(jsonHeaders),
    ['Content-Length', Buffer.byteLength(text)],
    ...securityHeaders,
    ['Connection', 'close'],
  ]
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines}\r\n${text}`
}
