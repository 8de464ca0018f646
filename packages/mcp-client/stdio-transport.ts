/** A server as a child process, over stdin and stdout. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { createMessageLines } from './message-lines.ts'
import { type ProcessGroup, startGroup } from './process-group.ts'
import type { StdioConfig } from './server-config.ts'
import { createStderrTail } from './stderr-tail.ts'

export interface StdioTransport extends Transport {
  /** The client library detects a process by these two fields. */
  readonly stderr: null
  readonly pid: number | null
  /** Returns details for error messages. */
  readonly traces: () => Traces
}

/** The process has ended, or is ending. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected'
}

export interface Traces {
  /** How the process ended: exit code or signal; null while it runs. */
  readonly endReason: string | null
  readonly stderr: string
  readonly strangeLine: string | null
  readonly isTooLarge: boolean
}

interface Deps {
  readonly config: StdioConfig
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  readonly parse: (line: string) => JSONRPCMessage
  readonly mask: (text: string) => string
  /** Max bytes of one message, in both directions. */
  readonly maxBytes: number
  readonly graceMs: number
}

export const createStdioTransport = (deps: Deps): StdioTransport => {
  const { parse, mask, maxBytes } = deps
  const stderr = createStderrTail()
  const lines = createMessageLines(parse, mask, maxBytes)
  let group: ProcessGroup | undefined
  let endReason: string | null = null
  let isTooLarge = false
  let isClosed = false

  const onOutputEnd = () => {
    if (isClosed) return
    isClosed = true
    transport.onclose?.()
  }
  const close = async () => {
    await group?.end()
    onOutputEnd()
  }
  const giveUp = () => {
    isTooLarge = true
    // Stop reading immediately.
    group?.child.stdout.destroy()
    void close()
  }
  const onChunk = (chunk: Buffer) => {
    if (isTooLarge || isClosed) return
    const messages = lines.add(chunk)
    if (!messages) return giveUp()
    for (const message of messages) transport.onmessage?.(message)
  }
  const start = async () => {
    group = await startGroup(deps)
    const { child } = group
    child.stdout.on('data', onChunk)
    child.stderr.on('data', stderr.add)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined)
    child.stdin.on('close', () => void close())
    void group.ending.then(({ code, signal }) => {
      endReason = signal ? `by ${signal}` : `with code ${code}`
    })
    void group.outputEnd.then(onOutputEnd)
  }
  const send = async (message: JSONRPCMessage) => {
    const stdin = group?.child.stdin
    if (!stdin?.writable) throw new NotConnected('its input is closed')
    stdin.write(`${JSON.stringify(message)}\n`)
    // The server sends requests but does not read the answers.
    if (stdin.writableLength > maxBytes) giveUp()
  }
  const transport: StdioTransport = {
    stderr: null,
    get pid() {
      return group?.child.pid ?? null
    },
    traces: () => ({
      endReason,
      stderr: stderr.text(mask),
      strangeLine: lines.getStrangeLine(),
      isTooLarge,
    }),
    start,
    send,
    close,
  }
  return transport
}
