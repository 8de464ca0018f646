/**
 * Connects to the homeserver of an account: checks whose token it is, and opens the encryption of its device.
 * Opens the encryption again after the disk failed.
 */
import { join } from 'node:path'
import * as z from 'zod'
import { makeFolder } from '../../../journal/leveldb/durable-files.ts'
import { pauseAfter } from '../../../packages/kit/flow/backoff.ts'
import type { Log } from '../../../packages/kit/log.ts'
import type { Network } from '../../../packages/kit/network/network.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import {
  createMatrixApi,
  createServer,
  type MatrixApi,
  MatrixError,
  misunderstood,
  toStorageError,
} from '../../../packages/matrix/api.ts'
import { CryptoUnavailable, RequestRefused } from '../../../packages/matrix/crypto/room-crypto.ts'
import type { Connection } from '../../../packages/matrix/send-event.ts'
import type { MatrixCredentials } from '../../../projections/channel-credentials.ts'
import type { Bot } from '../../commands/bots.ts'
import type { LoginPasswords } from './login-passwords.ts'

interface ConnectDeps {
  readonly network: Pick<Network, 'getNamedFetch'>
  readonly log: Log
  readonly passwords: LoginPasswords
  readonly folder: string
  readonly signal: AbortSignal
}

export interface Connector {
  /** Rejects with MatrixError, or another error if the encryption library fails. */
  connect(): Promise<Connection>
  close(): Promise<void>
}

const minute = 60_000

/** Connects with the first call. A failed attempt is repeated with a later call. */
export const createConnector = (open: () => Promise<Connection>, clock: Clock): Connector => {
  let connection: Promise<Connection> | null = null
  /** Settles when the keys of the previous connection are closed. */
  let closing: Promise<void> = Promise.resolve()
  let openedAt = 0
  /** Failures of the disk in a row, and the pause after the last one. */
  let failures = 0
  let pause: { readonly error: MatrixError; readonly from: number; readonly ms: number } | null = null

  const noteFailure = (error: MatrixError): MatrixError => {
    failures = clock.now() - openedAt < minute ? failures + 1 : 1
    pause = { error, from: clock.now(), ms: pauseAfter(failures) }
    return error
  }
  const mustBeDue = () => {
    const passedMs = pause ? clock.now() - pause.from : 0
    // The clock may have been set back.
    if (pause && passedMs >= 0 && passedMs < pause.ms) {
      const { message, code } = pause.error
      throw new MatrixError(message, 'passing', { code, wait: pause.ms - passedMs })
    }
    pause = null
  }
  const start = async (): Promise<Connection> => {
    await closing
    openedAt = clock.now()
    try {
      return await open()
    } catch (error) {
      const storageError = toStorageError(error)
      throw storageError ? noteFailure(storageError) : error
    }
  }
  return {
    connect: async () => {
      mustBeDue()
      const attempt = connection ?? start()
      connection = attempt
      const forget = () => {
        if (connection === attempt) connection = null
      }
      const current = await attempt.catch((error: unknown) => {
        forget()
        throw error
      })
      const { crypto } = current
      const failure = crypto?.failure ?? null
      if (!crypto || failure === null) return current
      const error = toStorageError(failure)
      // What is in memory may be ahead of the disk, so it is not used again.
      if (connection === attempt) {
        closing = crypto.close()
        noteFailure(error ?? misunderstood())
      }
      forget()
      throw error ?? failure
    },
    close: async () => {
      await (await connection?.catch(() => undefined))?.crypto?.close()
      await closing
    },
  }
}

const Account = z.object({ user_id: z.string(), device_id: z.string().optional().catch(undefined) })

/** Rejects with MatrixError. Removes the password of the login when no later attempt needs it. */
export const connectMatrix = async (
  credentials: MatrixCredentials,
  bot: Bot,
  deps: ConnectDeps,
): Promise<Connection> => {
  const removePassword = () => deps.passwords.remove(credentials.token)
  try {
    const connection = await openConnection(credentials, bot, deps)
    // A request that failed is sent again, and may need the password.
    if (connection.crypto?.identityTrouble !== 'passing') removePassword()
    return connection
  } catch (error) {
    // Connecting is tried again after other errors.
    if (error instanceof MatrixError && error.kind !== 'passing') removePassword()
    throw error
  }
}

const openConnection = async (
  { homeserver, token, device, zone }: MatrixCredentials,
  bot: Bot,
  { network, log, passwords, folder, signal }: ConnectDeps,
): Promise<Connection> => {
  const api = createMatrixApi({ server: createServer(network, homeserver, zone), token })
  const account = Account.safeParse(
    await api.call({ method: 'GET', path: '/_matrix/client/v3/account/whoami', signal }),
  )
  if (!account.success) throw misunderstood()
  const { user_id: userId, device_id: deviceId } = account.data
  if (userId !== bot.id) throw new MatrixError('The access token belongs to another account.', 'token')
  if (deviceId !== undefined && device !== null && deviceId !== device)
    throw new MatrixError('The homeserver names another device for this access token.', 'token')
  if (deviceId === undefined)
    return {
      api,
      crypto: null,
      cryptoTrouble: 'The access token has no device, so encryption is not available.',
    }
  await makeFolder(folder)
  try {
    const { openRoomCrypto } = await import('../../../packages/matrix/crypto/open-room-crypto.ts')
    const crypto = await openRoomCrypto({
      userId,
      deviceId,
      folder: join(folder, 'crypto'),
      request: (method, path, body) => request(api, { method, path, body }, signal),
      getPassword: () => passwords.get(token),
      onPasswordUsed: () => passwords.remove(token),
      log,
    })
    return { api, crypto, cryptoTrouble: null }
  } catch (error) {
    if (!(error instanceof CryptoUnavailable)) throw error
    log.warn({ reason: error.message }, 'a Matrix account has no encryption')
    return { api, crypto: null, cryptoTrouble: error.message }
  }
}

const request = async (
  api: MatrixApi,
  {
    method,
    path,
    body,
  }: { readonly method: 'GET' | 'POST' | 'PUT'; readonly path: string; readonly body: string },
  signal: AbortSignal,
): Promise<string> => {
  try {
    return await api.callText({ method, path, signal, ...(body !== '' && { body: JSON.parse(body) }) })
  } catch (error) {
    if (error instanceof MatrixError && error.status !== null)
      throw new RequestRefused(error.status, error.body)
    throw error
  }
}
