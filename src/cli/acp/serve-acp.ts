/**
 * The agent side of the Agent Client Protocol (v1, agentclientprotocol.com). A session is the talk of one
 * persona, so each process has one session, whose id is that of the persona. Standard output carries only the
 * protocol.
 */
import { buffer } from 'node:stream/consumers'
import {
  type AgentContext,
  agent,
  MessageTooLargeError,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { writeStandard } from '../../../packages/kit/files/standard-streams.ts'
import { version } from '../../../packages/kit/version.ts'
import type { ConversationMessage } from '../../../projections/conversation.ts'
import type { PersonaView } from '../../../projections/view.ts'
import type { DaemonClient } from '../daemon-client.ts'
import { CommandFailed, exitCodes } from '../exit-codes.ts'
import { findPersona, personaPath } from '../find-persona.ts'
import { harmless } from '../printing.ts'
import { askDecision } from './decision.ts'
import { type AcpTalk, createAcpTalk } from './talk.ts'
import { createUpdates } from './updates.ts'

export interface AcpOptions {
  readonly client: DaemonClient
  /** Name or id of the persona. */
  readonly ref: string
  /** Number of messages that a loaded session shows. */
  readonly history: number
}

interface Session {
  readonly persona: PersonaView
  readonly talk: AcpTalk
  /** Resolves when all updates so far are sent. */
  readonly whenSent: () => Promise<unknown>
}

/** Max bytes of a line of the editor. Pictures are in it as base64. */
const maxLineBytes = 64 * 1024 * 1024
/** Max time that a message on its way may take after the editor has closed. */
const lastSendMs = 500
const endDelayMs = 10

/** Resolves when the editor has closed the connection. */
export const serveAcp = async (options: AcpOptions): Promise<void> => {
  const open: { session: Session | null } = { session: null }

  const requireSession = (sessionId: string): Session => {
    if (open.session?.persona.id !== sessionId) throw RequestError.sessionNotFound(sessionId)
    return open.session
  }

  /** Opens the session, or returns the open one. */
  const openSession = async (context: AgentContext): Promise<Session> => {
    const persona = await findPersona(options.client, options.ref)
    open.session ??= createSession(persona, options.client, context)
    await open.session.talk.open()
    return open.session
  }

  const app = agent({ name: 'daimon' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'daimon', title: 'Daimon', version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, ({ client }) =>
      withProtocolErrors(async () => ({ sessionId: (await openSession(client)).persona.id })),
    )
    .onRequest(methods.agent.session.load, ({ client, params: { sessionId } }) =>
      withProtocolErrors(async () => {
        await openSession(client)
        await showHistory(requireSession(sessionId), options)
        return {}
      }),
    )
    .onRequest(methods.agent.session.resume, ({ client, params: { sessionId } }) =>
      withProtocolErrors(async () => {
        await openSession(client)
        requireSession(sessionId)
        return {}
      }),
    )
    .onRequest(methods.agent.session.list, ({ params: { cwd } }) =>
      withProtocolErrors(async () => ({ sessions: [await describeSession(options, cwd)] })),
    )
    .onRequest(methods.agent.session.prompt, ({ params: { sessionId, prompt } }) =>
      withProtocolErrors(async () => {
        const { talk, whenSent } = requireSession(sessionId)
        try {
          return { stopReason: await talk.prompt(prompt) }
        } finally {
          await whenSent()
        }
      }),
    )
    .onNotification(methods.agent.session.cancel, ({ params: { sessionId } }) => {
      if (open.session?.persona.id === sessionId) open.session.talk.cancel()
    })
    .onRequest(methods.agent.session.close, ({ params: { sessionId } }) => {
      const { talk } = requireSession(sessionId)
      talk.cancel()
      talk.close()
      open.session = null
      return {}
    })

  const connection = app.connect(openStandardStream())
  await connection.closed
  await Promise.race([open.session?.talk.settle(), wait(lastSendMs)])
  open.session?.talk.close()
  endProcess(connection.signal.reason)
}

const createSession = (persona: PersonaView, client: DaemonClient, context: AgentContext): Session => {
  const sessionId = persona.id
  let lastUpdate: Promise<unknown> = Promise.resolve()
  /** Sends updates in their order. The editor may be gone. */
  const enqueue = (toUpdate: () => Promise<SessionUpdate> | SessionUpdate) => {
    lastUpdate = lastUpdate
      .then(async () =>
        context.notify(methods.client.session.update, { sessionId, update: await toUpdate() }),
      )
      .catch(() => undefined)
  }
  const toAddress = (path: string) => new URL(path, client.url).href
  const updates = createUpdates({
    send: (update) => enqueue(() => update),
    sendPicture: (link) => enqueue(() => readPicture(client, link, toAddress(link.url))),
    toAddress,
  })
  const talk = createAcpTalk({
    client,
    persona,
    updates,
    askDecision: async (question, signal) => {
      await lastUpdate
      return askDecision({ context, sessionId, question, signal })
    },
    log,
  })
  return { persona, talk, whenSent: () => lastUpdate }
}

/** Max bytes of a picture that is sent to the editor. A larger one is sent as a link. */
const maxPictureBytes = 8 * 1024 * 1024

const readPicture = async (
  client: DaemonClient,
  { url, name }: { readonly url: string; readonly name: string },
  address: string,
): Promise<SessionUpdate> => {
  const link = { type: 'resource_link', name, uri: address } as const
  const toChunk = <T>(content: T) => ({ sessionUpdate: 'agent_message_chunk', content }) as const
  try {
    const response = await client.bytes(url)
    const mimeType = response.headers['content-type'] ?? ''
    if (Number(response.headers['content-length'] ?? 0) > maxPictureBytes) {
      response.destroy()
      return toChunk(link)
    }
    const data = (await buffer(response)).toString('base64')
    return toChunk({ type: 'image', data, mimeType, uri: address })
  } catch {
    return toChunk(link)
  }
}

const readMessages = async (client: DaemonClient, persona: PersonaView, limit: number) =>
  (
    await client.get<{ readonly messages: readonly ConversationMessage[] }>(
      personaPath(persona, `conversation?limit=${limit}`),
    )
  ).messages

const showHistory = async (
  { persona, talk, whenSent }: Session,
  { client, history }: AcpOptions,
): Promise<void> => {
  if (history > 0) await talk.showHistory(() => readMessages(client, persona, history))
  await whenSent()
}

/** The session belongs to no folder, so it is listed for each. */
const describeSession = async ({ client, ref }: AcpOptions, cwd: string | null | undefined) => {
  const persona = await findPersona(client, ref)
  const [last] = await readMessages(client, persona, 1)
  return {
    sessionId: persona.id,
    cwd: cwd ?? process.cwd(),
    title: persona.name,
    updatedAt: last?.time ?? null,
  }
}

/** Throws refusals of the daemon and invalid prompts as errors of the protocol. */
const withProtocolErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new RequestError(notDaemon, 'the server at this address is not a daemon')
    if (!(error instanceof CommandFailed)) throw error
    throw new RequestError(protocolCodes.get(error.code) ?? daemonRefused, error.message, {
      ...(error.status !== null && { status: error.status }),
    })
  }
}

