/**
 * Rules about the user's lists: "Add milk to my shopping list". A list is one statement that is revised in
 * place.
 */

import type { KnownStatement } from '../models/prompt-data.ts'
import { maxStatementLength } from './facts.ts'
import { significantWords } from './meaning-words.ts'
import { list, type Rule, say, wish } from './reply.ts'
import { type Words, wordsOf, wordTables } from './words.ts'

export const isList = (statement: string): boolean =>
  Object.values(wordTables).some(({ lists }) => lists.statement.test(statement))

const formatList = (name: string, items: readonly string[], { lists, and }: Words) =>
  `${lists.statementHead(lists.toName(name))}: ${list(items, and)}.`

const listNamed = (name: string, statements: readonly KnownStatement[], { lists }: Words) =>
  statements.find(({ text }) => text.toLowerCase().startsWith(`${lists.statementHead(name)}: `.toLowerCase()))

const getItems = (statement: KnownStatement | undefined): readonly string[] =>
  statement ? split(statement.text.slice(statement.text.indexOf(': ') + 2).replace(/\.$/, '')) : []

const split = (text: string): readonly string[] =>
  text
    .split(/,(?: (?:and|und)(?= ))? | (?:and|und) /)
    .map((item) => item.trim())
    .filter(Boolean)

const isSameItem = (a: string, b: string) => significantWords(a).join(' ') === significantWords(b).join(' ')

export const editList: Rule = (clause, situation) => {
  const { statements, tools } = situation
  const words = wordsOf(situation)
  const { lists: texts, toThem } = words
  const request = clause.replace(/(?<![.!])[.!]+$/, '')
  const toShow = texts.show.exec(request)?.groups
  if (toShow) {
    const name = texts.toName(toShow.name ?? toShow.bare ?? '')
    const existingList = listNamed(name, statements, words)
    return say(
      existingList
        ? texts.contents(name, toThem(list(getItems(existingList), words.and)))
        : texts.unknown(name),
    )
  }
  const addition = texts.add.exec(request)?.groups
  const removal = texts.remove.exec(request)?.groups
  const toEmpty = texts.empty.exec(request)?.groups
  const typedName = (addition ?? removal ?? toEmpty)?.name
  if (typedName === undefined || !tools.has('remember')) return undefined
  const name = texts.toName(typedName)
  const current = listNamed(name, statements, words)
  if (addition) return add(name, split(addition.what ?? ''), current, words)
  if (!current) return say(texts.isEmpty(name))
  const removedItems = split(removal?.what ?? '')
  const rest = removal
    ? getItems(current).filter((item) => !removedItems.some((removedItem) => isSameItem(item, removedItem)))
    : []
  if (removal && rest.length === getItems(current).length)
    return say(texts.notOnList(name, toThem(list(getItems(current), words.and))))
  return wish({
    name: 'remember',
    input:
      rest.length > 0
        ? { op: 'revise', id: current.id, text: formatList(name, rest, words) }
        : { op: 'forget', id: current.id },
  })
}

const add = (
  name: string,
  items: readonly string[],
  existingList: KnownStatement | undefined,
  words: Words,
) => {
  const oldItems = getItems(existingList)
  const newItems = items.filter((item) => !oldItems.some((old) => isSameItem(old, item)))
  if (newItems.length === 0) return say(words.lists.alreadyOnList(name))
  const text = formatList(name, [...oldItems, ...newItems], words)
  if (text.length > maxStatementLength) return say(words.lists.full(name, maxStatementLength))
  return wish({
    name: 'remember',
    input: existingList
      ? { op: 'revise', id: existingList.id, text }
      : { op: 'keep', document: 'person', text },
  })
}
