/** What the person is told in a chat of a call that needs their word. */
import { maskedOf, textOf } from '../../packages/kit/masked.ts'

interface Asked {
  readonly server: string
  readonly tool: string
  readonly input: unknown
  /** It was allowed, and is described otherwise since. */
  readonly changed: boolean
  /** It is allowed always, and asked about once more. */
  readonly again: boolean
}

/**
 * UTF-16 units of a name, and of an input that a chat shows: eight messages of the platform that takes least.
 */
const [mostOfName, mostInChat] = [100, 16_000]

interface Question {
  readonly words: string
  /** False if the chat does not show all of the input: then it is answered on the page only. */
  readonly answerable: boolean
}

/**
 * Shows the whole input, so that nothing is allowed unseen: a platform gets it in several messages. The input
 * is others' words, maybe: it cannot leave its fence, nor be read in another order than it runs.
 */
export const questionOf = ({ server, tool, input, changed, again }: Asked): Question => {
  const shown = plain(JSON.stringify(maskedOf(input), null, 2) ?? 'null').replaceAll('```', '`\u200b`\u200b`')
  const answerable = shown.length <= mostInChat
  const words = [
    `May I use ${named(tool)} of ${named(server)} with this?`,
    ...(changed ? ['You allowed it before, but it is described otherwise now.'] : []),
    ...(again
      ? ['You allow it always, but you have not seen this address yet, and it carries more than a path.']
      : []),
    answerable
      ? `\`\`\`json\n${shown}\n\`\`\``
      : `It has ${shown.length} characters, which are too many for a chat.`,
    answerable
      ? 'The buttons answer it, and so does the page. After a day it counts as no.'
      : 'The page shows all of it, and takes your answer. After a day it counts as no.',
  ].join('\n\n')
  return { words, answerable }
}

const named = (name: string): string => `\`${textOf(plain(name).replaceAll(/[\s`]+/g, ' '), mostOfName)}\``

/**
 * Marks that turn the order of letters around, steer a terminal or are not seen are shown as what they are.
 */
const plain = (text: string): string =>
  text.replaceAll(
    /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
