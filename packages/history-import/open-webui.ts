/**
 * A chat as Open WebUI exports it (Settings → Data Controls → Export Chats, or one chat): its messages by
 * their ids, each with its parent, and the last message that the user viewed, `history.currentId`. Source:
 * the exports in the tests of LibreChat's importer, api/server/utils/import of danny-avila/LibreChat.
 */
import { isObject } from '../kit/is-object.ts'
import { spokenBranch, type Threads } from './branches.ts'
import { withoutBlocks } from './grok.ts'
import type { Found, Said } from './imported-conversation.ts'
import { firstWords, getField, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { toRole } from './messages.ts'
import { describeFiles, describeKind, describeParts, joinTexts } from './wordless-parts.ts'

export const isOpenWebUi = (value: Loose): boolean => isObject(getField(historyIn(value), 'messages'))

/** The first exports had nothing around the chat. */
const chatIn = (value: Loose): Loose =>
  isObject(getField(value, 'chat')) ? toLoose(getField(value, 'chat')) : value
const historyIn = (value: Loose): Loose => toLoose(getField(chatIn(value), 'history'))

export const fromOpenWebUi = (value: Loose): readonly Found[] => {
  const chat = chatIn(value)
  const history = historyIn(value)
  const messages = Object.entries(toLoose(getField(history, 'messages'))).map(([id, message]) => ({
    ...toLoose(message),
    id,
  }))
  return [
    {
      id: firstWords(getField(value, 'id'), getField(chat, 'id')),
      title: firstWords(getField(value, 'title'), getField(chat, 'title')),
      updated: [getField(value, 'updated_at'), getField(chat, 'timestamp')],
      said: () => spokenBranch(messages, threads, getField(history, 'currentId')).map(saidIn),
    },
  ]
}

const threads: Threads = {
  id: (message) => getField(message, 'id'),
  parent: (message) => getField(message, 'parentId'),
  time: (message) => getField(message, 'timestamp'),
}

const saidIn = (message: Loose): Said | null => {
  const role = toRole(toText(getField(message, 'role')))
  if (!role) return null
  const content = getField(message, 'content')
  const words = typeof content === 'string' ? content : describeParts(toList(content))
  const files = toList(getField(message, 'files')).map(toLoose)
  const pictures = files.filter((file) => describeKind(file) === 'image')
  return {
    role,
    // The text contains thoughts and tool calls as `<details>` blocks.
    content: joinTexts(
      role === 'assistant' ? withoutBlocks(words, '<details type="', '</details>') : words,
      describeParts(pictures),
      describeFiles(files.filter((file) => describeKind(file) !== 'image')),
    ),
    time: getField(message, 'timestamp'),
  }
}
