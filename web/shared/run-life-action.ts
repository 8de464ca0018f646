/** The requests that start and stop a persona. */
import type { Answer } from './answer.ts'
import * as api from './api.ts'
import { answerTo, client } from './client.ts'
import type { LifeAction } from './life-actions.ts'

export const runLifeAction = (id: string, action: LifeAction): Promise<Answer<unknown>> => {
  switch (action) {
    case 'start':
    case 'stop':
    case 'restart':
      return api.act(id, action)
    case 'sleep':
      return answerTo<unknown>(
        client.POST('/api/persona/{persona_id}/sleep', { params: { path: { persona_id: id } } }),
      )
    // `start` does not change the statuses hibernate and sick.
    case 'wake':
      return api.update(id, { status: 'active' })
    case 'hibernate':
      return api.update(id, { status: 'hibernate' })
  }
}
