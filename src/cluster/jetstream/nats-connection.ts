/**
 * A connection to the servers of a cluster, with those refused whose JetStream does not keep what is
 * promised.
 */
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { checkServerIdentity as checkIdentity, type PeerCertificate } from 'node:tls'
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node'
import { NatsRefused } from './nats-refused.ts'

export interface ConnectionOptions {
  /** Addresses, as `nats://10.0.0.1:4222`; `tls://` asks for TLS. The servers tell of the others. */
  readonly servers: readonly string[]
  /** What the servers call this client in their logs. */
  readonly name: string
  /** Path of a `.creds` file, or of one with `<user>:<password>` in it. */
  readonly credentials?: string
  /** Path of the certificates of whoever signed those of the servers, where the system does not know it. */
  readonly authority?: string
  /** Milliseconds for the first connection. */
  readonly timeout?: number
  /** Told once where the connection is given up, since it led to a server that is refused. */
  readonly refused?: (sentence: string) => void
}

/** Older ones let several writers in on one expectation, or lack what is asked of them here. */
const oldestServer = [2, 12] as const

/**
 * Rejects with `NatsRefused`. Where it is lost it is sought again for as long as it is open, and a server
 * that does not answer for some five seconds counts as lost.
 */
export const openConnection = async (options: ConnectionOptions): Promise<NatsConnection> => {
  const { servers, name, authority, timeout = 5000 } = options
  const encrypted = authority !== undefined || servers.some((server) => server.startsWith('tls://'))
  const authenticator = await authenticatorOf(options.credentials)
  const asked = {
    ...{ servers: [...servers], name, timeout, noAsyncTraces: true },
    ...(encrypted && { tls: { ...(authority !== undefined && { caFile: authority }), checkServerIdentity } }),
    ...(authenticator && { authenticator }),
    // A server that was stopped keeps its connections: without a ping they would be waited on for minutes.
    ...{ pingInterval: 1500, maxPingOut: 2 },
  }
  const lasting = { maxReconnectAttempts: -1, reconnectTimeWait: 250, reconnectJitter: 250 }
  const connection = await connect({ ...asked, reconnect: false })
    // One that is refused would be tried again for ever, so it is made to last only once it is let in.
    .then(async (tried) => {
      await tried.close()
      return connect({ ...asked, ...lasting, ignoreAuthErrorAbort: true })
    })
    .catch((cause: unknown) => {
      throw new NatsRefused(`none of the NATS servers answers: ${reasonOf(cause)}`, { cause })
    })
  const refusal = refusalOf(connection)
  if (refusal !== undefined) {
    await connection.close()
    throw new NatsRefused(refusal)
  }
  void watch(connection, options.refused)
  return connection
}

/**
 * The client tells the name of a server, and none where it goes by its address: Node would take that for
 * `localhost`. What it is to be certified for then is the address that it was found under.
 */
function checkServerIdentity(
  this: { readonly servername?: string; readonly socket?: Socket },
  host: string,
  certificate: PeerCertificate,
): Error | undefined {
  const address = this.servername ? undefined : this.socket?.remoteAddress
  return checkIdentity(address ?? host, certificate)
}

/** The next server it finds may be another one than the first. */
const watch = async (connection: NatsConnection, refused?: (sentence: string) => void): Promise<void> => {
  for await (const { type } of connection.status()) {
    const refusal = type === 'reconnect' ? refusalOf(connection) : undefined
    if (refusal === undefined) continue
    await connection.close()
    refused?.(refusal)
  }
}

const refusalOf = ({ info }: NatsConnection): string | undefined => {
  const { version = '0', jetstream = false, server_name: name = '' } = info ?? {}
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [least, lesser] = oldestServer
  if (!(major > least || (major === least && minor >= lesser)))
    return `the NATS server ${name} is of version ${version}: at least ${least}.${lesser} is needed, for older ones let two writers in at once`
  if (!jetstream) return `the NATS server ${name} runs without JetStream: it keeps nothing`
  return undefined
}

const authenticatorOf = async (path: string | undefined): Promise<Authenticator | undefined> => {
  if (path === undefined) return undefined
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new NatsRefused(`the credentials in ${path} cannot be read: ${reasonOf(cause)}`, { cause })
  })
  const words = bytes.toString('utf8').trim()
  if (words.includes('BEGIN NATS USER JWT')) return credsAuthenticator(bytes)
  const colon = words.indexOf(':')
  if (colon < 1 || words.includes('\n'))
    throw new NatsRefused(`${path} holds neither NATS credentials nor one line with <user>:<password>`)
  return usernamePasswordAuthenticator(words.slice(0, colon), words.slice(colon + 1))
}

const reasonOf = (cause: unknown): string => {
  const { code, message } = cause as { readonly code?: string; readonly message?: string }
  return code ?? message ?? 'nobody knows why'
}
