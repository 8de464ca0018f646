/**
 * Connects to the homeserver of an account: checks whose token it is, and opens the encryption of its device.
 */
import { join } from 'node:path'
import * as z from 'zod'
import { makeFolder } from '../../../journal/leveldb/durable-files.ts'
import type { Log } from '../../../packages/kit/log.ts'
import type { Network } from '../../../packages/kit/network/network.ts'
import {
  createMatrixApi,
  createServer,
  type MatrixApi,
  MatrixError,
  misunderstood,
} from '../../../packages/matrix/api.ts'
import { CryptoUnavailable, RequestRefused } from '../../../packages/matrix/crypto/room-crypto.ts'
import type { Connection } from '../../../packages/matrix/send-event.ts'
import type { MatrixCredentials } from '../../../projections/channel-credentials.ts'
import type { Bot } from '../../commands/bots.ts'

interface ConnectDeps {
  readonly network: Pick<Network, 'getNamedFetch'>
  readonly log: Log
  readonly folder: string
  readonly signal: AbortSignal
}

const Account = z.object({ user_id: z.string(), device_id: z.string().optional().catch(undefined) })

/** Rejects with MatrixError. */
export const connectMatrix = async (
  { homeserver, token, device, zone }: MatrixCredentials,
  bot: Bot,
  { network, log, folder, signal }: ConnectDeps,
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
      password: null,
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
