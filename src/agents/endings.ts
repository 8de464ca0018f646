/** Messages for turns that ended without an answer: the cause and a remedy. */
import type { Answer } from '../../journal/facts/fact-values.ts'

/** Max model calls per turn. */
export const maxSteps = 16

export interface Ending {
  /** The reason in the `TurnEnded` fact. */
  readonly reason: string
  readonly words: string
}

/**
 * Returns null if the turn needs no message: the last answer has text, or an earlier one had and the last is
 * empty. `answers`: of all steps, oldest first. `spoke`: true if any step contained text.
 */
export const getEnding = (answers: readonly Answer[], spoke: boolean): Ending | null => {
  const last = answers.at(-1)
  if (last && last.calls.length === 0 && last.text.trim() !== '') return null
  const lastWithCalls = answers.findLast(({ calls }) => calls.length > 0)
  // Arguments that are not valid JSON are kept as a string.
  if (lastWithCalls?.calls.some(({ input }) => typeof input === 'string'))
    return {
      reason: 'unreadable calls',
      words:
        'My mind asked for its tools in a form that cannot be read, so its request was not carried out. Please say it in other words, or give me another Mind under settings.',
    }
  if (last && last.calls.length > 0 && answers.length >= maxSteps)
    return {
      reason: 'too many steps',
      words: `My mind asked for one tool after another, ${maxSteps} times, and came to no answer, so I stopped it. Everything that it did until then stays done. Please ask for less at once, or in another way.`,
    }
  return spoke
    ? null
    : {
        reason: 'no words',
        words:
          'I looked for words and found none: my mind gave an empty answer. Please say it again, or in another way.',
      }
}
