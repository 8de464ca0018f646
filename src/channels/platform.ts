/**
 * The interface between the daemon and a messaging platform. Details of one platform, such as polling,
 * sockets and API limits, stay behind it.
 */

import { createHash } from 'node:crypto'
import type { Channel, ChannelKind, MessagePart, WordsFrom } from '../../facts/fact-values.ts'
import type { Bot, GivenCredentials } from '../commands/bots.ts'

/**
 * A file that came with a message. Its bytes are fetched when they are read. The reader limits their number.
 */
export interface IncomingFile {
  /** Its name on the platform, or a default name for its type. */
  readonly name: string
  /** True for a voice message. */
  readonly voice: boolean
  /** The author. A forwarded voice message is not spoken by the user. */
  readonly from: WordsFrom
  readonly by: string | null
  /**
   * Throws SendError. It is `lasting` if the file can never be fetched, for example because it is too large
   * or deleted. Otherwise the platform delivers the message again later.
   */
  bytes(signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** An incoming message to the bot. */
export interface IncomingMessage {
  /**
   * The platform's id of the update, equal for repeated deliveries: `telegram:<bot id>:<update id>`,
   * `telegram:<bot id>:<first>-<last>` for several updates that are one message, `discord:<bot id>:<message
   * id>`, and `discord-edit:<bot id>:<message id>:<when>` for a correction. `matrix:<user id>:<event id>` and
   * `matrix-edit:<user id>:<event id>` likewise.
   */
  readonly key: string
  /** The id of the chat or channel, which is also the target of the reply. */
  readonly target: string
  /** The topic of the chat. The reply goes there. */
  readonly topic?: string
  /** True for a chat between the bot and one person. */
  readonly direct: boolean
  /** The whole text, divided by author. */
  readonly parts: readonly MessagePart[]
  readonly files: readonly IncomingFile[]
  /** The command `/start`, `/stop`, `/restart` or `/help`, or null. */
  readonly command: 'start' | 'stop' | 'restart' | 'help' | null
}

/** A button below a message. */
export interface Button {
  readonly label: string
  /** Sent back when the button is pressed. At most 64 letters, digits and colons. */
  readonly data: string
}

/** A press of a button below a message of the bot. */
export interface ButtonPress {
  readonly target: string
  /** The data of the button as the platform reports it. It is untrusted. */
  readonly data: string
}

/**
 * The result of a press. If `decided`, the press settled the approval, and the words are added to the message
 * for the whole chat. Otherwise only the person who pressed sees them. The message loses its buttons in both
 * cases.
 */
export interface PressResult {
  readonly words: string
  readonly decided: boolean
}

export interface Listener {
  /**
   * The platform acknowledges the message only after this resolves. If it rejects, the message is delivered
   * again.
   */
  onMessage(message: IncomingMessage): Promise<void>
  /**
   * Resolves to null if this chat has nothing to decide; then there is no reply. The press is acknowledged
   * only after this resolves. If it rejects, the press is delivered again.
   */
  onPress(press: ButtonPress): Promise<PressResult | null>
  /**
   * Called when no messages will arrive until the user acts, for example because the token was revoked or
   * another program polls. `reason` is one sentence without the token.
   */
  onTrouble(reason: string): void
  /**
   * Returns the paired chats, each with the key of its last stored message. Called when a session begins:
   * Discord does not repeat messages that were sent while the bot was offline, so they are requested from
   * this key on. Without this method, only messages missed since the bot was opened are requested.
   */
  known?(): Promise<readonly { readonly target: string; readonly key: string }[]>
  /** Returns the target of the paired chat, or null while the channel is not paired. */
  pairedTarget?(): string | null
  /**
   * Called when the connection works for the first time, and again after a trouble. Repeated calls are
   * allowed.
   */
  onRecovery(): void
}

export interface SentFile {
  readonly path: string
  readonly name: string
  /** Detected from its bytes. */
  readonly mime: string
  readonly caption: string
  /** Sent as a voice note if the platform supports them. */
  readonly voice: boolean
}

/**
 * The reason why a message could not be sent. `lasting`: retrying does not help. `wait`: milliseconds until
 * the platform accepts more. `message` is one sentence without the token.
 */
export class SendError extends Error {
  override readonly name = 'SendError'
  readonly lasting: boolean
  readonly wait: number | null
  constructor(
    message: string,
    details: { readonly lasting: boolean; readonly wait?: number | null },
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.lasting = details.lasting
    this.wait = details.wait ?? null
  }
}

/** Returns the deduplication id of a message for the platform: 24 hex digits. */
export const createNonce = (key: string): string =>
  createHash('sha256').update(key).digest('hex').slice(0, 24)

/** Returns the `target` of a gateway: a chat, or one of its topics. */
export const formatAddress = ({ name, topic }: Pick<Channel, 'name' | 'topic'>): string =>
  topic === undefined ? name : `${name}/${topic}`

/** The connection of one token. It reconnects by itself until it is closed. */
export interface Gateway {
  /** Max UTF-16 units of a message and of a caption. */
  readonly limits: { readonly text: number; readonly caption: number }
  /**
   * Sends one message. `nonce` is 24 hex digits: if the platform supports it, a second message with the same
   * nonce within minutes is ignored. Returns the platform's message id, or null if it gave none. Rejects with
   * SendError.
   */
  send(
    target: string,
    text: string,
    nonce: string,
    signal: AbortSignal,
    buttons?: readonly Button[],
  ): Promise<string | null>
  sendFile(target: string, file: SentFile, nonce: string, signal: AbortSignal): Promise<void>
  /** Removes the buttons of a message. Never rejects: a later press is answered as too late. */
  unbutton(target: string, message: string): Promise<void>
  /** Shows a typing indicator for some seconds. Never throws. */
  typing(target: string): void
  close(): Promise<void>
}

/** What a channel may store on this machine. */
export interface ChannelPlace {
  /**
   * A folder of the channel, which exists and only the owner can read. It stays when the bot gets a new
   * token, so state of a device must name its device. It is removed with the channel, after the gateway is
   * closed. It is empty after a restore, and on another machine of a cluster. `''` unless the platform
   * `storesState`.
   */
  readonly folder: string
}

export interface Platform {
  readonly kind: ChannelKind
  /** True if a gateway needs the folder of its place. */
  readonly storesState?: true
  /**
   * Turns what the user gave into the token that is stored, and that `check` and `open` get. Without this
   * method the token is stored as it was given. Rejects with TokenRefused.
   */
  signIn?(credentials: GivenCredentials, signal: AbortSignal): Promise<string>
  /** Ends the session if `signIn` began it. Rejects with any error; the caller ignores it. */
  signOut?(token: string, signal: AbortSignal): Promise<void>
  /** Finds out which bot the token belongs to, within 10 s. Rejects with TokenRefused. */
  check(token: string, signal: AbortSignal): Promise<Bot>
  open(token: string, bot: Bot, listener: Listener, place: ChannelPlace): Gateway
}

/**
 * Returns a text that is equal for channels that cannot be open at the same time. A Matrix account has
 * several tokens, one per device, and all of them receive the same messages.
 */
export const toBotKey = (kind: ChannelKind, token: string, bot: Bot): string =>
  kind === 'matrix' ? `${kind} ${bot.id}` : `${kind} ${token}`
