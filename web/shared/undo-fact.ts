/** Undoes facts by appending new facts. */
import type { Answer } from './answer.ts'
import { answerTo, client } from './client.ts'
import { readJournal } from './journal-lines.ts'
import { toText } from './shapes.ts'

/** Undoes the fact with the sequence number. */
export const undoFact = (id: string, seq: number): Promise<Answer<unknown>> =>
  answerTo(
    client.POST('/api/persona/{persona_id}/undo', {
      params: { path: { persona_id: id } },
      body: { seq },
    }),
  )

/**
 * Undoes the latest fact of the type if it is about `thing`. Resolves to null if a newer one is about
 * something else.
 */
export const undoLastFact = async (
  id: string,
  type: string,
  name: string,
): Promise<Answer<unknown> | null> => {
  const last = await readJournal(id, { type, last: 1 })
  if (!last.ok) return last
  const [fact] = last.value.lines
  return fact && toText(fact.payload?.id) === name ? undoFact(id, fact.seq) : null
}
