/**
 * How its words for platforms fared: what waits stands in its state, what arrived or never will in the facts
 * behind the words.
 */
import type { Seq } from '../../../journal/facts/fact-values.ts'
import type { Entry } from '../../../journal/log/journal.ts'
import type { DeliveryView } from '../../../projections/conversation.ts'
import type { Past } from '../../persona/time-travel.ts'

/** Of these facts, oldest first, those that were said to a platform. */
export const deliveriesOf = async (
  { persona, journal }: Pick<Past, 'persona' | 'journal'>,
  entries: readonly Entry[],
): Promise<ReadonlyMap<Seq, DeliveryView>> => {
  const found = new Map<Seq, DeliveryView>()
  const waiting = new Set(persona.deliveries.waiting.map(({ message }) => message))
  const unknown = new Set<Seq>()
  for (const { seq, event } of entries) {
    if (event.type !== 'MessageSpoken' || !event.channel || event.channel.type === 'web') continue
    if (waiting.has(seq)) found.set(seq, { state: 'waiting', reason: null })
    else unknown.add(seq)
  }
  const [first] = unknown
  if (first === undefined) return found
  for await (const { event } of journal.read({ kind: 'deliveries', after: first })) {
    if (event.type !== 'Delivered' && event.type !== 'DeliveryFailed') continue
    if (!unknown.delete(event.message)) continue
    found.set(
      event.message,
      event.type === 'Delivered'
        ? { state: 'sent', reason: null }
        : { state: 'failed', reason: event.reason },
    )
    if (unknown.size === 0) break
  }
  // Given up without a fact: too many waited, or it was brought back from a diary.
  for (const seq of unknown) found.set(seq, { state: 'failed', reason: 'It was not sent any more.' })
  return found
}
