/**
 * What must hold of the persona's greeting in any journal: it speaks first once, where nothing was ever said,
 * and no turn takes nothing but for that.
 */

import type { Seq } from '../../journal/facts/fact-values.ts'
import type { Entry } from '../../journal/log/journal.ts'
import type { Persona } from '../../projections/persona.ts'

export interface GreetingStory {
  look(entry: Entry, before: Persona | undefined): void
  /** The greeting that was asked for and for which no turn began; null where there is none. */
  left(): Seq | null
}

export const createGreetingStory = (bad: (seq: Seq, what: string) => void): GreetingStory => {
  let said = false
  let asked: Seq | null = null
  /** The turn that one belongs to, from its beginning to its end. */
  let turn: Seq | null = null
  /** One came to nothing, and its Mind is still the one it was. */
  let failed = false

  const lookAtAsk = (seq: Seq, persona: Persona | undefined) => {
    if (said) bad(seq, 'a greeting is asked for where something was said')
    if (asked !== null || turn !== null) bad(seq, 'a greeting is asked for while one is under way')
    if (failed) bad(seq, 'a greeting is asked for of the Mind that gave none')
    if (persona?.life.failed.thinking) bad(seq, 'a greeting is asked for while the Mind is away')
    asked = seq
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
            if (asked === null) bad(seq, 'a turn begins for nothing')
            if (said) bad(seq, 'it greets where something was said')
          }
          if (asked !== null) turn = seq
          asked = null
          break
        }
        case 'MessageHeard':
        case 'MessageSpoken':
          said = true
          asked = null
          break
        case 'TurnEnded':
          failed = turn === event.turn && !said
          turn = turn === event.turn ? null : turn
          break
        case 'Woke':
        case 'OrganRecovered':
        case 'OrganReplaced':
          failed = false
          break
        case 'PersonaForked':
          asked = null
          turn = null
          failed = false
          break
        default:
      }
    },
    left: () => asked,
  }
}
