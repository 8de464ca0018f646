/** What is said where a mind came to no answer: as what it is, and what can be done about it. */
import type { Answer } from '../../journal/facts/fact-values.ts'

/** Steps of one answer, each a call of the Mind. */
export const mostSteps = 16

export interface Ending {
  /** As it stands in the fact. */
  readonly reason: string
  readonly words: string
}

/**
 * Null where there is nothing to be told: it ended with words, or had said some and then was silent.
 * `answers`: of all steps, oldest first; `spoke`: something was said in one of them.
 */
export const endingOf = (answers: readonly Answer[], spoke: boolean): Ending | null => {
  const last = answers.at(-1)
  if (last && last.calls.length === 0 && last.text.trim() !== '') return null
  const acted = answers.findLast(({ calls }) => calls.length > 0)
  // Arguments that are no JSON are handed on as they came.
  if (acted?.calls.some(({ input }) => typeof input === 'string'))
    return {
      reason: 'unreadable calls',
      words:
        'My mind asked for its tools in a form that cannot be read, so what it wanted was not done. Please say it in other words, or give me another Mind under settings.',
    }
  if (last && last.calls.length > 0 && answers.length >= mostSteps)
    return {
      reason: 'too many steps',
      words: `My mind asked for one tool after another, ${mostSteps} times, and came to no answer, so I stopped it. What was done by then stays done. Please ask for less at once, or in another way.`,
    }
  return spoke
    ? null
    : {
        reason: 'no words',
        words:
          'I looked for words and found none: my mind gave an empty answer. Please say it again, or in another way.',
      }
}
