/**
 * A chat as Open WebUI exports it (Settings → Data Controls → Export Chats, or one chat): its messages by
 * their ids, each with its parent, and the last message that the user viewed, `history.currentId`. Source:
 * the exports in the tests of LibreChat's importer, api/server/utils/import of danny-avila/LibreChat.
 */
import { isObject } from '../kit/is-object.ts'
import { spokenBranch, type Threads } from './branches.ts'
import { withoutBlocks } from './grok.ts'
import type { Found, Said } from './imported-conversation.ts'
import { at, firstWords, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { toRole } from './messages.ts'
import { describeFiles, describeKind, describeParts, joinTexts } from './wordless-parts.ts'

export const isOpenWebUi = (value: Loose): boolean => isObject(at(historyIn(value), 'messages'))

/** The first exports had nothing around the chat. */
const chatIn = (value: Loose): Loose => (isObject(at(value, 'chat')) ? toLoose(at(value, 'chat')) : value)
const historyIn = (value: Loose): Loose => toLoose(at(chatIn(value), 'history'))

export const fromOpenWebUi = (value: Loose): readonly Found[] => {
  const chat = chatIn(value)
  const history = historyIn(value)
  const messages = Object.entries(toLoose(at(history, 'messages'))).map(([id, message]) => ({
    ...toLoose(message),
    id,
  }))
  return [
    {
      id: firstWords(at(value, 'id'), at(chat, 'id')),
      title: firstWords(at(value, 'title'), at(chat, 'title')),
      updated: [at(value, 'updated_at'), at(chat, 'timestamp')],
      said: () => spokenBranch(messages, threads, at(history, 'currentId')).map(saidIn),
    },
  ]
}

const threads: Threads = {
  id: (message) => at(message, 'id'),
  parent: (message) => at(message, 'parentId'),
  time: (message) => at(message, 'timestamp'),
}

const saidIn = (message: Loose): Said | null => {
  const role = toRole(toText(at(message, 'role')))
  if (!role) return null
  const content = at(message, 'content')
  const words = typeof content === 'string' ? content : describeParts(toList(content))
  const files = toList(at(message, 'files')).map(toLoose)
  const pictures = files.filter((file) => describeKind(file) === 'image')
  return {
    role,
    // The text contains thoughts and tool calls as `<details>` blocks.
    content: joinTexts(
      role === 'assistant' ? withoutBlocks(words, '<details type="', '</details>') : words,
      describeParts(pictures),
      describeFiles(files.filter((file) => describeKind(file) !== 'image')),
    ),
    time: at(message, 'timestamp'),
  }
}
