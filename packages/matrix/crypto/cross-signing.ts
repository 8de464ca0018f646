/**
 * Gives the account an identity that signs its device (cross-signing), so that clients show no warning. An
 * account with an identity keeps it.
 *
 * https://spec.matrix.org/v1.16/client-server-api/#cross-signing
 */
import { isObject } from '../../kit/is-object.ts'
import type { Log } from '../../kit/log.ts'
import { parseObject } from '../api.ts'
import type { CryptoDevice } from './crypto-device.ts'
import { toError } from './outgoing-requests.ts'
import { type IdentityTrouble, RequestRefused, type RoomCryptoDeps } from './room-crypto.ts'

const uploadedKey = 'identity-uploaded'

interface Deps extends CryptoDevice {
  readonly userId: string
  readonly getPassword: () => string | null
  readonly onPasswordUsed: () => void
  readonly request: RoomCryptoDeps['request']
  readonly log: Log
}

/**
 * Returns why there is no identity. Never rejects: encryption works without one. Call it inside
 * `outgoing.alone`, after the keys of the own user were queried.
 */
export const ensureCrossSigning = async (deps: Deps): Promise<IdentityTrouble | null> => {
  const { library, machine, map, outgoing, userId, log } = deps
  try {
    const { hasMaster } = await machine.crossSigningStatus()
    const identity = await machine.getIdentity(new library.UserId(userId))
    if (identity && hasMaster && map.get(uploadedKey)) return null
    if (identity && !hasMaster) {
      log.info({}, 'The Matrix account has an identity of another program, which can verify this device')
      return null
    }
    // An identity that the server refused before is uploaded again.
    const requests = await machine.bootstrapCrossSigning(!hasMaster)
    if (requests.uploadKeysRequest) await outgoing.send(requests.uploadKeysRequest)
    await uploadIdentity(deps, requests.uploadSigningKeysRequest.body)
    await outgoing.send(requests.uploadSignaturesRequest)
    await outgoing.queryKeys([userId])
    await map.write([[uploadedKey, 'yes']])
    return null
  } catch (err) {
    log.warn({ err: toError(err) }, 'The Matrix account got no identity; other clients may show a warning')
    return toTrouble(err)
  }
}

const toTrouble = (error: unknown): IdentityTrouble => {
  if (!(error instanceof RequestRefused) || error.status >= 500 || error.status === 429) return 'passing'
  return passwordSession(error.body) === null ? 'refused' : 'password'
}

const uploadIdentity = async (
  { request, userId, getPassword, onPasswordUsed }: Deps,
  body: string,
): Promise<void> => {
  const upload = (text: string) => request('POST', '/_matrix/client/v3/keys/device_signing/upload', text)
  try {
    await upload(body)
  } catch (error) {
    const session =
      error instanceof RequestRefused && error.status === 401 ? passwordSession(error.body) : null
    const password = session === null ? null : getPassword()
    if (session === null || password === null) throw error
    const identifier = { type: 'm.id.user', user: userId }
    const auth = { type: 'm.login.password', identifier, password, session }
    try {
      await upload(JSON.stringify({ ...(JSON.parse(body) as object), auth }))
    } catch (failure) {
      if (toTrouble(failure) !== 'passing') onPasswordUsed()
      throw failure
    }
    onPasswordUsed()
  }
}

/**
 * Returns the session of a further step of authentication if a password alone is enough, otherwise null.
 *
 * https://spec.matrix.org/v1.16/client-server-api/#user-interactive-authentication-api
 */
const passwordSession = (text: string): string | null => {
  const { session, flows } = parseObject(text)
  if (typeof session !== 'string' || !Array.isArray(flows)) return null
  const isEnough = (flow: unknown) =>
    isObject(flow) &&
    Array.isArray(flow.stages) &&
    flow.stages.length === 1 &&
    flow.stages[0] === 'm.login.password'
  return flows.some(isEnough) ? session : null
}
