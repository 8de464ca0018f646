/**
 * Finds the delivery states of messages to platforms. Waiting messages are in the persona's state. Delivered
 * and failed ones are recorded in later facts.
 */
import type { Seq } from '../../../journal/facts/fact-values.ts'
import type { Entry } from '../../../journal/log/journal.ts'
import type { DeliveryView } from '../../../projections/conversation.ts'
import type { PastState } from '../../persona/past.ts'

/**
 * Returns the states of those entries that are messages to a platform. `entries` are sorted, the oldest
 * first.
 */
export const readDeliveries = async (
  { persona, journal }: Pick<PastState, 'persona' | 'journal'>,
  entries: readonly Entry[],
): Promise<ReadonlyMap<Seq, DeliveryView>> => {
  const states = new Map<Seq, DeliveryView>()
  const waiting = new Set(persona.deliveries.waiting.map(({ message }) => message))
  const unknown = new Set<Seq>()
  for (const { seq, event } of entries) {
    if (event.type !== 'MessageSpoken' || !event.channel || event.channel.type === 'web') continue
    if (waiting.has(seq)) states.set(seq, { state: 'waiting', reason: null })
    else unknown.add(seq)
  }
  const [first] = unknown
  if (first === undefined) return states
  for await (const { event } of journal.read({ kind: 'deliveries', after: first })) {
    if (event.type !== 'Delivered' && event.type !== 'DeliveryFailed') continue
    if (!unknown.delete(event.message)) continue
    states.set(
      event.message,
      event.type === 'Delivered'
        ? { state: 'sent', reason: null }
        : { state: 'failed', reason: event.reason },
    )
    if (unknown.size === 0) break
  }
  // Dropped without a fact: too many were waiting, or the persona was restored from a diary.
  for (const seq of unknown)
    states.set(seq, { state: 'failed', reason: 'It was dropped before it was sent.' })
  return states
}
