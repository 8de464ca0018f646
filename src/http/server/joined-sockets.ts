/** Connects the socket of a client with that of another daemon, in both directions. */
import { type ClientRequest, type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { problemFor } from '../problems.ts'
import type { HttpRefusal } from '../refused.ts'
import { rawProblem } from './json-response.ts'

interface Client {
  readonly socket: Duplex
  readonly head: Buffer
  readonly stop: () => void
}

/** Pipes both sockets into each other. If one closes, the other is closed. */
export const join = (outgoing: ClientRequest, { socket, head, stop }: Client): void => {
  socket.on('error', () => socket.destroy())
  socket.once('close', () => {
    stop()
    outgoing.destroy()
  })
  const writeHead = ({ statusCode = 502, rawHeaders }: IncomingMessage) => {
    const lines = [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`]
    for (let n = 0; n + 1 < rawHeaders.length; n += 2) lines.push(`${rawHeaders[n]}: ${rawHeaders[n + 1]}`)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  }
  outgoing.on('upgrade', (answer, otherSocket, firstBytes) => {
    writeHead(answer)
    socket.write(firstBytes)
    otherSocket.write(head)
    otherSocket.on('error', () => socket.destroy())
    otherSocket.once('close', () => socket.destroy())
    socket.once('close', () => otherSocket.destroy())
    otherSocket.pipe(socket).pipe(otherSocket)
  })
  outgoing.on('response', (answer) => {
    writeHead(answer)
    answer.pipe(socket)
  })
}

export const refuseRaw = (socket: Duplex, refusal: HttpRefusal, path: string): void => {
  if (!socket.writable) return void socket.destroy()
  socket.end(rawProblem(problemFor(refusal), path), () => socket.destroy())
}
