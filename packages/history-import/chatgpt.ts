/**
 * A conversation as ChatGPT exports it: a tree of messages, `mapping`, and the last message that the user
 * viewed, `current_node`. The format is not documented; readers of exports up to 2026 agree on it.
 */

import type { MaybeYield } from '../kit/flow/yielding.ts'
import { isObject } from '../kit/is-object.ts'
import { pathTo, type Twig } from './branches.ts'
import type { Found, Said } from './imported-conversation.ts'
import { firstWords, getField, type Loose, toList, toLoose, toText, toTime } from './loose-values.ts'
import { feedLimits } from './unreadable.ts'
import { describeFiles, describeParts, isFile, joinTexts } from './wordless-parts.ts'

export const isChatGpt = (value: Loose): boolean => isObject(getField(value, 'mapping'))

export const fromChatGpt = (value: Loose): Found => {
  const mapping = toLoose(getField(value, 'mapping'))
  const tip = getField(value, 'current_node')
  return {
    id: firstWords(getField(value, 'conversation_id'), getField(value, 'id')),
    title: getField(value, 'title'),
    updated: [getField(value, 'update_time')],
    said: (maybeYield) => saidOn(mapping, typeof tip === 'string' ? tip : null, maybeYield),
  }
}

/** A shared conversation lists its messages in their order. */
export const isShared = (value: Loose): boolean => Array.isArray(getField(value, 'linear_conversation'))

export const fromShared = (value: Loose): Found => ({
  id: firstWords(getField(value, 'conversation_id'), getField(value, 'id')),
  title: getField(value, 'title'),
  updated: [getField(value, 'update_time')],
  said: () =>
    toList(getField(value, 'linear_conversation'))
      .map((node) => getField(toLoose(node), 'message'))
      .filter(isObject)
      .map(saidIn),
})

const buildTree = async (mapping: Loose, maybeYield: MaybeYield): Promise<ReadonlyMap<string, Twig>> => {
  // Parents of nodes that do not name theirs, from the lists of children.
  const texts = new Map<string, string>()
  for (const [id, node] of Object.entries(mapping)) {
    await maybeYield()
    for (const child of toList(getField(toLoose(node), 'children')))
      if (typeof child === 'string' && !texts.has(child)) texts.set(child, id)
  }
  const tree = new Map<string, Twig>()
  for (const [id, node] of Object.entries(mapping)) {
    await maybeYield()
    const parent = getField(toLoose(node), 'parent')
    const hasKnownParent = typeof parent === 'string' && Object.hasOwn(mapping, parent)
    const message = getField(toLoose(node), 'message')
    const time = toTime(getField(toLoose(message), 'create_time'))
    tree.set(id, {
      parent: hasKnownParent ? parent : (texts.get(id) ?? null),
      time,
      isBare: !isObject(message),
    })
  }
  return tree
}

const saidOn = async function* (
  mapping: Loose,
  tip: string | null,
  maybeYield: MaybeYield,
): AsyncGenerator<Said | null> {
  for (const id of pathTo(tip, await buildTree(mapping, maybeYield))) {
    const message = getField(toLoose(getField(mapping, id)), 'message')
    // The root of a tree has no message.
    if (isObject(message)) yield saidIn(message)
  }
}

const saidIn = (message: Loose): Said | null => {
  const metadata = toLoose(getField(message, 'metadata'))
  const content = toLoose(getField(message, 'content'))
  const kind = toText(getField(content, 'content_type'))
  const time = getField(message, 'create_time')
  if (kind === 'user_editable_context' || getField(metadata, 'is_user_system_message') === true) {
    return { role: 'user', content: aboutThemselves(content, metadata), time }
  }
  if (kind === 'model_editable_context')
    return { role: 'assistant', content: toText(getField(content, 'model_set_context')), time }
  const role = getField(toLoose(getField(message, 'author')), 'role')
  if ((role !== 'user' && role !== 'assistant') || isHidden(message, metadata) || !spokenTypes.has(kind))
    return null
  const words = joinTexts(
    describeParts(toList(getField(content, 'parts'))),
    toText(getField(content, 'text')),
  )
  const files = describeFiles(toList(getField(metadata, 'attachments')).filter(isFile))
  return { role, content: joinTexts(withoutMarks(words.slice(0, feedLimits.message)), files), time }
}

/** Kinds of content that are part of the conversation; the first exports named none. */
const spokenTypes = new Set(['', 'text', 'multimodal_text', 'code'])

const isHidden = (message: Loose, metadata: Loose): boolean => {
  const recipient = getField(message, 'recipient')
  const toTool = typeof recipient === 'string' && recipient !== 'all'
  return (
    toTool ||
    getField(message, 'weight') === 0 ||
    getField(metadata, 'is_visually_hidden_from_conversation') === true
  )
}

/** Custom instructions: the metadata has the plain text, the content has other text around it. */
const aboutThemselves = (content: Loose, metadata: Loose): string => {
  const contextData = toLoose(getField(metadata, 'user_context_message_data'))
  const aboutText = firstWords(
    getField(contextData, 'about_user_message'),
    unwrapText(toText(getField(content, 'user_profile'))),
  )
  const wishes = firstWords(
    getField(contextData, 'about_model_message'),
    unwrapText(toText(getField(content, 'user_instructions'))),
  )
  return joinTexts(
    aboutText && `About me: ${aboutText.trim()}`,
    wishes && `How I want to be answered: ${wishes.trim()}`,
  )
}

const unwrapText = (text: string): string => {
  const start = text.indexOf('```')
  const end = text.lastIndexOf('```')
  return start >= 0 && end > start + 3 ? text.slice(start + 3, end) : text
}

/**
 * Marks that the page shows as links are between U+E200 and U+E201, their fields separated by U+E202: `cite`,
 * `turn0search1`. The name of an `entity` is kept. Older ones look like 【12†source】.
 */
const withoutMarks = (text: string): string =>
  text
    .replace(/\uE200([^\uE200\uE201]*)\uE201/g, (_, mark: string) => entityIn(mark))
    .replace(/【\d+(?::\d+)?†[^【】]{0,200}】/g, '')

const entityIn = (mark: string): string => {
  const [kind, data] = mark.split('\uE202')
  if (kind !== 'entity') return ''
  try {
    return toText(toList(JSON.parse(data ?? ''))[1])
  } catch {
    return ''
  }
}