/** Codes for servers in JSON-RPC, without those that ACP defines. */
const daemonRefused = -32010
const daemonUnreachable = -32011
const notDaemon = -32012

const protocolCodes: ReadonlyMap<number, number> = new Map([
  [exitCodes.usage, -32602],
  [exitCodes.unreachable, daemonUnreachable],
  [exitCodes.unknown, -32002],
])

/** Waits after the end, so that the last message is handled before the connection closes. */
async function* readInput(): AsyncGenerator<Uint8Array> {
  for await (const bytes of process.stdin) yield bytes
  await wait(endDelayMs)
}

/** `Readable.toWeb` of Node 20 ends the process if the reader stops early. */
const openStandardStream = () => {
  const input = ReadableStream.from(readInput())
  const output = new WritableStream<Uint8Array>({
    write: (bytes) =>
      new Promise((resolve, reject) =>
        process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())),
      ),
  })
  return ndJsonStream(output, input, { maxMessageBytes: maxLineBytes })
}

/** Ends although a request to the daemon is in progress. */
const endProcess = (reason: unknown): void => {
  if (!(reason instanceof MessageTooLargeError)) return process.exit(0)
  const message = `A message of the editor is larger than ${maxLineBytes} bytes. Send a smaller one.`
  const error = { jsonrpc: '2.0', id: null, error: { code: -32600, message } }
  writeStandard(1, `${JSON.stringify(error)}\n`)
  log(message)
  process.exit(exitCodes.refused)
}

const log = (line: string): void => void process.stderr.write(`daimon: ${harmless(line)}\n`)

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
