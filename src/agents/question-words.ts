/** What the person is told in a chat of a call that needs their word. */
import { shownOf, textOf } from '../masked.ts'

interface Asked {
  readonly server: string
  readonly tool: string
  readonly input: unknown
  /** It was allowed, and is described otherwise since. */
  readonly changed: boolean
}

/**
 * UTF-16 units of one text of the input, and of all of it: one message of every platform holds the question.
 */
const [mostOfText, mostOfInput, mostOfName] = [300, 1000, 100]

/**
 * The input is others' words, maybe: it cannot leave its fence, nor be read in another order than it runs.
 */
export const questionOf = ({ server, tool, input, changed }: Asked): string => {
  const shown = textOf(JSON.stringify(shownOf(input, mostOfText), null, 2) ?? 'null', mostOfInput)
  return [
    `May I use ${named(tool)} of ${named(server)} with this?`,
    ...(changed ? ['You allowed it before, but it is described otherwise now.'] : []),
    `\`\`\`json\n${plain(shown).replaceAll('```', '`\u200b`\u200b`')}\n\`\`\``,
    'The buttons answer it, and so does the page, which shows all of it. After a day it counts as no.',
  ].join('\n\n')
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
