/** What it has said to platforms and is not known to have arrived: the outbox, which a crash cannot empty. */
import type { Channel, Seq } from '../journal/facts/fact-values.ts'
import type { FactFor } from './persona.ts'

export interface Undelivered {
  /** The fact it stands in. */
  readonly message: Seq
  /** When it said it, epoch milliseconds. */
  readonly at: number
  readonly channel: Channel
  /** Of its parts, so many have arrived. */
  readonly parts: number
}

export interface Deliveries {
  /** Oldest first. */
  readonly waiting: readonly Undelivered[]
}

export const initialDeliveries: Deliveries = { waiting: [] }

/** More than this is held for nobody: the oldest are let go. */
export const mostWaiting = 512

export const evolveDeliveries = (
  deliveries: Deliveries,
  { seq, at, event }: FactFor<'deliveries'>,
): Deliveries => {
  switch (event.type) {
    case 'MessageSpoken':
      if (!event.channel || event.channel.type === 'web') return deliveries
      return {
        waiting: [
          ...deliveries.waiting.slice(1 - mostWaiting),
          { message: seq, at, channel: event.channel, parts: 0 },
        ],
      }
    case 'PartsDelivered':
      return {
        waiting: deliveries.waiting.map((one) =>
          one.message === event.message ? { ...one, parts: event.parts } : one,
        ),
      }
    case 'Delivered':
    case 'DeliveryFailed':
      return { waiting: deliveries.waiting.filter(({ message }) => message !== event.message) }
    case 'PersonaRestored':
    case 'PersonaForked':
      // Its channels are declared anew, and what is so old is sent to nobody.
      return initialDeliveries
  }
}
