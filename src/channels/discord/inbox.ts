/**
 * Passes incoming messages to the listener, in order within each chat. Retries messages that could not be
 * stored.
 */

import { pauseAfter } from '../../../packages/kit/flow/backoff.ts'
import { createKeyedMutex } from '../../../packages/kit/flow/keyed-mutex.ts'
import type { Log } from '../../../packages/kit/log.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import type { IncomingMessage } from '../platform.ts'

export interface Inbox {
  /** Resolves once the message is stored, immediately if it already was, or when the daemon stops. */
  deliver(message: IncomingMessage): Promise<void>
  /** Runs `work` after all pending work of this chat. */
  inTurn(target: string, work: () => Promise<void>): void
}

export interface InboxDeps {
  onMessage(message: IncomingMessage): Promise<void>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

/** Keys of stored messages, so that a repeated message is stored only once. */
const maxKeys = 2000

export const createInbox = ({ onMessage, clock, log, signal }: InboxDeps): Inbox => {
  const storedKeys = new Set<string>()
  const turns = createKeyedMutex()

  const rememberKey = (key: string) => {
    storedKeys.add(key)
    for (const oldestKey of storedKeys) {
      if (storedKeys.size <= maxKeys) break
      storedKeys.delete(oldestKey)
    }
  }
  const deliver = async (message: IncomingMessage): Promise<void> => {
    for (let failures = 1; !signal.aborted && !storedKeys.has(message.key); failures++) {
      try {
        await onMessage(message)
        rememberKey(message.key)
      } catch (err) {
        log.warn({ err }, 'failed to store a message from Discord; it is tried again')
        await clock.wait(pauseAfter(failures), signal)
      }
    }
  }
  const inTurn = (target: string, work: () => Promise<void>): void => {
    turns.run(target, work).catch((err) => log.error({ err }, 'failed to handle a message from Discord'))
  }
  return { deliver, inTurn }
}
