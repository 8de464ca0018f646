/**
 * End-to-end encryption of Matrix rooms (Olm and Megolm), for one device of one account. Opened by
 * `openRoomCrypto` (open-room-crypto.ts), which loads 50 MB: import it when the first encrypted room appears.
 *
 * Form of events and requests: https://spec.matrix.org/v1.16/client-server-api/#end-to-end-encryption
 */
import type { Log } from '../../kit/log.ts'

/** The parts of a sync answer that the encryption needs, in the form of the client-server API. */
export interface SyncedKeys {
  /** The answer begins without a position, so it does not list all devices that changed. */
  readonly isInitial?: boolean
  /** `to_device.events` */
  readonly toDevice: readonly unknown[]
  readonly deviceLists: { readonly changed?: readonly string[]; readonly left?: readonly string[] }
  readonly oneTimeKeyCounts: Readonly<Record<string, number>>
  /** Undefined if the answer has none: an empty list means that the fallback key was used. */
  readonly unusedFallbackKeys: readonly string[] | undefined
}

export type Decrypted =
  | {
      readonly state: 'clear'
      readonly type: string
      readonly content: Readonly<Record<string, unknown>>
    }
  /** `lasting`: the event is forged or damaged. Otherwise its key may still arrive. */
  | { readonly state: 'unreadable'; readonly lasting: boolean; readonly reason: string }

/** Content of a room's `m.room.encryption` event, as the server sent it. */
export interface RoomEncryption {
  readonly algorithm: string
  readonly rotation_period_ms?: number | undefined
  readonly rotation_period_msgs?: number | undefined
}

/** Why no identity of the account signs the device. Some clients then send no keys to it. */
export type IdentityTrouble =
  /** The homeserver asks for the password of the account, or refuses the one that was given. */
  | 'password'
  /** It asks for another confirmation, such as one in a browser, or refuses the keys. */
  | 'refused'
  /** The request failed. It is sent again later. */
  | 'passing'

export interface RoomCrypto {
  /** Null if the device is signed, or if another program made the identity. */
  readonly identityTrouble: IdentityTrouble | null
  /**
   * The error of the disk after which every call rejects with it, or null. Close the encryption then, and
   * open it again: nothing that was returned is lost.
   */
  readonly failure: Error | null
  /**
   * Call it with each sync answer, before its timeline is decrypted. Received keys are durable when it
   * resolves. Requests that follow from it are sent too; if one fails, it is sent again with the next call.
   */
  receiveSync(keys: SyncedKeys): Promise<void>
  /**
   * `event`: the whole `m.room.encrypted` event as the server sent it. Rejects only if the keys cannot be
   * stored. An event that repeats the message of another event is unreadable.
   */
  decrypt(roomId: string, event: unknown): Promise<Decrypted>
  /**
   * Returns the content of an `m.room.encrypted` event. Shares the key of the room with all devices of
   * `members` first. Durable when it resolves: no position of a ratchet is used twice, even after a crash.
   */
  encrypt(message: RoomMessage): Promise<Readonly<Record<string, unknown>>>
  /**
   * Records that a room is encrypted. Call it with each `m.room.encryption` event. Later settings can only
   * replace keys more often. If the algorithm is not known, `encrypt` throws CryptoUnavailable.
   */
  setEncrypted(roomId: string, settings: RoomEncryption): Promise<void>
  /** True if the room was encrypted once. Never send an unencrypted message to such a room. */
  isEncrypted(roomId: string): Promise<boolean>
  /**
   * The listener is called after keys arrived which may make earlier events readable. Returns a function that
   * stops it.
   */
  onRoomKeys(listener: (roomIds: readonly string[]) => void): () => void
  /** Waits for running calls. Never rejects. Afterwards the folder can be opened again. */
  close(): Promise<void>
}

export interface RoomMessage {
  readonly roomId: string
  /** User ids of the members who are joined (and invited, if the history is visible to them). */
  readonly members: readonly string[]
  readonly settings: RoomEncryption
  readonly type: string
  readonly content: Readonly<Record<string, unknown>>
}

export interface RoomCryptoDeps {
  readonly userId: string
  readonly deviceId: string
  /** Folder of this channel's state. Created if it is missing; its parent must exist. */
  readonly folder: string
  /**
   * Sends a request of the client-server API, with a path from `/_matrix/…` and a body of JSON (empty for
   * GET). Returns the JSON text of the answer. Throws RequestRefused if the server answered with an error,
   * and any other error if the outcome is unknown.
   */
  request(method: 'GET' | 'POST' | 'PUT', path: string, body: string): Promise<string>
  /**
   * Returns the password for the first upload of cross-signing keys, if the server asks for it. Null after a
   * login by token.
   */
  readonly getPassword: () => string | null
  /** The password was accepted or refused, and is not needed any more. */
  readonly onPasswordUsed: () => void
  readonly log: Log
}

/** The server answered a request with an error. */
export class RequestRefused extends Error {
  readonly status: number
  /** The JSON text of the answer; it contains the data for the next step of authentication. */
  readonly body: string
  constructor(status: number, body: string) {
    super(`The server refused the request (${status})`)
    this.status = status
    this.body = body
  }
}

/** Encryption cannot be used. The message says why and what to do. Unencrypted rooms still work. */
export class CryptoUnavailable extends Error {}
