/**
 * Connects to the servers of a cluster, and rejects servers whose JetStream cannot give the required
 * guarantees.
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
  /**
   * Addresses such as `nats://10.0.0.1:4222`; `tls://` requires TLS. The servers announce the other servers.
   */
  readonly servers: readonly string[]
  /** Name of this client in the server logs. */
  readonly name: string
  /** Path of a `.creds` file, or of a file that contains `<user>:<password>`. */
  readonly credentials?: string
  /** Path of the CA certificates that signed the servers' certificates, if the system does not know them. */
  readonly authority?: string
  /** Timeout of the first connection in ms. */
  readonly timeout?: number
  /** Called once if the connection is closed because it reconnected to a server that is rejected. */
  readonly onRefusal?: (sentence: string) => void
}

/** Older servers accept several writers for one expected sequence, or lack a feature that this code needs. */
const oldestServer = [2, 12] as const

/**
 * Rejects with `NatsRefused`. A lost connection is reopened until `close` is called. A server that does not
 * answer for about 5 seconds counts as lost.
 */
export const openConnection = async (options: ConnectionOptions): Promise<NatsConnection> => {
  const { servers, name, authority, timeout = 5000 } = options
  const isEncrypted = authority !== undefined || servers.some((server) => server.startsWith('tls://'))
  const authenticator = await readAuthenticator(options.credentials)
  const connectOptions = {
    servers: [...servers],
    name,
    timeout,
    noAsyncTraces: true,
    ...(isEncrypted && {
      tls: { ...(authority !== undefined && { caFile: authority }), checkServerIdentity },
    }),
    ...(authenticator && { authenticator }),
    // A suspended server keeps its TCP connections open. Without pings the client would wait for minutes.
    pingInterval: 1500,
    maxPingOut: 2,
  }
  const reconnectOptions = { maxReconnectAttempts: -1, reconnectTimeWait: 250, reconnectJitter: 250 }
  const connection = await connect({ ...connectOptions, reconnect: false })
    // With reconnection enabled, a rejected login would be retried forever. So it is enabled only after the
    // first success.
    .then(async (firstConnection) => {
      await firstConnection.close()
      return connect({ ...connectOptions, ...reconnectOptions, ignoreAuthErrorAbort: true })
    })
    .catch((cause: unknown) => {
      throw new NatsRefused(`no NATS server answers: ${toReason(cause)}`, { cause })
    })
  const refusal = getRefusal(connection)
  if (refusal !== undefined) {
    await connection.close()
    throw new NatsRefused(refusal)
  }
  void watch(connection, options.onRefusal)
  return connection
}

/**
 * The client passes the server's name, but none if the server is addressed by IP; Node would then check for
 * `localhost`. In that case the certificate must be valid for the IP address.
 */
function checkServerIdentity(
  this: { readonly servername?: string; readonly socket?: Socket },
  host: string,
  certificate: PeerCertificate,
): Error | undefined {
  const address = this.servername ? undefined : this.socket?.remoteAddress
  return checkIdentity(address ?? host, certificate)
}

/** Checks each server after a reconnect, because it may be another one than the first. */
const watch = async (connection: NatsConnection, onRefused?: (sentence: string) => void): Promise<void> => {
  for await (const { type } of connection.status()) {
    const refusal = type === 'reconnect' ? getRefusal(connection) : undefined
    if (refusal === undefined) continue
    await connection.close()
    onRefused?.(refusal)
  }
}

const getRefusal = ({ info }: NatsConnection): string | undefined => {
  const { version = '0', jetstream = false, server_name: name = '' } = info ?? {}
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minMajor, minMinor] = oldestServer
  if (!(major > minMajor || (major === minMajor && minor >= minMinor)))
    return `the NATS server ${name} is of version ${version}: at least ${minMajor}.${minMinor} is needed, because older versions accept two writers at once`
  if (!jetstream) return `the NATS server ${name} runs without JetStream: it stores nothing`
  return undefined
}

const readAuthenticator = async (path: string | undefined): Promise<Authenticator | undefined> => {
  if (path === undefined) return undefined
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new NatsRefused(`the credentials in ${path} cannot be read: ${toReason(cause)}`, { cause })
  })
  const words = bytes.toString('utf8').trim()
  if (words.includes('BEGIN NATS USER JWT')) return credsAuthenticator(bytes)
  const colon = words.indexOf(':')
  if (colon < 1 || words.includes('\n'))
    throw new NatsRefused(`${path} holds neither NATS credentials nor one line with <user>:<password>`)
  return usernamePasswordAuthenticator(words.slice(0, colon), words.slice(colon + 1))
}

const toReason = (cause: unknown): string => {
  const { code, message } = cause as { readonly code?: string; readonly message?: string }
  return code ?? message ?? 'unknown reason'
}
