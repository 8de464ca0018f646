/** The responses of API clients that have not ended. */
import type { Seq } from '../facts/fact-values.ts'
import type { FactFor } from './fact.ts'

/**
 * `lives`: number of times that the persona started since. `interruptions`: those at which it was being
 * answered. `isStopped`: the user stopped the persona.
 */
export interface OpenResponse {
  readonly id: string
  readonly seq: Seq
  readonly lives: number
  readonly interruptions: number
  readonly isStopped: boolean
}

/** The oldest open responses are answered at the same time. The others wait. */
export const maxRunningResponses = 2

/** Oldest first. */
export type Responses = readonly OpenResponse[]

export const initialResponses: Responses = []

export const evolveResponses = (responses: Responses, { seq, event }: FactFor<'responses'>): Responses => {
  switch (event.type) {
    case 'ResponseBegan':
      return [...responses, { id: event.id, seq, lives: 0, interruptions: 0, isStopped: false }]
    case 'ResponseEnded':
      return responses.filter(({ id }) => id !== event.id)
    case 'Woke':
      return responses.map((response, n) => ({
        ...response,
        lives: response.lives + 1,
        interruptions: response.interruptions + (n < maxRunningResponses ? 1 : 0),
      }))
    case 'StopAsked':
      return responses.map((response) => ({ ...response, isStopped: true }))
    // Their clients wait at another persona, or at an earlier time.
    case 'PersonaForked':
    case 'PersonaRestored':
      return []
  }
}
