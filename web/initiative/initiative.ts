/** The requests about messages that a persona writes by itself. */
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import type { Shape } from '../shared/shapes.ts'

export type Initiative = Shape<'Initiative'>
export type Reason = Initiative['reasons'][number]
export type Level = Initiative['level']
export const levels = ['off', 'gentle', 'lively'] as const satisfies readonly Level[]

/** Facts after which the view is loaded again. */
export const initiativeFacts = /^Initiative|^FactsErased$|^PersonaRestored$|^Messages(?:Hidden|Shown)$/

const toParams = (persona_id: string) => ({ params: { path: { persona_id } } })
const toReason = (persona_id: string, id: string) => ({ params: { path: { persona_id, id } } })

export const loadInitiative = (persona: string): Promise<Answer<Initiative>> =>
  answerTo(client.GET('/api/persona/{persona_id}/initiative', toParams(persona)))

export const chooseInitiative = (
  persona: string,
  body: Shape<'InitiativeRequest'>,
): Promise<Answer<Initiative>> =>
  answerTo(client.PUT('/api/persona/{persona_id}/initiative', { ...toParams(persona), body }))

export const changeReason = (
  persona: string,
  id: string,
  body: Shape<'InitiativeChange'>,
): Promise<Answer<Initiative>> =>
  answerTo(client.PATCH('/api/persona/{persona_id}/initiative/{id}', { ...toReason(persona, id), body }))

export const removeReason = (persona: string, id: string): Promise<Answer<unknown>> =>
  answerTo(client.DELETE('/api/persona/{persona_id}/initiative/{id}', toReason(persona, id)))
