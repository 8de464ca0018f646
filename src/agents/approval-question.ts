/** The chat message that asks the user to approve a tool call. */

import { redactValue, toMaskedText } from '../../packages/kit/redact.ts'
import { searchServer, webServer } from '../../projections/declared-servers.ts'

interface ApprovalRequest {
  readonly server: string
  readonly tool: string
  readonly input: unknown
  /** The user allowed the tool, but its description has changed since. */
  readonly changed: boolean
  /** The user always allows the tool, but this call needs another approval. */
  readonly again: boolean
}

/**
 * Max UTF-16 units of a name and of an input in a chat. The input fills eight messages on the platform with
 * the shortest messages.
 */
const maxNameUnits = 100
const maxInputUnits = 16_000

interface Question {
  readonly words: string
  /** False if the chat does not show the whole input. The call can then only be approved on the page. */
  readonly answerable: boolean
}

/**
 * Builds a message with the whole input, so that users never approve unseen text; platforms split it into
 * several messages. The input may be untrusted: it is escaped so that it cannot close its code block or
 * reorder its text.
 */
export const formatQuestion = ({ server, tool, input, changed, again }: ApprovalRequest): Question => {
  const inputText = escapeControlCharacters(JSON.stringify(redactValue(input), null, 2) ?? 'null').replaceAll(
    '```',
    '`\u200b`\u200b`',
  )
  const isAnswerable = inputText.length <= maxInputUnits
  const words = [
    `May I use ${formatName(tool)} of ${formatName(server)} with this?`,
    ...(changed ? ['You allowed it before, but it is described otherwise now.'] : []),
    ...(again ? [describeAgain(server)] : []),
    isAnswerable
      ? `\`\`\`json\n${inputText}\n\`\`\``
      : `It has ${inputText.length} characters, which are too many for a chat.`,
    isAnswerable
      ? 'The buttons answer it, and so does the page. After a day it counts as no.'
      : 'The page shows the whole input and takes your answer. Without one it counts as no after a day.',
  ].join('\n\n')
  return { words, answerable: isAnswerable }
}

/** Why a call needs an approval although its tool is always allowed. */
const describeAgain = (server: string): string => {
  if (server === webServer)
    return 'You allow it always, but you have not seen this address yet, and it could carry something about you.'
  return server === searchServer
    ? 'You allow it always, but words of others are in this conversation, and these are not only yours.'
    : 'You allow it always, but words of others are in this conversation, and this contains something from the memory.'
}

const formatName = (name: string): string =>
  `\`${toMaskedText(escapeControlCharacters(name).replaceAll(/[\s`]+/g, ' '), maxNameUnits)}\``

/** Escapes characters that change the text direction, control a terminal or are invisible. */
const escapeControlCharacters = (text: string): string =>
  text.replaceAll(
    /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
