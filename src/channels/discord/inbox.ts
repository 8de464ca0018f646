/**
 * What was written to the bot, handed on in the order it came, each chat for itself; what could not be kept
 * is told again.
 */

import { pauseAfter } from '../../../packages/kit/flow/backoff.ts'
import { createKeyedMutex } from '../../../packages/kit/flow/keyed-mutex.ts'
import type { Log } from '../../../packages/kit/log.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import type { Heard } from '../platform.ts'

export interface Inbox {
  /** Resolves once it is kept, at once where it was already, or when the daemon leaves. */
  tell(message: Heard): Promise<void>
  /** After everything that waits in this chat. */
  inTurn(target: string, work: () => Promise<void>): void
}

export interface InboxDeps {
  heard(message: Heard): Promise<void>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

/** Keys of what was kept, so that what is told twice is heard once. */
const mostKeys = 2000

export const createInbox = ({ heard, clock, log, signal }: InboxDeps): Inbox => {
  const kept = new Set<string>()
  const turns = createKeyedMutex()

  const keep = (key: string) => {
    kept.add(key)
    for (const oldest of kept) {
      if (kept.size <= mostKeys) break
      kept.delete(oldest)
    }
  }
  const tell = async (message: Heard): Promise<void> => {
    for (let failures = 1; !signal.aborted && !kept.has(message.key); failures++) {
      try {
        await heard(message)
        keep(message.key)
      } catch (err) {
        log.warn({ err }, 'A message from Discord could not be kept; it is told again.')
        await clock.wait(pauseAfter(failures), signal)
      }
    }
  }
  const inTurn = (target: string, work: () => Promise<void>): void => {
    turns.run(target, work).catch((err) => log.error({ err }, 'A message from Discord was lost.'))
  }
  return { tell, inTurn }
}
