/** Queue of notifications: in order for each browser, with retries. */
import { type Backoff, jitteredPauseAfter } from '../../packages/kit/flow/backoff.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Reach } from '../../packages/kit/network/reach.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { PushBrowsers } from './push-browsers.ts'
import { createPushSending, type SendResult } from './push-sending.ts'
import type { PushWords } from './push-words.ts'
import { getPushHost } from './subscription.ts'

export interface PushQueue {
  /** Queues a notification for each browser. Rejects with Unavailable. */
  notifyAll(words: PushWords): Promise<void>
  /**
   * Sends a notification once, without the queue. Returns null if the browser is not subscribed. Rejects with
   * Unavailable.
   */
  attempt(endpoint: string, words: PushWords): Promise<SendResult | null>
  close(): Promise<void>
}

export interface PushQueueDeps {
  readonly browsers: PushBrowsers
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  /** Restricts the addresses of push services. */
  readonly reach?: Partial<Reach>
}

/** Max queued notifications per browser. Further ones are dropped. */
const maxQueued = 50
const maxTries = 5
const retryBackoff: Backoff = { first: 5_000, longest: 10 * 60_000 }

export const createPushQueue = ({ browsers, clock, random, log, reach }: PushQueueDeps): PushQueue => {
  const closing = new AbortController()
  const pushSending = createPushSending({ env: process.env, ...(reach && { reach }) })
  const perBrowser = createKeyedMutex()
  const waitCounts = new Map<string, number>()

  const attempt = async (endpoint: string, words: PushWords): Promise<SendResult | null> => {
    const state = await browsers.now()
    const to = state?.subscriptions.find((subscription) => subscription.endpoint === endpoint)
    if (!state || !to) return null
    const result = await pushSending.send(state, to, words, closing.signal)
    if (result.outcome === 'gone') await browsers.forget(endpoint)
    return result
  }

  const sendWithRetries = async (endpoint: string, words: PushWords) => {
    for (let tries = 1; !closing.signal.aborted; tries++) {
      const result = await attempt(endpoint, words)
      if (!result || result.outcome === 'sent' || result.outcome === 'gone') return
      log.info({ reason: `${getPushHost(endpoint)}: ${result.reason}` }, notifyFailed)
      if (result.outcome === 'refused' || tries === maxTries) return
      await clock.wait(result.wait + jitteredPauseAfter(tries, retryBackoff, random), closing.signal)
    }
  }

  const queue = async (endpoint: string, words: PushWords) => {
    const queuedCount = waitCounts.get(endpoint) ?? 0
    if (queuedCount >= maxQueued) return
    waitCounts.set(endpoint, queuedCount + 1)
    try {
      await perBrowser.run(endpoint, () => sendWithRetries(endpoint, words))
    } catch (err) {
      // An abort at shutdown is no error: the messages are in the journal.
      if (!closing.signal.aborted) log.error({ reason: getPushHost(endpoint), err }, notifyFailed)
    } finally {
      const waitsLeft = (waitCounts.get(endpoint) ?? 1) - 1
      if (waitsLeft > 0) waitCounts.set(endpoint, waitsLeft)
      else waitCounts.delete(endpoint)
    }
  }

  return {
    notifyAll: async (words) => {
      for (const { endpoint } of (await browsers.now())?.subscriptions ?? []) void queue(endpoint, words)
    },
    attempt,
    close: async () => {
      closing.abort()
      await perBrowser.idle()
      await pushSending.close()
    },
  }
}

const notifyFailed = 'failed to notify a browser'
