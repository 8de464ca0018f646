/** Reads a page of the conversation with the delivery state of its messages. */
import type { PersonaId, Seq } from '../../../journal/facts/fact-values.ts'
import type { Entry } from '../../../journal/log/journal.ts'
import { isoWithOffset } from '../../../packages/kit/time/clock.ts'
import { toMessage } from '../../../projections/conversation.ts'
import type { PastState } from '../../persona/past.ts'
import { readDeliveries } from './delivery-states.ts'

/** Returns the last `limit` messages up to a position, the oldest first. */
export const conversationPage = async (
  id: PersonaId,
  past: Pick<PastState, 'persona' | 'journal'>,
  { limit, upTo }: { readonly limit: number; readonly upTo?: Seq },
) => {
  const entries: Entry[] = []
  const range = upTo === undefined ? {} : { upTo }
  // Reads one more than asked for to see if there are more.
  for await (const entry of past.journal.read({ kind: 'talk', last: limit + 1, ...range }))
    entries.push(entry)
  const shownEntries = entries.slice(-limit)
  const deliveries = await readDeliveries(past, shownEntries)
  const messages = shownEntries.flatMap(
    (entry) => toMessage(id, entry, isoWithOffset(entry.at, entry.offset), deliveries.get(entry.seq)) ?? [],
  )
  return { messages, has_more: entries.length > limit }
}
