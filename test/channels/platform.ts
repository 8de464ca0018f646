/** A simulated messaging platform: bots by token, chats in memory, and all kinds of failures. */

import type { ChannelKind } from '../../facts/fact-values.ts'
import {
  type Button,
  type Gateway,
  type IncomingFile,
  type IncomingMessage,
  type Listener,
  type Platform,
  SendError,
} from '../../src/channels/platform.ts'
import { type Bot, TokenRefused } from '../../src/commands/bots.ts'
import { waitFor } from '../calls.ts'
import { personSource, toParts } from '../message-parts.ts'

export interface SentMessage {
  readonly bot: string
  readonly target: string
  readonly text: string
  readonly nonce: string
  readonly buttons?: readonly Button[]
  readonly file?: {
    readonly path: string
    readonly name: string
    readonly mime: string
    readonly voice: boolean
  }
}

export interface FakePlatform extends Platform {
  /** By token. */
  readonly bots: Map<string, Bot>
  readonly messages: SentMessage[]
  /** The target of each typing indicator. */
  readonly typingTargets: string[]
  /** Tokens that were checked. */
  readonly checkedTokens: string[]
  limits: Gateway['limits']
  /** Called before each message is accepted. An error is passed to the sender. */
  onSend: (target: string, text: string) => Promise<void> | void
  /** Tokens with an open gateway, one entry each. */
  getOpened(): readonly string[]
  listener(token: string): Listener
  /** Writes to the bot, and repeats the message until it is accepted. */
  write(token: string, target: string, content: string, overrides?: Partial<IncomingMessage>): Promise<void>
  /** Returns the messages of the bot in a chat. */
  getTextsTo(target: string): readonly string[]
  /** Returns the code in the last message to a chat. */
  code(target: string): Promise<string>
}

export const createToken = (name: string): string => `${name.replaceAll(/\W/g, '_')}-token-0123456789`

export const createFakePlatform = (
  kind: ChannelKind = 'telegram',
  names: readonly string[] = ['ada_bot', 'eva_bot'],
): FakePlatform => {
  const open = new Map<string, Listener>()
  const bots = new Map<string, Bot>(
    names.map((name, n) => [createToken(name), { id: String(100 + n), name }]),
  )
  let writeCount = 0

  const fake: FakePlatform = {
    kind,
    bots,
    messages: [],
    typingTargets: [],
    checkedTokens: [],
    limits: { text: 100, caption: 40 },
    onSend: () => undefined,
    check: async (token) => {
      fake.checkedTokens.push(token)
      const bot = bots.get(token)
      if (!bot) throw new TokenRefused(`The platform refuses ${token}.`)
      return bot
    },
    open: (token, bot, listener) => {
      if (open.has(token)) throw new Error('two gateways of one token')
      open.set(token, listener)
      queueMicrotask(() => listener.onRecovery())
      const mustBeOpen = () => {
        if (open.get(token) !== listener) throw new SendError('It is closed.', { lasting: false })
      }
      return {
        limits: fake.limits,
        send: async (target, text, nonce, _signal, buttons = []) => {
          mustBeOpen()
          await fake.onSend(target, text)
          mustBeOpen()
          if (!fake.messages.some((item) => item.nonce === nonce))
            fake.messages.push({ bot: bot.name, target, text, nonce, ...(buttons.length > 0 && { buttons }) })
          return nonce
        },
        sendFile: async (target, { caption, ...file }, nonce) => {
          mustBeOpen()
          await fake.onSend(target, caption)
          fake.messages.push({ bot: bot.name, target, text: caption, nonce, file })
        },
        unbutton: async () => undefined,
        typing: (target) => void fake.typingTargets.push(target),
        close: async () => void open.delete(token),
      }
    },
    getOpened: () => [...open.keys()],
    listener: (token) => {
      const listener = open.get(token)
      if (!listener) throw new Error('no gateway of that token is open')
      return listener
    },
    write: async (token, target, content, overrides = {}) => {
      writeCount += 1
      const incoming: IncomingMessage = {
        key: `${kind}:${bots.get(token)?.id}:${writeCount}`,
        target,
        direct: true,
        parts: toParts(content),
        files: [],
        command: null,
        ...overrides,
      }
      await waitFor('a gateway', () => open.has(token))
      await fake.listener(token).onMessage(incoming)
    },
    getTextsTo: (target) => fake.messages.flatMap((item) => (item.target === target ? item.text : [])),
    code: (target) => waitFor('a code', () => codeIn(fake.getTextsTo(target).at(-1) ?? '')),
  }
  return fake
}

export const codeIn = (text: string): string | undefined => /^[0-9A-Z]{8}$/m.exec(text)?.[0]

export const createFile = (name: string, bytes: Uint8Array, voice = false): IncomingFile => ({
  name,
  voice,
  ...personSource,
  async *bytes() {
    yield bytes
  },
})
