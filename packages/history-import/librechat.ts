/**
 * A conversation as LibreChat exports it, as JSON: `messages` that know their parent, side by side or each
 * with its `children`. Source of the shape: client/src/hooks/Conversations/useExportConversation.ts of
 * danny-avila/LibreChat, and the exports its importer is tested with.
 */
import { isObject } from '../kit/is-object.ts'
import { spokenBranch, type Threads } from './branches.ts'
import type { Found, Said } from './imported-conversation.ts'
import { at, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { describeKind, describeParts, filesBeside, joinTexts } from './wordless-parts.ts'

export const isLibreChat = (value: Loose): boolean =>
  typeof at(value, 'conversationId') === 'string' &&
  (Array.isArray(at(value, 'messages')) || Array.isArray(at(value, 'messagesTree')))

export const fromLibreChat = (value: Loose): readonly Found[] => {
  const list = at(value, 'messages')
  const messages = flat(toList(Array.isArray(list) ? list : at(value, 'messagesTree')))
  return [
    {
      id: at(value, 'conversationId'),
      title: at(value, 'title'),
      // `exportAt` is a time of day.
      updated: [at(value, 'updatedAt')],
      said: () => spokenBranch(messages, threads, null).map(saidIn),
    },
  ]
}

/** In the order they were spoken. */
const flat = (messages: readonly unknown[]): readonly Loose[] => {
  const all: Loose[] = []
  const remaining = messages.filter(isObject).reverse()
  for (let message = remaining.pop(); message; message = remaining.pop()) {
    all.push(message)
    remaining.push(...toList(at(message, 'children')).filter(isObject).reverse())
  }
  return all
}

const threads: Threads = {
  id: (message) => at(message, 'messageId'),
  parent: (message) => at(message, 'parentMessageId'),
  time: (message) => at(message, 'createdAt'),
}

const saidIn = (message: Loose): Said | null => {
  if (at(message, 'error') === true) return null
  const parts = toList(at(message, 'content'))
    .map(toLoose)
    .filter((part) => describeKind(part) !== 'error')
  const words = describeParts(parts.map(toPlainPart))
  return {
    role: at(message, 'isCreatedByUser') === true ? 'user' : 'assistant',
    content: joinTexts(words || toText(at(message, 'text')), filesOrPictures(message)),
    time: at(message, 'createdAt'),
  }
}

/** Of assistants, the words lie within an object. */
const toPlainPart = (part: Loose): Loose => {
  const text = at(part, 'text')
  return isObject(text) ? { ...part, text: at(text, 'value') } : part
}

const filesOrPictures = (message: Loose): string =>
  filesBeside({
    files: toList(at(message, 'files')).map((file) => ({ name: at(toLoose(file), 'filename') })),
  })
