/**
 * A conversation of Grok from `prod-grok-backend.json` of the account's export: `conversation`, and its
 * `responses`, each with the id of its parent. Times of messages are in the format of MongoDB. The format is
 * not documented; readers of exports up to 2026 agree on it, such as yetanotherchris/openwebui-importer.
 */
import { isObject } from '../kit/is-object.ts'
import { spokenBranch, type Threads } from './branches.ts'
import type { Found, Said } from './imported-conversation.ts'
import { getField, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { describeFiles, joinTexts } from './wordless-parts.ts'

export const isGrok = (value: Loose): boolean =>
  isObject(getField(value, 'conversation')) && Array.isArray(getField(value, 'responses'))

export const fromGrok = (value: Loose): readonly Found[] => {
  const conversation = toLoose(getField(value, 'conversation'))
  const responses = toList(getField(value, 'responses')).map((item) =>
    toLoose(getField(toLoose(item), 'response')),
  )
  return [
    {
      id: getField(conversation, 'id'),
      title: getField(conversation, 'title'),
      updated: [getField(conversation, 'modify_time'), getField(conversation, 'create_time')],
      // `leaf_response_id` often names a response that is not in the file.
      said: () => spokenBranch(responses, threads, getField(conversation, 'leaf_response_id')).map(saidIn),
    },
  ]
}

const timeIn = (response: Loose): unknown => {
  const time = getField(response, 'create_time')
  const date = isObject(time) ? getField(time, '$date') : time
  return isObject(date) ? Number(getField(date, '$numberLong')) : date
}

const threads: Threads = {
  id: (response) => getField(response, '_id'),
  parent: (response) => getField(response, 'parent_response_id'),
  time: timeIn,
}

/** Every sender but `human` is the assistant: the name of a model, in upper or lower case. */
const saidIn = (response: Loose): Said => ({
  role: toText(getField(response, 'sender')).toLowerCase() === 'human' ? 'user' : 'assistant',
  content: joinTexts(
    withoutCards(toText(getField(response, 'message'))),
    describeFiles(toList(getField(response, 'file_attachments'))),
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
