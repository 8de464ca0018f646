/** Sends pending messages to the platforms: in order within each chat, one at a time. */
import type { Channel, PersonaId } from '../../facts/fact-values.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import { eitherAborts } from '../../packages/kit/flow/abort-signals.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import type { Undelivered } from '../../projections/deliveries.ts'
import type { Persona } from '../../projections/persona.ts'
import { inboxKey } from '../../projections/talk.ts'
import type { PersonaCommit } from '../bus.ts'
import { Refused } from '../persona/refusals.ts'
import { createMessageDelivery, type DeliveryDeps } from './message-delivery.ts'

export interface Outbox {
  /** Handles a commit, for example a new message or a changed channel. Must not throw. */
  onCommit(commit: PersonaCommit): void
  /** Starts sending the pending messages of a persona. */
  onOpen(id: PersonaId): void
  /** Returns the number of known pending messages. */
  countWaiting(): number
  /** Runs periodic work; called by the heartbeat. */
  beat(): void
  /** Waits up to 8 seconds for the part that is being sent. The rest is sent after the next start. */
  close(): Promise<void>
}

interface Deps extends Omit<DeliveryDeps, 'closing' | 'cut' | 'pause' | 'forget'> {
  /** Measures the time limit of `close`. */
  readonly stopwatch: Stopwatch
}

/**
 * Milliseconds that `close` waits for the part that is being sent. If it were aborted, it would be unknown
 * whether the part arrived.
 */
const lastPart = 8000

export const createOutbox = ({ stopwatch, ...deps }: Deps): Outbox => {
  const { personas, clock, log } = deps
  /** Aborts when no new part may be started. */
  const closing = new AbortController()
  /** Aborts when running requests must end. */
  const controller = new AbortController()
  /** Pending messages per persona, as of its last commit. */
  const undeliveredById = new Map<PersonaId, readonly Undelivered[]>()
  const perChat = createKeyedMutex()
  /**
   * Chats with a scheduled run. A run that already started may miss later messages, so another one is
   * scheduled.
   */
  const scheduledChats = new Set<string>()
  /** Ends the pauses of a persona when its channels have changed. */
  const nudges = new Map<PersonaId, AbortController>()

  const know = (id: PersonaId, pendingMessages: readonly Undelivered[]) => {
    if (pendingMessages.length > 0) undeliveredById.set(id, pendingMessages)
    else undeliveredById.delete(id)
  }

  const start = (id: PersonaId) => {
    for (const { channel } of undeliveredById.get(id) ?? []) {
      if (closing.signal.aborted) return
      const name = `${id} ${inboxKey(channel)}`
      if (scheduledChats.has(name)) continue
      scheduledChats.add(name)
      const run = perChat.run(name, async () => {
        scheduledChats.delete(name)
        await work(id, channel)
      })
      run.catch((err: unknown) => log.error({ id, err }, 'failed to send a message'))
    }
  }

  const work = async (id: PersonaId, channel: Channel) => {
    while (!closing.signal.aborted) {
      const next = undeliveredById.get(id)?.find((message) => inboxKey(message.channel) === inboxKey(channel))
      if (!next || !(await delivery.advance(id, next))) return
    }
  }

  const pause = (id: PersonaId, ms: number) => {
    const nudge = nudges.get(id) ?? new AbortController()
    nudges.set(id, nudge)
    return eitherAborts([closing.signal, nudge.signal], (signal) => clock.wait(ms, signal))
  }

  const delivery = createMessageDelivery({
    ...deps,
    closing: closing.signal,
    cut: controller.signal,
    pause,
    forget: (id) => void undeliveredById.delete(id),
  })

  return {
    onCommit: ({ id, entries, persona }) => {
      know(id, persona.self.deleted ? [] : getPending(persona))
      // A pause that a platform requested continues, unless the channel was removed.
      if (entries.some(({ type }) => type === 'ChannelRemoved' || type === 'PersonaDeleted')) {
        nudges.get(id)?.abort()
        nudges.delete(id)
      }
      start(id)
    },
    onOpen: (id) => {
      const reading = personas.read(id, async ({ persona }) => {
        know(id, getPending(persona))
        start(id)
      })
      reading.catch((err: unknown) => {
        if (!(err instanceof Refused)) log.warn({ id, err }, 'failed to read the pending messages')
      })
    },
    countWaiting: () => [...undeliveredById.values()].reduce((sum, messages) => sum + messages.length, 0),
    beat: () => {
      for (const id of undeliveredById.keys()) start(id)
    },
    close: async () => {
      closing.abort()
      const allSent = new AbortController()
      const timeout = stopwatch.wait(lastPart, allSent.signal).then(() => controller.abort())
      await perChat.idle()
      allSent.abort()
      await timeout
    },
  }
}

/**
 * Returns nothing if the list may contain messages that were delivered since, because a fact could not be
 * applied.
 */
const getPending = ({ deliveries, stale }: Persona): readonly Undelivered[] =>
  stale?.deliveries || stale?.self || stale?.life || stale?.talk ? [] : deliveries.waiting
