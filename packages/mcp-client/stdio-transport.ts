/** A server as a process of its own, spoken with on its stdin and stdout. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { createMessageLines } from './message-lines.ts'
import { type ProcessGroup, startGroup } from './process-group.ts'
import type { StdioConfig } from './server-config.ts'
import { createStderrTail } from './stderr-tail.ts'

export interface StdioTransport extends Transport {
  /** By these two the client tells that it is a process. */
  readonly stderr: null
  readonly pid: number | null
  /** What it left behind, for whoever tells of it. */
  readonly traces: () => Traces
}

/** It has ended, or is about to. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected'
}

export interface Traces {
  /** How it ended: a code, a signal; null while it runs. */
  readonly ended: string | null
  readonly stderr: string
  readonly strange: string | null
  readonly isTooLarge: boolean
}

interface Deps {
  readonly config: StdioConfig
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  readonly parse: (line: string) => JSONRPCMessage
  readonly mask: (text: string) => string
  /** Bytes of one message, in either direction. */
  readonly most: number
  readonly graceMs: number
}

export const createStdioTransport = (deps: Deps): StdioTransport => {
  const { parse, mask, most } = deps
  const stderr = createStderrTail()
  const lines = createMessageLines(parse, mask, most)
  let group: ProcessGroup | undefined
  let ended: string | null = null
  let isTooLarge = false
  let isClosed = false

  const closed = () => {
    if (isClosed) return
    isClosed = true
    transport.onclose?.()
  }
  const close = async () => {
    await group?.end()
    closed()
  }
  const giveUp = () => {
    isTooLarge = true
    // Not another byte of it.
    group?.child.stdout.destroy()
    void close()
  }
  const take = (chunk: Buffer) => {
    if (isTooLarge || isClosed) return
    const messages = lines.add(chunk)
    if (!messages) return giveUp()
    for (const message of messages) transport.onmessage?.(message)
  }
  const start = async () => {
    group = await startGroup(deps)
    const { child } = group
    child.stdout.on('data', take)
    child.stderr.on('data', stderr.add)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined)
    child.stdin.on('close', () => void close())
    void group.ended.then(({ code, signal }) => {
      ended = signal ? `by ${signal}` : `with code ${code}`
    })
    void group.heard.then(closed)
  }
  const send = async (message: JSONRPCMessage) => {
    const stdin = group?.child.stdin
    if (!stdin?.writable) throw new NotConnected('its input is closed')
    stdin.write(`${JSON.stringify(message)}\n`)
    // It asks and asks, and reads none of the answers.
    if (stdin.writableLength > most) giveUp()
  }
  const transport: StdioTransport = {
    stderr: null,
    get pid() {
      return group?.child.pid ?? null
    },
    traces: () => ({ ended, stderr: stderr.text(mask), strange: lines.strange(), isTooLarge }),
    start,
    send,
    close,
  }
  return transport
}
