import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'

/** `force`: also where a runtime cannot be reached, or the journal is damaged. `purge`: its diaries, too. */
export const deletePersona = (
  id: string,
  query: { readonly force: boolean; readonly purge: boolean },
): Promise<Answer<unknown>> =>
  answerTo<unknown>(
    client.POST('/api/persona/{persona_id}/delete', { params: { path: { persona_id: id }, query } }),
  )
