/** A Telegram bot: polled for messages, and replies in the same chat. */

import type { Log } from '../../../packages/kit/log.ts'
import type { Network } from '../../../packages/kit/network/network.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import type { Bot } from '../../commands/bots.ts'
import type { ButtonPress, Gateway, IncomingMessage, Listener } from '../platform.ts'
import { createBotApi, createTokenMask } from './bot-api.ts'
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

/** `base` has no trailing slash, `host` is its host. */
export const openGateway = (
  token: string,
  bot: Bot,
  messageListener: Listener,
  { base, host, clock, log, network }: TelegramDeps & { readonly host: string },
): Gateway => {
  const createCall = (seconds: number, fetch = network.remote) =>
    createBotApi({ base, token, fetch, seconds })
  const closing = new AbortController()
  const closeSignal = closing.signal
  const api = createCall(openFor + 15)
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
    ...createSending({ api, slow: createCall(600, network.download), host, closeSignal }),
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
