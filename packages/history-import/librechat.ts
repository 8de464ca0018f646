/**
 * A conversation as LibreChat exports it, as JSON: `messages` that know their parent, side by side or each
 * with its `children`. Source of the shape: client/src/hooks/Conversations/useExportConversation.ts of
 * danny-avila/LibreChat, and the exports its importer is tested with.
 */
import { isObject } from '../kit/is-object.ts'
import { spokenBranch, type Threads } from './branches.ts'
import type { Found, Said } from './imported-conversation.ts'
import { getField, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { describeKind, describeParts, filesBeside, joinTexts } from './wordless-parts.ts'

export const isLibreChat = (value: Loose): boolean =>
  typeof getField(value, 'conversationId') === 'string' &&
  (Array.isArray(getField(value, 'messages')) || Array.isArray(getField(value, 'messagesTree')))

export const fromLibreChat = (value: Loose): readonly Found[] => {
  const list = getField(value, 'messages')
  const messages = flattenMessages(toList(Array.isArray(list) ? list : getField(value, 'messagesTree')))
  return [
    {
      id: getField(value, 'conversationId'),
      title: getField(value, 'title'),
      // `exportAt` is a time of day.
      updated: [getField(value, 'updatedAt')],
      said: () => spokenBranch(messages, threads, null).map(saidIn),
    },
  ]
}

/** In the order they were spoken. */
const flattenMessages = (messages: readonly unknown[]): readonly Loose[] => {
  const all: Loose[] = []
  const remainingMessages = messages.filter(isObject).reverse()
  for (let message = remainingMessages.pop(); message; message = remainingMessages.pop()) {
    all.push(message)
    remainingMessages.push(...toList(getField(message, 'children')).filter(isObject).reverse())
  }
  return all
}

const threads: Threads = {
  id: (message) => getField(message, 'messageId'),
  parent: (message) => getField(message, 'parentMessageId'),
  time: (message) => getField(message, 'createdAt'),
}

const saidIn = (message: Loose): Said | null => {
  if (getField(message, 'error') === true) return null
  const parts = toList(getField(message, 'content'))
    .map(toLoose)
    .filter((part) => describeKind(part) !== 'error')
  const words = describeParts(parts.map(toPlainPart))
  return {
    role: getField(message, 'isCreatedByUser') === true ? 'user' : 'assistant',
    content: joinTexts(words || toText(getField(message, 'text')), filesOrPictures(message)),
    time: getField(message, 'createdAt'),
  }
}

/** Of assistants, the words lie within an object. */
const toPlainPart = (part: Loose): Loose => {
  const text = getField(part, 'text')
  return isObject(text) ? { ...part, text: getField(text, 'value') } : part
}

const filesOrPictures = (message: Loose): string =>
  filesBeside({
    files: toList(getField(message, 'files')).map((file) => ({ name: getField(toLoose(file), 'filename') })),
  })
