/**
 * Invariants of the greeting in any journal: the persona greets once, only in an empty conversation, and no
 * other turn is empty.
 */

import type { Seq } from '../../facts/fact-values.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import type { Persona } from '../../projections/persona.ts'

export interface GreetingStory {
  look(entry: Entry, previousPersona: Persona | undefined): void
  /** Returns the requested greeting for which no turn began, or null. */
  getGreetingSeq(): Seq | null
}

export const createGreetingStory = (report: (seq: Seq, problem: string) => void): GreetingStory => {
  let hasMessages = false
  let requestSeq: Seq | null = null
  /** The turn of a greeting, while it is in progress. */
  let turn: Seq | null = null
  /** A greeting failed, and the model is unchanged since. */
  let hasFailed = false

  const lookAtAsk = (seq: Seq, persona: Persona | undefined) => {
    if (hasMessages) report(seq, 'a greeting is requested in a conversation with messages')
    if (requestSeq !== null || turn !== null) report(seq, 'a greeting is requested while one is pending')
    if (hasFailed) report(seq, 'a greeting is requested from the Mind that failed to give one')
    if (persona?.life.failed.thinking) report(seq, 'a greeting is requested while the Mind is away')
    requestSeq = seq
  }

  return {
    look: ({ seq, event }, persona) => {
      switch (event.type) {
        case 'GreetingAsked':
          lookAtAsk(seq, persona)
          break
        case 'TurnBegan': {
          const { after, upTo, due } = event.stimuli
          if (upTo === after && due.length === 0) {
            if (requestSeq === null) report(seq, 'an empty turn begins')
            if (hasMessages) report(seq, 'it greets in a conversation with messages')
          }
          if (requestSeq !== null) turn = seq
          requestSeq = null
          break
        }
        case 'MessageHeard':
        case 'MessageSpoken':
          hasMessages = true
          requestSeq = null
          break
        case 'TurnEnded':
          hasFailed = turn === event.turn && !hasMessages
          turn = turn === event.turn ? null : turn
          break
        case 'Woke':
        case 'OrganRecovered':
        case 'OrganReplaced':
          hasFailed = false
          break
        case 'PersonaForked':
          requestSeq = null
          turn = null
          hasFailed = false
          break
        default:
      }
    },
    getGreetingSeq: () => requestSeq,
  }
}
