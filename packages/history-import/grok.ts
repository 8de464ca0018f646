/**
 * A conversation of Grok from `prod-grok-backend.json` of the account's export: `conversation`, and its
 * `responses`, each with the id of its parent. Times of messages are in the format of MongoDB. The format is
 * not documented; readers of exports up to 2026 agree on it, such as yetanotherchris/openwebui-importer.
 */
import { isObject } from '../kit/is-object.ts'
import { spokenBranch, type Threads } from './branches.ts'
import type { Found, Said } from './imported-conversation.ts'
import { at, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { describeFiles, joinTexts } from './wordless-parts.ts'

export const isGrok = (value: Loose): boolean =>
  isObject(at(value, 'conversation')) && Array.isArray(at(value, 'responses'))

export const fromGrok = (value: Loose): readonly Found[] => {
  const conversation = toLoose(at(value, 'conversation'))
  const responses = toList(at(value, 'responses')).map((item) => toLoose(at(toLoose(item), 'response')))
  return [
    {
      id: at(conversation, 'id'),
      title: at(conversation, 'title'),
      updated: [at(conversation, 'modify_time'), at(conversation, 'create_time')],
      // `leaf_response_id` often names a response that is not in the file.
      said: () => spokenBranch(responses, threads, at(conversation, 'leaf_response_id')).map(saidIn),
    },
  ]
}

const timeIn = (response: Loose): unknown => {
  const time = at(response, 'create_time')
  const date = isObject(time) ? at(time, '$date') : time
  return isObject(date) ? Number(at(date, '$numberLong')) : date
}

const threads: Threads = {
  id: (response) => at(response, '_id'),
  parent: (response) => at(response, 'parent_response_id'),
  time: timeIn,
}

/** Every sender but `human` is the assistant: the name of a model, in upper or lower case. */
const saidIn = (response: Loose): Said => ({
  role: toText(at(response, 'sender')).toLowerCase() === 'human' ? 'user' : 'assistant',
  content: joinTexts(
    withoutCards(toText(at(response, 'message'))),
    describeFiles(toList(at(response, 'file_attachments'))),
  ),
  time: timeIn(response),
})

/** Removes the marks that the page shows as pictures and sources. */
const withoutCards = (text: string): string => withoutBlocks(text, '<grok:render', '</grok:render>')

/** Removes blocks. A block that is not closed ends at the end of the text. */
export const withoutBlocks = (text: string, open: string, close: string): string => {
  let keptText = ''
  for (let from = 0; ; ) {
    const start = text.indexOf(open, from)
    if (start < 0) return keptText + text.slice(from)
    keptText += text.slice(from, start)
    const end = text.indexOf(close, start)
    if (end < 0) return keptText
    from = end + close.length
  }
}
