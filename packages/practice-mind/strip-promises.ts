/** Removes promises to remember from the answer if the practice mind cannot store anything. */
import type { Situation } from './situation.ts'

/** Sentences that promise to remember or remind, and their replacements. */
const promises: readonly (readonly [RegExp, string])[] = [
  [/ ?Tell me(?: something, such as your name or where you live)?, and I will remember it\./g, ''],
  [
    / ?(?:It is kept in our conversation all the same\. )?Tell me in a sentence or two what I should remember\./g,
    '',
  ],
  [/ ?I keep what you told me\./g, ''],
  [
    / ?I can remember what you tell me(?: \([^()]{0,80}\))?, remind you(?: \([^()]{0,80}\)| of things)?(?:, tell you what is planned)?,(?: and)? look up what you have said(?:, and forget what you want forgotten)?\./g,
    ' I can tell you what I know about you and look up what you have said.',
  ],
  [/What I can do is remember, remind, and look back\./g, 'What I can do here is look back.'],
  [/What I can do reliably is remember and remind\./g, 'What I can do here is look back.'],
  [/ ?Is there something I (?:could|should) (?:remember or )?remind you of[^.?]{0,60}\?/g, ''],
  [/ ?If it is something to keep, begin with “Remember that”, and I will\./g, ''],
  [/,? but it stays in our conversation, and you can ask me for it later\./g, '.'],
  [/ ?Shall I remind you of something about it\? Tell me when\./g, ''],
  [/ ?What you say here is not lost\./g, ''],
]

const emptyPromiseNote =
  'I keep nothing of what is said here: tell me in our own conversation what I should remember or remind you of.'

/**
 * Returns the text unchanged if the tool `remember` is available. Otherwise replaces its promises with the
 * truth.
 */
export const removePromises = (words: string, { tools }: Pick<Situation, 'tools'>): string => {
  if (tools.has('remember')) return words
  const honest = promises
    .reduce((text, [promise, replacement]) => text.replace(promise, replacement), words)
    .trim()
  return honest === words.trim() ? words : [honest, emptyPromiseNote].filter(Boolean).join(' ')
}
