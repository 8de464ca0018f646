/** Words on their way to platforms: of each chat in order, one message after another. */
import type { Channel, PersonaId } from '../../journal/facts/fact-values.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import { eitherAborts } from '../../packages/kit/flow/either-aborts.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import type { Undelivered } from '../../projections/deliveries.ts'
import { inboxKey } from '../../projections/talk.ts'
import type { Committed } from '../bus.ts'
import { Refused } from '../persona/refusals.ts'
import { createMessageDelivery, type DeliveryDeps } from './message-delivery.ts'

export interface Outbox {
  /** Something was said, or a channel changed. Must not throw. */
  heed(committed: Committed): void
  /** What waits for it may be sent now. */
  opened(id: PersonaId): void
  /** How many messages are known to wait. */
  waiting(): number
  /** Looks at the clock. */
  beat(): void
  /**
   * Waits for the part that is on its way, for some seconds at most; the rest is sent after the next start.
   */
  close(): Promise<void>
}

interface Deps extends Omit<DeliveryDeps, 'closing' | 'cut' | 'pause' | 'forget'> {
  /** What an end is given for what is being sent. */
  readonly stopwatch: Stopwatch
}

/**
 * Milliseconds at the end of the daemon for the part that is on its way: cut off, nobody would know whether
 * it arrived.
 */
const lastPart = 8000

export const createOutbox = ({ stopwatch, ...deps }: Deps): Outbox => {
  const { personas, clock, log } = deps
  /** Nothing more is begun. */
  const closing = new AbortController()
  /** Nothing is waited for any more. */
  const cut = new AbortController()
  /** What is known to wait, as the last commit of each tells. */
  const waiting = new Map<PersonaId, readonly Undelivered[]>()
  /** Each chat for itself. */
  const perChat = createKeyedMutex()
  /** Chats that are looked at once more: what came meanwhile may have been missed. */
  const owed = new Set<string>()
  /** Ends the pauses of a persona's chats: something has changed. */
  const nudges = new Map<PersonaId, AbortController>()

  const know = (id: PersonaId, undelivered: readonly Undelivered[]) => {
    if (undelivered.length > 0) waiting.set(id, undelivered)
    else waiting.delete(id)
  }

  const start = (id: PersonaId) => {
    for (const { channel } of waiting.get(id) ?? []) {
      if (closing.signal.aborted) return
      const name = `${id} ${inboxKey(channel)}`
      if (owed.has(name)) continue
      owed.add(name)
      const looked = perChat.run(name, async () => {
        owed.delete(name)
        await work(id, channel)
      })
      looked.catch((err: unknown) => log.error({ id, err }, 'what it said could not be sent'))
    }
  }

  const work = async (id: PersonaId, channel: Channel) => {
    while (!closing.signal.aborted) {
      const next = waiting.get(id)?.find((one) => inboxKey(one.channel) === inboxKey(channel))
      if (!next || !(await delivery.advance(id, next))) return
    }
  }

  const pause = (id: PersonaId, ms: number) => {
    const nudge = nudges.get(id) ?? new AbortController()
    nudges.set(id, nudge)
    return eitherAborts([closing.signal, nudge.signal], (either) => clock.wait(ms, either))
  }

  const delivery = createMessageDelivery({
    ...deps,
    closing: closing.signal,
    cut: cut.signal,
    pause,
    forget: (id) => void waiting.delete(id),
  })

  return {
    heed: ({ id, entries, persona }) => {
      know(id, persona.self.deleted ? [] : persona.deliveries.waiting)
      // What a platform asked to wait for is waited for, unless the channel itself is gone.
      if (entries.some(({ type }) => type === 'ChannelRemoved' || type === 'PersonaDeleted')) {
        nudges.get(id)?.abort()
        nudges.delete(id)
      }
      start(id)
    },
    opened: (id) => {
      const looking = personas.read(id, async ({ persona }) => {
        know(id, persona.deliveries.waiting)
        start(id)
      })
      looking.catch((err: unknown) => {
        if (!(err instanceof Refused)) log.warn({ id, err }, 'it is not known what waits to be sent')
      })
    },
    waiting: () => [...waiting.values()].reduce((sum, messages) => sum + messages.length, 0),
    beat: () => {
      for (const id of waiting.keys()) start(id)
    },
    close: async () => {
      closing.abort()
      const over = new AbortController()
      const late = stopwatch.wait(lastPart, over.signal).then(() => cut.abort())
      await perChat.idle()
      over.abort()
      await late
    },
  }
}
