/**
 * A messaging platform as the daemon speaks to it. What only one of them knows (polling, sockets, limits of
 * its API) stays behind this.
 */

import type { Channel, ChannelKind, MessagePart, WordsFrom } from '../../journal/facts/fact-values.ts'
import type { Bot } from '../commands/channels.ts'

/**
 * A file that came with a message. Its bytes are fetched when they are read; how many are taken is the
 * reader's to say.
 */
export interface HeardFile {
  /** As it was called there, or one that fits its kind. */
  readonly name: string
  /** Somebody speaking. */
  readonly voice: boolean
  /** Whose it is: a voice message that was forwarded is not the person speaking. */
  readonly from: WordsFrom
  readonly by: string | null
  /**
   * Throws SendError: `lasting` where they will never come (too large for a bot, gone); else the message is
   * told again later.
   */
  bytes(signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** Something written to the bot, wherever it was written. */
export interface Heard {
  /**
   * The platform's own id of the update, the same when it is told twice: `telegram:<bot id>:<update id>`, of
   * several updates that are one message `telegram:<bot id>:<first>-<last>`,
   * `discord:<bot id>:<message id>`, of a correction `discord-edit:<bot id>:<message id>:<when>`.
   */
  readonly key: string
  /** Where it was written, and where an answer goes: a chat id, a channel id. */
  readonly target: string
  /** The topic of the chat that it was written in; an answer goes there. */
  readonly topic?: string
  /** The chat is between the bot and one person. */
  readonly direct: boolean
  /** All that was written, and whose words it is. */
  readonly parts: readonly MessagePart[]
  readonly files: readonly HeardFile[]
  /** `/start`, `/stop`, `/restart`, `/help`, or null. */
  readonly command: 'start' | 'stop' | 'restart' | 'help' | null
}

/** Under a message. */
export interface Button {
  readonly label: string
  /** What a press of it tells: 64 letters, digits and colons at most. */
  readonly data: string
}

/** Somebody pressed a button under a message of the bot. */
export interface Pressed {
  readonly target: string
  /** What the button was given, as the platform tells it: anybody may have made it up. */
  readonly data: string
}

/**
 * What came of a press. `decided`: by it, and told below the message for everybody in the chat; else whoever
 * pressed is told alone. The message loses its buttons in both.
 */
export interface PressResult {
  readonly words: string
  readonly decided: boolean
}

export interface Listener {
  /** Confirmed to the platform only once this has resolved; where it rejects, it is told again later. */
  heard(message: Heard): Promise<void>
  /**
   * Null where whoever pressed has nothing to decide, and is told nothing. Confirmed only once this has
   * resolved; where it rejects, it is told again later.
   */
  pressed(press: Pressed): Promise<PressResult | null>
  /**
   * Nothing more will come until somebody acts: a token that was revoked, another who polls. One sentence,
   * without the token.
   */
  troubled(reason: string): void
  /**
   * The paired chats, each with the key of the last message that was kept there. Asked whenever a session
   * begins: Discord does not tell again what was written while nobody listened, so it is asked for what came
   * after. Where this is missing, only what was missed since the bot was opened is.
   */
  known?(): Promise<readonly { readonly target: string; readonly key: string }[]>
  /**
   * It works: told when it first does after it was opened, and when it does again after a trouble. Twice is
   * no trouble.
   */
  recovered(): void
}

export interface SentFile {
  readonly path: string
  readonly name: string
  /** By its bytes. */
  readonly mime: string
  readonly caption: string
  /** Spoken by it: shown as a voice note where the platform has those. */
  readonly voice: boolean
}

/**
 * Why something could not be sent. `lasting`: trying again is useless. `wait`: milliseconds before the
 * platform takes more. `message` is one sentence, without the token.
 */
export class SendError extends Error {
  override readonly name = 'SendError'
  readonly lasting: boolean
  readonly wait: number | null
  constructor(
    message: string,
    told: { readonly lasting: boolean; readonly wait?: number | null },
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.lasting = told.lasting
    this.wait = told.wait ?? null
  }
}

/** The `target` of a gateway: a chat, or one of its topics. */
export const addressOf = ({ name, topic }: Pick<Channel, 'name' | 'topic'>): string =>
  topic === undefined ? name : `${name}/${topic}`

/** One token's connection, open until it is closed. It connects again by itself. */
export interface Gateway {
  /** Characters (UTF-16 units) of one message at most; of a caption. */
  readonly limits: { readonly text: number; readonly caption: number }
  /**
   * One message. `nonce`: 24 letters and digits; the same one twice within minutes is one message, where the
   * platform can do that. Gives the platform's own id of it, null where it told none. Throws SendError.
   */
  send(
    target: string,
    text: string,
    nonce: string,
    signal: AbortSignal,
    buttons?: readonly Button[],
  ): Promise<string | null>
  sendFile(target: string, file: SentFile, nonce: string, signal: AbortSignal): Promise<void>
  /**
   * Takes the buttons of a message away. Never rejects: a press that comes all the same is told it is late.
   */
  unbutton(target: string, message: string): Promise<void>
  /** Shows for some seconds that it writes. Never throws. */
  typing(target: string): void
  close(): Promise<void>
}

export interface Platform {
  readonly kind: ChannelKind
  /** Asks who the token belongs to, at most 10 s. Throws TokenRefused. */
  check(token: string, signal: AbortSignal): Promise<Bot>
  open(token: string, bot: Bot, listener: Listener): Gateway
}
