/** Telegram as a platform. */

import { type Bot, TokenRefused } from '../../commands/bots.ts'
import type { Platform } from '../platform.ts'
import { createBotApi, TelegramError } from './bot-api.ts'
import { openGateway, type TelegramDeps } from './gateway.ts'

export type { TelegramDeps } from './gateway.ts'

export const createTelegramPlatform = ({ base: baseUrl, clock, log, network }: TelegramDeps): Platform => {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  const host = getHost(base)

  return {
    kind: 'telegram',
    check: async (token, signal) => {
      // The token becomes a part of the URL, so it must not contain characters that change the URL.
      if (!/^[\w:.~-]+$/.test(token)) throw new TokenRefused(unknownToken)
      try {
        return toBot(
          await createBotApi({ base, token, fetch: network.remote, seconds: 10 }).ask(
            (raw, stop) => raw.getMe(stop),
            signal,
          ),
        )
      } catch (error) {
        throw tokenRefused(error, host, signal)
      }
    },
    open: (token, bot, listener) => openGateway(token, bot, listener, { base, host, clock, log, network }),
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
