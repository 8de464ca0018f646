/**
 * A chat as Open WebUI exports it (Settings → Data Controls → Export Chats, or one chat): its messages by
 * their ids, each with its parent, and the last message that the user viewed, `history.currentId`. Source:
 * the exports in the tests of LibreChat's importer, api/server/utils/import of danny-avila/LibreChat.
 */
import { isObject } from '../kit/is-object.ts'
import { spokenBranch, type Threads } from './branches.ts'
import { withoutBlocks } from './grok.ts'
import type { Found, Said } from './imported-conversation.ts'
import { at, firstWords, type Loose, listOf, looseOf, wordsOf } from './loose-values.ts'
import { roleOf } from './messages.ts'
import { filesOf, kindOf, partsOf, together } from './wordless-parts.ts'

export const isOpenWebUi = (value: Loose): boolean => isObject(at(historyIn(value), 'messages'))

/** The first exports had nothing around the chat. */
const chatIn = (value: Loose): Loose => (isObject(at(value, 'chat')) ? looseOf(at(value, 'chat')) : value)
const historyIn = (value: Loose): Loose => looseOf(at(chatIn(value), 'history'))

export const fromOpenWebUi = (value: Loose): readonly Found[] => {
  const chat = chatIn(value)
  const history = historyIn(value)
  const messages = Object.entries(looseOf(at(history, 'messages'))).map(([id, message]) => ({
    ...looseOf(message),
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
  const role = roleOf(wordsOf(at(message, 'role')))
  if (!role) return null
  const content = at(message, 'content')
  const words = typeof content === 'string' ? content : partsOf(listOf(content))
  const files = listOf(at(message, 'files')).map(looseOf)
  const pictures = files.filter((file) => kindOf(file) === 'image')
  return {
    role,
    // The text contains thoughts and tool calls as `<details>` blocks.
    content: together(
      role === 'assistant' ? withoutBlocks(words, '<details type="', '</details>') : words,
      partsOf(pictures),
      filesOf(files.filter((file) => kindOf(file) !== 'image')),
    ),
    time: at(message, 'timestamp'),
  }
}
