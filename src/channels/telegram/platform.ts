/** Telegram as a platform: bots are polled for messages, and reply in the same chat. */

import type { Log } from '../../../packages/kit/log.ts'
import type { Network } from '../../../packages/kit/network/network.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import { type Bot, TokenRefused } from '../../commands/bots.ts'
import type { ButtonPress, Gateway, IncomingMessage, Listener, Platform } from '../platform.ts'
import { createBotApi, createTokenMask, TelegramError } from './bot-api.ts'
import { createCallbackHandler } from './callback-query.ts'
import { createFetchFile } from './fetch-files.ts'
import { createHear } from './parse-messages.ts'
import { openFor, poll } from './poll.ts'
import { createSending, parseTarget } from './send.ts'

export interface TelegramDeps {
  /** Base URL of the Bot API. */
  readonly base: string
  readonly clock: Clock
  readonly log: Log
  /** `download` has the long timeout that sending files needs. */
  readonly network: Pick<Network, 'remote' | 'download'>
}

export const createTelegramPlatform = ({ base: baseUrl, clock, log, network }: TelegramDeps): Platform => {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  const host = getHost(base)
  const createCall = (token: string, seconds: number, fetch = network.remote) =>
    createBotApi({ base, token, fetch, seconds })

  return {
    kind: 'telegram',
    check: async (token, signal) => {
      // The token becomes a part of the URL, so it must not contain characters that change the URL.
      if (!/^[\w:.~-]+$/.test(token)) throw new TokenRefused(unknownToken)
      try {
        return toBot(await createCall(token, 10).ask((raw, stop) => raw.getMe(stop), signal))
      } catch (error) {
        throw tokenRefused(error, host, signal)
      }
    },
    open: (token, bot, messageListener): Gateway => {
      const closing = new AbortController()
      const closeSignal = closing.signal
      const api = createCall(token, openFor + 15)
      const fetchFile = createFetchFile({ api, base, token, fetch: network.remote, closeSignal })
      const { telling: typingState, listener } = createOffsetStore(messageListener)
      const pollTask = poll({
        api,
        clock,
        log,
        listener,
        bot,
        parseMessages: createHear({ bot, fetchFile }),
        takePress: createCallbackHandler({ api, closeSignal, onPress: listener.onPress }),
        clean: createTokenMask(token),
        closeSignal,
      })
      const typing = new Set<string>()

      return {
        limits: { text: 4096, caption: 1024 },
        ...createSending({ api, slow: createCall(token, 600, network.download), host, closeSignal }),
        typing: (target) => {
          if (typing.has(target) || closeSignal.aborted) return
          typing.add(target)
          const show = api.ask(
            (raw, stop) => raw.sendChatAction({ ...parseTarget(target), action: 'typing' }, stop),
            closeSignal,
          )
          // A failed typing indicator is not important.
          show.catch(() => {}).finally(() => typing.delete(target))
        },
        // If the listener is busy, it may itself wait for this close. The message that it is handling is not
        // acknowledged, so Telegram sends it again.
        close: async () => {
          closing.abort()
          if (!typingState.busy) await pollTask
        },
      }
    },
  }
}

/** Wraps the listener and records whether it is busy. */
const createOffsetStore = (listener: Listener) => {
  const typingState = { busy: false }
  const track = async <T>(promise: Promise<T>): Promise<T> => {
    typingState.busy = true
    try {
      return await promise
    } finally {
      typingState.busy = false
    }
  }
  return {
    telling: typingState,
    listener: {
      onMessage: (message: IncomingMessage) => track(listener.onMessage(message)),
      onPress: (press: ButtonPress) => track(listener.onPress(press)),
      known: async () => (await listener.known?.()) ?? [],
      onTrouble: (reason: string) => listener.onTrouble(reason),
      onRecovery: () => listener.onRecovery(),
    },
  }
}

const unknownToken = 'Telegram does not know this token. Copy it again from @BotFather.'

const toBot = ({
  id,
  username,
  first_name: name,
}: {
  readonly id: unknown
  readonly username?: string
  readonly first_name?: string
}): Bot => {
  if (Number.isSafeInteger(id)) return { id: String(id), name: username || name || String(id) }
  throw new TelegramError('the server does not answer like Telegram', null)
}

const tokenRefused = (error: unknown, host: string, signal: AbortSignal): TokenRefused => {
  if (signal.aborted)
    return new TokenRefused(`Telegram could not be reached at ${host}: no answer came in time.`)
  if (!(error instanceof TelegramError) || error.code === null)
    return new TokenRefused(
      `Telegram could not be reached at ${host}: ${error instanceof TelegramError ? error.message : 'the call failed'}.`,
    )
  if (error.code === 401 || error.code === 404) return new TokenRefused(unknownToken)
  return new TokenRefused(
    `Telegram did not answer for this token (${error.code}: ${error.message}). Try again in a while.`,
  )
}

const getHost = (base: string): string => {
  try {
    return new URL(base).host
  } catch {
    return 'the address in TELEGRAM_API_BASE_URL'
  }
}
