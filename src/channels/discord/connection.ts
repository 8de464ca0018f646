/**
 * Receives events through Discord's gateway socket. The shard of the library does heartbeats and resuming;
 * this file decides when to connect. Measured: the shard alone reconnects twice a second while the network is
 * down, identifies without limit (1000 a day reset the token), shares the session of all bots, and reconnects
 * half a second after it was destroyed. So every attempt waits in `beforeConnecting`.
 */
import {
  WebSocketShardEvents as Events,
  type FetchingStrategyOptions,
  type SessionInfo,
  WebSocketShardStatus as Status,
  WebSocketShard,
} from '@discordjs/ws'
import * as z from 'zod'
import { pauseAfter } from '../../../packages/kit/flow/backoff.ts'
import type { Log } from '../../../packages/kit/log.ts'
import { findRefusal, lookedUpRefusal, usualReach } from '../../../packages/kit/network/reach.ts'
import { getZone } from '../../../packages/kit/network/zone.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import { type Api, DiscordError } from './api.ts'

export interface Connection {
  close(): Promise<void>
}

export interface ConnectionDeps {
  /** Base URL of the API, which returns the URL of the socket. */
  readonly base: string
  readonly token: string
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  /** Called when a new session begins. Discord does not send earlier messages. */
  fresh(): void
  /** Called with the data of a MESSAGE_CREATE. */
  message(data: unknown): void
  /** Called with the data of a MESSAGE_UPDATE. */
  onCorrection(data: unknown): void
  /** Called with the data of an INTERACTION_CREATE. */
  onInteraction(data: unknown): void
  onTrouble(reason: string): void
  onRecovery(): void
}

/**
 * Messages in servers and in direct chats. The text of messages that mention the bot arrives without the
 * privileged intent.
 */
const intents = (1 << 9) | (1 << 12)
/** Close codes after which the shard does not reconnect, with advice for the user. */
const lastingReasons: Readonly<Record<number, string>> = {
  4004: 'Discord no longer accepts the bot’s token. Make a new one in the Discord developer portal, under Bot, and add the channel again with it.',
  4010: 'Discord refuses this connection (4010).',
  4011: 'The bot is in too many servers for one connection.',
  4012: 'Discord no longer speaks this version of its protocol.',
  4013: 'Discord does not accept the requested intents (4013).',
  4014: 'Discord does not allow the bot to receive messages. Switch on Message Content Intent in the Discord developer portal, under Bot; it is tried again every ten minutes.',
}
const disallowedCode = 4014

/** All times in ms. */
const retryDisallowed = 10 * 60_000
const betweenIdentifies = 5_000
const steadyMs = 60_000
const goodbye = 2_000
const maxResetMs = 24 * 3600_000
/** Failed attempts before the channel is reported as not working: about half a minute. */
const maxFailures = 5

const Information = z.object({
  url: z.url({ protocol: /^wss?$/ }),
  shards: z.number().catch(1),
  session_start_limit: z.object({
    total: z.number().catch(1000),
    remaining: z.number(),
    reset_after: z.number(),
    max_concurrency: z.number().catch(1),
  }),
})

