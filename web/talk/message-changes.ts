/** The requests that change messages of the talk. The page follows the facts that they cause. */
import type { Answer } from '../shared/answer.ts'
import type { OrganBody } from '../shared/api.ts'
import { answerTo, client } from '../shared/client.ts'
import type { Shape } from '../shared/shapes.ts'

export type EditedMessage = Shape<'EditedMessage'>

/** Asks for another answer, or for the rest of this one. */
export const askAnswer = (id: string, turn: number, mode: 'again' | 'continue'): Promise<Answer<unknown>> =>
  answerTo(
    client.POST('/api/persona/{persona_id}/turns/{id}/again', {
      params: { path: { persona_id: id, id: String(turn) }, query: { mode } },
    }),
  )

/** Asks another model for another answer. */
export const askOtherModel = (id: string, turn: number, organ: OrganBody): Promise<Answer<unknown>> =>
  answerTo(
    client.POST('/api/persona/{persona_id}/turns/{id}/again/with', {
      params: { path: { persona_id: id, id: String(turn) } },
      body: organ,
    }),
  )

export const chooseAnswer = (id: string, turn: number): Promise<Answer<unknown>> =>
  answerTo(
    client.POST('/api/persona/{persona_id}/turns/{id}/choose', {
      params: { path: { persona_id: id, id: String(turn) } },
    }),
  )

export const editMessage = (id: string, message: number, content: string): Promise<Answer<EditedMessage>> =>
  patchMessage(id, message, { content })

/** Deletes a message, or restores a deleted one. */
export const setHidden = (id: string, message: number, hidden: boolean): Promise<Answer<EditedMessage>> =>
  patchMessage(id, message, { hidden })

const patchMessage = (
  id: string,
  message: number,
  body: { readonly content: string } | { readonly hidden: boolean },
): Promise<Answer<EditedMessage>> =>
  answerTo(
    client.PATCH('/api/persona/{persona_id}/messages/{id}', {
      params: { path: { persona_id: id, id: String(message) } },
      body,
    }),
  )
