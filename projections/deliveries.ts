/**
 * The outbox: messages to platforms whose delivery is not confirmed. It is part of the state, so a crash
 * cannot lose it.
 */

import type { Channel, Seq } from '../facts/fact-values.ts'
import type { FactFor } from './fact.ts'

export interface Undelivered {
  /** Position of the message's fact. */
  readonly message: Seq
  /** Time of the message, in epoch ms. */
  readonly at: number
  readonly channel: Channel
  /** Number of its parts that were delivered. */
  readonly parts: number
}

export interface Deliveries {
  /** Oldest first. */
  readonly waiting: readonly Undelivered[]
}

export const initialDeliveries: Deliveries = { waiting: [] }

/** Max number of waiting messages; older ones are dropped. */
export const maxWaiting = 512

export const evolveDeliveries = (
  deliveries: Deliveries,
  { seq, at, event }: FactFor<'deliveries'>,
): Deliveries => {
  switch (event.type) {
    case 'MessageSpoken':
      if (!event.channel || event.channel.type === 'web') return deliveries
      return {
        waiting: [
          ...deliveries.waiting.slice(1 - maxWaiting),
          { message: seq, at, channel: event.channel, parts: 0 },
        ],
      }
    case 'PartsDelivered':
      return {
        waiting: deliveries.waiting.map((delivery) =>
          delivery.message === event.message ? { ...delivery, parts: event.parts } : delivery,
        ),
      }
    case 'Delivered':
    case 'DeliveryFailed':
      return { waiting: deliveries.waiting.filter(({ message }) => message !== event.message) }
    case 'PersonaRestored':
    case 'PersonaForked':
      // The channels are new, and these messages are too old to be sent.
      return initialDeliveries
  }
}
