/** What a fact did is taken back, by new facts. */
import type { Answer } from './answer.ts'
import { answerTo, client } from './client.ts'
import { readJournal } from './journal-lines.ts'
import { textOf } from './shapes.ts'

/** The fact at this position. */
export const takeBack = (id: string, seq: number): Promise<Answer<unknown>> =>
  answerTo(
    client.POST('/api/persona/{persona_id}/undo', {
      params: { path: { persona_id: id } },
      body: { seq },
    }),
  )

/** The latest fact of such a type, where it is about `thing`: nothing of that kind has come since. */
export const takeBackLast = async (
  id: string,
  type: string,
  thing: string,
): Promise<Answer<unknown> | null> => {
  const last = await readJournal(id, { type, last: 1 })
  if (!last.ok) return last
  const [fact] = last.value.lines
  return fact && textOf(fact.payload?.id) === thing ? takeBack(id, fact.seq) : null
}
