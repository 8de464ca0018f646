/** The actions that a persona's condition allows. */
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import type { Condition } from '../shared/shapes.ts'

export type Care = 'start' | 'wake' | 'stop' | 'restart' | 'sleep' | 'hibernate'

/** The most likely action comes first. */
export const caresByCondition: Readonly<Record<Condition, readonly Care[]>> = {
  awake: ['sleep', 'restart', 'stop', 'hibernate'],
  ailing: ['restart', 'stop', 'hibernate'],
  stopped: ['start', 'hibernate'],
  hibernating: ['wake'],
  sick: ['wake', 'hibernate'],
}

export const runCare = (care: Care, persona_id: string): Promise<Answer<unknown>> => {
  const params = { path: { persona_id } }
  switch (care) {
    case 'start':
      return answerTo(client.POST('/api/persona/{persona_id}/start', { params }))
    case 'stop':
      return answerTo(client.POST('/api/persona/{persona_id}/stop', { params }))
    case 'restart':
      return answerTo(client.POST('/api/persona/{persona_id}/restart', { params }))
    case 'sleep':
      return answerTo(client.POST('/api/persona/{persona_id}/sleep', { params }))
    case 'wake':
      return answerTo(client.POST('/api/persona/{persona_id}/update', { params, body: { status: 'active' } }))
    case 'hibernate':
      return answerTo(
        client.POST('/api/persona/{persona_id}/update', { params, body: { status: 'hibernate' } }),
      )
  }
}
