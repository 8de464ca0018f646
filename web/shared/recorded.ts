/** Single facts of a persona's journal, as they were written. */
import { type Answer, failureOf } from './answer.ts'
import { answerTo, client, type Shape } from './client.ts'

export type Recorded = Shape<'AuditLine'>

export interface Wanted {
  readonly after?: number
  readonly upto?: number
  /** Names of facts, with commas between them. */
  readonly type?: string
  readonly last?: number
}

/** Oldest first. Never rejects. */
export const recorded = async (id: string, query: Wanted): Promise<Answer<readonly Recorded[]>> => {
  const answer = await answerTo<unknown>(
    client.GET('/api/persona/{persona_id}/journal', {
      params: { path: { persona_id: id }, query },
      parseAs: 'text',
    }),
  )
  if (!answer.ok) return answer
  const lines = String(answer.value).split('\n')
  try {
    return {
      ok: true,
      value: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Recorded),
    }
  } catch {
    // The daemon ended while it was telling.
    return { ok: false, failure: failureOf(null, null) }
  }
}

/** The one at this position. */
export const recordAt = async (id: string, seq: number): Promise<Recorded | null> => {
  const answer = await recorded(id, { after: seq - 1, upto: seq })
  const [first] = answer.ok ? answer.value : []
  return first && 'seq' in first ? first : null
}
