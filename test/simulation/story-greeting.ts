/**
 * Invariants of the greeting in any journal: the persona greets once, only in an empty conversation, and no
 * other turn is empty.
 */

import type { Seq } from '../../journal/facts/fact-values.ts'
import type { Entry } from '../../journal/log/journal.ts'
import type { Persona } from '../../projections/persona.ts'

export interface GreetingStory {
  look(entry: Entry, before: Persona | undefined): void
  /** Returns the requested greeting for which no turn began, or null. */
  left(): Seq | null
}

export const createGreetingStory = (report: (seq: Seq, problem: string) => void): GreetingStory => {
  let hasMessages = false
  let requestedAt: Seq | null = null
  /** The turn of a greeting, while it is in progress. */
  let turn: Seq | null = null
  /** A greeting failed, and the model is unchanged since. */
  let failed = false

  const lookAtAsk = (seq: Seq, persona: Persona | undefined) => {
    if (hasMessages) report(seq, 'a greeting is requested in a conversation with messages')
    if (requestedAt !== null || turn !== null) report(seq, 'a greeting is requested while one is pending')
    if (failed) report(seq, 'a greeting is requested from the Mind that failed to give one')
    if (persona?.life.failed.thinking) report(seq, 'a greeting is requested while the Mind is away')
    requestedAt = seq
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
            if (requestedAt === null) report(seq, 'an empty turn begins')
            if (hasMessages) report(seq, 'it greets in a conversation with messages')
          }
          if (requestedAt !== null) turn = seq
          requestedAt = null
          break
        }
        case 'MessageHeard':
        case 'MessageSpoken':
          hasMessages = true
          requestedAt = null
          break
        case 'TurnEnded':
          failed = turn === event.turn && !hasMessages
          turn = turn === event.turn ? null : turn
          break
        case 'Woke':
        case 'OrganRecovered':
        case 'OrganReplaced':
          failed = false
          break
        case 'PersonaForked':
          requestedAt = null
          turn = null
          failed = false
          break
        default:
      }
    },
    left: () => requestedAt,
  }
}
