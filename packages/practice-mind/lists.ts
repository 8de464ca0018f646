/**
 * Rules about the user's lists: "Add milk to my shopping list". A list is one statement that is revised in
 * place.
 */

import type { KnownStatement } from '../models/prompt-data.ts'
import { maxStatementLength } from './fact-forms.ts'
import { significantWords } from './meaning-words.ts'
import { toThem } from './pronouns.ts'
import { list, type Rule, say, wish } from './reply.ts'

const addPattern =
  /^(?:please |can you |could you )?(?:add|put|write|note|include) (?<what>.{1,200}) (?:to|on|onto|in|into) (?:my|the|our) (?<name>[\p{L} -]{0,30}list)(?: please)?\??$/iu
const removePattern =
  /^(?:please |can you |could you )?(?:remove|delete|take|cross|strike|scratch|drop) (?<what>.{1,200}?) (?:off|from|out of) (?:my|the|our) (?<name>[\p{L} -]{0,30}list)(?: please)?\??$/iu
const emptyPattern =
  /^(?:please |can you |could you )?(?:clear|empty|delete|erase|forget) (?:my|the|our) (?<name>[\p{L} -]{0,30}list)(?: please)?\??$/iu
const showPattern =
  /^(?:what(?:'s| is| do i have)? on|show(?: me)?|read(?: me)?|tell me|what is in|what's in) (?:my|the|our) (?<name>[\p{L} -]{0,30}list)(?: please)?\??$|^(?:my )?(?<bare>(?:shopping|grocery|to-?do|packing|wish|reading) list)\??$/iu

export const isList = (statement: string): boolean => /^On their [\p{L} -]{1,35}: /u.test(statement)

const formatList = (name: string, items: readonly string[]) =>
  `On their ${name.toLowerCase()}: ${list(items)}.`

const listNamed = (name: string, statements: readonly KnownStatement[]) =>
  statements.find(({ text }) => text.toLowerCase().startsWith(`on their ${name.toLowerCase()}: `))

const getItems = (statement: KnownStatement | undefined): readonly string[] =>
  statement ? split(statement.text.slice(statement.text.indexOf(': ') + 2).replace(/\.$/, '')) : []

const split = (text: string): readonly string[] =>
  text
    .split(/,(?: and)? | and /)
    .map((item) => item.trim())
    .filter(Boolean)

const isSameItem = (a: string, b: string) => significantWords(a).join(' ') === significantWords(b).join(' ')

export const editList: Rule = (clause, { statements, tools }) => {
  const request = clause.replace(/(?<![.!])[.!]+$/, '')
  const toShow = showPattern.exec(request)?.groups
  if (toShow) {
    const name = (toShow.name ?? toShow.bare ?? '').toLowerCase()
    const existingList = listNamed(name, statements)
    return say(
      existingList
        ? `On your ${name}: ${toThem(list(getItems(existingList)))}.`
        : `Nothing is on your ${name} yet. “Add … to my ${name}” begins it.`,
    )
  }
  const addition = addPattern.exec(request)?.groups
  const removal = removePattern.exec(request)?.groups
  const toEmpty = emptyPattern.exec(request)?.groups
  const name = (addition ?? removal ?? toEmpty)?.name
  if (name === undefined || !tools.has('remember')) return undefined
  const current = listNamed(name, statements)
  if (addition) return add(name, split(addition.what ?? ''), current)
  if (!current) return say(`There is nothing on your ${name.toLowerCase()}.`)
  const removedItems = split(removal?.what ?? '')
  const rest = removal
    ? getItems(current).filter((item) => !removedItems.some((removedItem) => isSameItem(item, removedItem)))
    : []
  if (removal && rest.length === getItems(current).length)
    return say(`That is not on your ${name.toLowerCase()}: ${toThem(list(getItems(current)))}.`)
  return wish({
    name: 'remember',
    input:
      rest.length > 0
        ? { op: 'revise', id: current.id, text: formatList(name, rest) }
        : { op: 'forget', id: current.id },
  })
}

const add = (name: string, items: readonly string[], existingList: KnownStatement | undefined) => {
  const oldItems = getItems(existingList)
  const newItems = items.filter((item) => !oldItems.some((old) => isSameItem(old, item)))
  if (newItems.length === 0) return say(`That is on your ${name.toLowerCase()} already.`)
  const text = formatList(name, [...oldItems, ...newItems])
  if (text.length > maxStatementLength)
    return say(
      `Your ${name.toLowerCase()} is full: I keep one of ${maxStatementLength} characters at most. Take something off it first.`,
    )
  return wish({
    name: 'remember',
    input: existingList
      ? { op: 'revise', id: existingList.id, text }
      : { op: 'keep', document: 'person', text },
  })
}
