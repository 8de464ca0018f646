/** Sends the requests of the encryption library, and gives it the answers. */
import type { OlmMachine, ToDeviceRequest } from '@matrix-org/matrix-sdk-crypto-wasm'
import pLimit from 'p-limit'
import type { Log } from '../../kit/log.ts'
import type { CryptoLibrary } from './crypto-library.ts'
import type { DurableMap } from './durable-map.ts'
import type { RoomCryptoDeps } from './room-crypto.ts'

export type Request = Awaited<ReturnType<OlmMachine['outgoingRequests']>>[number]

export interface FailedRequest {
  readonly request: Request
  readonly error: Error
}

export interface OutgoingRequests {
  /** Runs alone: no two requests of the library are under way at the same time. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** Sends one request. Throws if it fails. Call it inside `alone`. */
  send(request: Request): Promise<void>
  /**
   * Sends all requests that are due. Returns the failed ones; the next call sends them again. Call it inside
   * `alone`.
   */
  sendDue(): Promise<readonly FailedRequest[]>
  /** Sends a request for the keys of these users. Throws if it fails. Call it inside `alone`. */
  queryKeys(users: readonly string[]): Promise<void>
}

/** The answer to one request can make others due. */
const maxRounds = 5

interface Deps {
  readonly library: CryptoLibrary
  readonly machine: OlmMachine
  readonly map: DurableMap
  readonly request: RoomCryptoDeps['request']
  readonly log: Log
}

export const createOutgoingRequests = ({ library, machine, map, request, log }: Deps): OutgoingRequests => {
  const limit = pLimit(1)

  const send = async (dueRequest: Request) => {
    const { method, path } = getTarget(library, dueRequest)
    await map.flush() // a published key must be on disk
    const answer = await request(method, path, dueRequest.body)
    // The library takes a list for an object without fields, and would believe that users have no devices.
    if (!answer.trimStart().startsWith('{')) throw new Error('The server answered with no JSON object')
    await machine.markRequestAsSent(dueRequest.id ?? '', dueRequest.type, answer)
  }
  const sendDue = async () => {
    const failures: FailedRequest[] = []
    const queries = new Set<string>()
    // A user that the server does not name in its answer would be asked for again in each round.
    const isNew = ({ type, body }: Request) => type !== library.RequestType.KeysQuery || !queries.has(body)
    // A request that failed would come again in the next round, with another id.
    for (let round = 0; round < maxRounds && failures.length === 0; round++) {
      const requests = (await machine.outgoingRequests()).filter(isNew)
      if (requests.length === 0) break
      for (const next of requests)
        try {
          queries.add(next.body)
          await send(next)
        } catch (reason) {
          const error = toError(reason)
          failures.push({ request: next, error })
          log.warn({ err: error }, 'A request of the Matrix encryption failed; it is sent again later')
        }
    }
    return failures
  }
  const queryKeys = async (users: readonly string[]) =>
    send(machine.queryKeysForUsers(users.map((user) => new library.UserId(user))))

  return { alone: (work) => limit(work), send, sendDue, queryKeys }
}

/** The library may throw texts. */
export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

const part = encodeURIComponent

const getTarget = (
  { RequestType }: CryptoLibrary,
  request: Request,
): { method: 'POST' | 'PUT'; path: string } => {
  const post = (path: string) => ({ method: 'POST' as const, path: `/_matrix/client/v3/${path}` })
  switch (request.type) {
    case RequestType.KeysUpload:
      return post('keys/upload')
    case RequestType.KeysQuery:
      return post('keys/query')
    case RequestType.KeysClaim:
      return post('keys/claim')
    case RequestType.SignatureUpload:
      return post('keys/signatures/upload')
    case RequestType.ToDevice: {
      const { event_type, txn_id } = request as ToDeviceRequest
      return { method: 'PUT', path: `/_matrix/client/v3/sendToDevice/${part(event_type)}/${part(txn_id)}` }
    }
    default:
      throw new Error('The encryption asked for a request that is not used here')
  }
}