export const openConnection = (deps: ConnectionDeps): Connection => {
  const { base, token, api, clock, log } = deps
  const closeController = new AbortController()
  const options = optionsWith(token)
  let session: SessionInfo | null = null
  let isStopped = false
  let failures = 0
  let upSince: number | null = null
  let lastReason: string | null = null
  let identifiedAt = Number.NEGATIVE_INFINITY
  /** True while the socket is open. The shard does not cleanly close a socket that is still connecting. */
  let isOpen = false

  const reportTrouble = (reason: string) => {
    if (lastReason === reason || closeController.signal.aborted) return
    lastReason = reason
    deps.onTrouble(reason)
  }
  const onConnected = () => {
    upSince = clock.now()
    lastReason = null
    if (!closeController.signal.aborted) deps.onRecovery()
  }
  const countFailure = () => {
    failures = upSince !== null && clock.now() - upSince >= steadyMs ? 1 : failures + 1
    upSince = null
    if (failures >= maxFailures && lastReason === null)
      reportTrouble('Discord cannot be reached at the moment. It is tried again and again.')
  }
  const stop = (reason: string) => {
    isStopped = true
    reportTrouble(reason)
  }

  const notAsked = (error: unknown) => {
    if (!(error instanceof DiscordError)) throw error
    if (error.kind === 'token') return stop(lastingReasons[4004] ?? error.message)
    log.debug({ reason: error.message }, 'failed to request the Discord gateway')
    countFailure()
  }
  const mayIdentify = async (): Promise<boolean> => {
    try {
      const information = await informationFrom(api, base, closeController.signal)
      const { remaining, reset_after: reset } = information.session_start_limit
      if (remaining < 1) {
        log.warn({ ms: reset }, 'the session limit of this Discord bot is reached')
        await clock.wait(Math.min(Math.max(reset, 1_000), maxResetMs), closeController.signal)
        return false
      }
      options.gatewayInformation = information
      const elapsedMs = clock.now() - identifiedAt
      if (elapsedMs >= 0 && elapsedMs < betweenIdentifies)
        await clock.wait(betweenIdentifies - elapsedMs, closeController.signal)
      identifiedAt = clock.now()
      return true
    } catch (error) {
      notAsked(error)
      return false
    }
  }
  const beforeConnecting = async (): Promise<SessionInfo | null> => {
    for (;;) {
      // No wait after the first failure, because the shard has already waited half a second.
      await clock.wait(pauseAfter(failures - 1), closeController.signal)
      if (isStopped || closeController.signal.aborted) return waitForever()
      if (session) return session
      if ((await mayIdentify()) && !closeController.signal.aborted) return null
    }
  }

  const shard: WebSocketShard = new WebSocketShard(
    {
      options,
      retrieveSessionInfo: () => (shard.status === Status.Idle ? beforeConnecting() : session),
      updateSessionInfo: (_, info) => {
        session = info && {
          ...info,
          resumeURL: gatewayAt(info.resumeURL, base) ?? options.gatewayInformation.url,
        }
      },
      waitForIdentify: () => Promise.resolve(),
    },
    0,
  )
  // Errors are reported by events; the promise has no more information.
  const connect = () => void shard.connect().catch(() => {})
  const destroy = () => shard.destroy({ code: 1000 }).catch(() => {})

  shard.on(Events.Hello, () => {
    isOpen = true
    // Deferred until the shard waits for its first heartbeat. Destroyed earlier, it would wait forever.
    if (closeController.signal.aborted) void Promise.resolve().then(destroy)
  })
  shard.on(Events.Ready, () => {
    onConnected()
    deps.fresh()
  })
  shard.on(Events.Resumed, onConnected)
  shard.on(Events.Dispatch, ({ t, d }) => {
    if (closeController.signal.aborted) return
    if (t === 'MESSAGE_CREATE') deps.message(d)
    if (t === 'MESSAGE_UPDATE') deps.onCorrection(d)
    if (t === 'INTERACTION_CREATE') deps.onInteraction(d)
  })
  shard.on(Events.Closed, (code) => {
    isOpen = false
    log.debug({ status: code }, 'the connection to Discord was closed')
    const reason = lastingReasons[code]
    if (reason === undefined) return countFailure()
    if (code !== disallowedCode) return stop(reason)
    reportTrouble(reason)
    void clock
      .wait(retryDisallowed, closeController.signal)
      .then(() => closeController.signal.aborted || connect())
  })
  shard.on(Events.SocketError, (error) =>
    log.debug(
      { reason: String((error as { code?: unknown }).code ?? '') },
      'the connection to Discord failed',
    ),
  )
  // Without a listener the error would end the process. The close code before it is already handled.
  shard.on(Events.Error, () => {})
  connect()

  return {
    close: async () => {
      closeController.abort()
      if (!isOpen) return
      const goodbyeTimer = new AbortController()
      await Promise.race([destroy(), clock.wait(goodbye, goodbyeTimer.signal)])
      goodbyeTimer.abort()
    },
  }
}

/** Rejects with DiscordError. */
const informationFrom = async (
  api: Api,
  base: string,
  signal: AbortSignal,
): Promise<z.infer<typeof Information>> => {
  const information = Information.safeParse(await api.call({ method: 'GET', route: '/gateway/bot', signal }))
  if (information.success && (await isCalled(information.data.url, base))) return information.data
  throw new DiscordError('Discord’s answer could not be understood.', 'passing')
}

const optionsWith = (
  token: string,
): FetchingStrategyOptions & { gatewayInformation: z.infer<typeof Information> } => ({
  token,
  intents,
  version: '10',
  encoding: 'json' as FetchingStrategyOptions['encoding'],
  compression: null,
  useIdentifyCompression: false,
  largeThreshold: null,
  initialPresence: null,
  identifyProperties: { browser: 'daimon', device: 'daimon', os: process.platform },
  handshakeTimeout: 15_000,
  helloTimeout: 20_000,
  readyTimeout: 30_000,
  shardCount: 1,
  gatewayInformation: {
    url: '',
    shards: 1,
    session_start_limit: { total: 1000, remaining: 1, reset_after: 0, max_concurrency: 1 },
  },
})

/**
 * Returns undefined for an invalid address, which would end the process, and for an address in a more private
 * network zone than the API.
 */
const gatewayAt = (address: unknown, base: string): string | undefined => {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return /^wss?:$/.test(url.protocol) && findRefusal(url, getZone(base), usualReach) === null
    ? address
    : undefined
}

/** Measured: the library opens its socket itself, so its address is checked here first. */
const isCalled = async (address: string, base: string): Promise<boolean> =>
  (await lookedUpRefusal(new URL(address), getZone(base), usualReach)) === null

const waitForever = () => new Promise<never>(() => {})
