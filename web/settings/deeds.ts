/** The actions that start and stop a persona, by its condition. */
import type { Answer } from '../shared/answer.ts'
import * as api from '../shared/api.ts'
import { answerTo, client } from '../shared/client.ts'
import type { Condition } from '../shared/shapes.ts'

export type DeedName = 'start' | 'wake' | 'sleep' | 'restart' | 'stop' | 'hibernate'

/** The most likely action comes first. */
export const deedsOf: Readonly<Record<Condition, readonly DeedName[]>> = {
  awake: ['sleep', 'restart', 'stop', 'hibernate'],
  ailing: ['restart', 'stop', 'hibernate'],
  stopped: ['start', 'hibernate'],
  hibernating: ['wake'],
  sick: ['wake', 'hibernate'],
}

export const runDeed = (id: string, deed: DeedName): Promise<Answer<unknown>> => {
  switch (deed) {
    case 'start':
    case 'stop':
    case 'restart':
      return api.act(id, deed)
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
