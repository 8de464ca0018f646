import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'

/**
 * `force`: delete even if a runtime is unreachable or the journal is damaged. `purge`: also delete the
 * diaries.
 */
export const deletePersona = (
  id: string,
  query: { readonly force: boolean; readonly purge: boolean },
): Promise<Answer<unknown>> =>
  answerTo<unknown>(
    client.POST('/api/persona/{persona_id}/delete', { params: { path: { persona_id: id }, query } }),
  )
