/** Messaging platforms in a cluster. Only the daemon that holds the lease of a bot polls it. */
import { createHash } from 'node:crypto'
import { type Gateway, type Listener, type Platform, SendError, toBotKey } from '../channels/platform.ts'
import type { Platforms } from '../channels/platforms.ts'
import type { Lease, Leases } from './leases.ts'

/** Milliseconds between two attempts to take the lease of a bot that another daemon polls. */
const retryMs = 500

export const leasedPlatforms = (platforms: Platforms, leases: Pick<Leases, 'take'>): Platforms => ({
  of: async (kind) => leasePlatform(await platforms.of(kind), leases),
  close: platforms.close,
})

const leasePlatform = (platform: Platform, leases: Pick<Leases, 'take'>): Platform => ({
  ...platform,
  open: (token, bot, listener, place) => {
    const name = toLeaseName(toBotKey(platform.kind, token, bot))
    const open = (to: Listener) => platform.open(token, bot, to, place)
    return leasedGateway({ name, take: leases.take, listener, open })
  },
})

/** Hashes the key, which may contain the token, because lease names are visible on the servers. */
const toLeaseName = (botKey: string): string => `bot.${createHash('sha256').update(botKey).digest('hex')}`

interface Leasing {
  readonly name: string
  readonly take: Leases['take']
  readonly listener: Listener
  readonly open: (listener: Listener) => Gateway
}

interface Open {
  readonly gateway: Gateway
  readonly lease: Lease
}

/**
 * Opens the gateway of the platform when the lease is taken, closes it when the lease is lost, and retries.
 */
const leasedGateway = ({ name, take, listener, open }: Leasing): Gateway => {
  let now: Open | null = null
  let isClosed: boolean = false
  let step: Promise<void> = Promise.resolve()

  const closeGateway = async () => {
    const previousState = now
    now = null
    await previousState?.gateway.close()
    await previousState?.lease.release()
  }
  const next = (work: () => Promise<void>) => {
    step = step.then(work).catch(() => undefined)
  }
  const openNext = async () => {
    const lease = isClosed ? null : await take(name)
    if (!lease) return
    if (isClosed) return lease.release()
    now = { lease, gateway: open(onlyWhile(listener, () => lease.isHeld())) }
    lease.lostSignal.addEventListener('abort', () => next(closeGateway), { once: true })
  }
  const tryAgain = () => {
    if (now === null) next(openNext)
  }
  tryAgain()
  const retryTimer = setInterval(tryAgain, retryMs)

  const getGateway = (): Gateway => {
    if (now?.lease.isHeld()) return now.gateway
    throw new SendError('Another daemon of the cluster speaks for this bot.', {
      lasting: false,
      wait: retryMs,
    })
  }
  return {
    get limits() {
      return now?.gateway.limits ?? { text: 1000, caption: 1000 }
    },
    send: async (...args) => getGateway().send(...args),
    sendFile: async (...args) => getGateway().sendFile(...args),
    unbutton: async (...args) => now?.gateway.unbutton(...args),
    typing: (target) => now?.gateway.typing(target),
    close: async () => {
      isClosed = true
      clearInterval(retryTimer)
      next(closeGateway)
      await step
    },
  }
}

/**
 * Rejects messages that arrive after the lease was lost, so the platform delivers them to the next poller.
 */
const onlyWhile = (listener: Listener, isHeld: () => boolean): Listener => {
  const mustHold = () => {
    if (!isHeld()) throw new Error('another daemon polls this bot now')
  }
  return {
    ...listener,
    onMessage: async (message) => {
      mustHold()
      await listener.onMessage(message)
    },
    onPress: async (press) => {
      mustHold()
      return listener.onPress(press)
    },
  }
}
