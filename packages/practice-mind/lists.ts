/**
 * Rules about the user's lists: "Add milk to my shopping list". A list is one statement that is revised in
 * place.
 */

import type { KnownStatement } from '../models/prompt-data.ts'
import { longestStatement } from './fact-forms.ts'
import { wordsOf } from './meaning-words.ts'
import { toThem } from './pronouns.ts'
import { list, type Rule, say, wish } from './reply.ts'

const adding =
  /^(?:please |can you |could you )?(?:add|put|write|note|include) (?<what>.{1,200}) (?:to|on|onto|in|into) (?:my|the|our) (?<name>[\p{L} -]{0,30}list)(?: please)?\??$/iu
const removing =
  /^(?:please |can you |could you )?(?:remove|delete|take|cross|strike|scratch|drop) (?<what>.{1,200}?) (?:off|from|out of) (?:my|the|our) (?<name>[\p{L} -]{0,30}list)(?: please)?\??$/iu
const emptying =
  /^(?:please |can you |could you )?(?:clear|empty|delete|erase|forget) (?:my|the|our) (?<name>[\p{L} -]{0,30}list)(?: please)?\??$/iu
const showing =
  /^(?:what(?:'s| is| do i have)? on|show(?: me)?|read(?: me)?|tell me|what is in|what's in) (?:my|the|our) (?<name>[\p{L} -]{0,30}list)(?: please)?\??$|^(?:my )?(?<bare>(?:shopping|grocery|to-?do|packing|wish|reading) list)\??$/iu

export const isList = (statement: string): boolean => /^On their [\p{L} -]{1,35}: /u.test(statement)

const textOf = (name: string, items: readonly string[]) => `On their ${name.toLowerCase()}: ${list(items)}.`

const listNamed = (name: string, statements: readonly KnownStatement[]) =>
  statements.find(({ text }) => text.toLowerCase().startsWith(`on their ${name.toLowerCase()}: `))

const itemsOf = (statement: KnownStatement | undefined): readonly string[] =>
  statement ? split(statement.text.slice(statement.text.indexOf(': ') + 2).replace(/\.$/, '')) : []

const split = (text: string): readonly string[] =>
  text
    .split(/,(?: and)? | and /)
    .map((item) => item.trim())
    .filter(Boolean)

const same = (one: string, other: string) => wordsOf(one).join(' ') === wordsOf(other).join(' ')

export const editList: Rule = (clause, { statements, tools }) => {
  const said = clause.replace(/(?<![.!])[.!]+$/, '')
  const shown = showing.exec(said)?.groups
  if (shown) {
    const name = (shown.name ?? shown.bare ?? '').toLowerCase()
    const there = listNamed(name, statements)
    return say(
      there
        ? `On your ${name}: ${toThem(list(itemsOf(there)))}.`
        : `Nothing is on your ${name} yet. “Add … to my ${name}” begins it.`,
    )
  }
  const added = adding.exec(said)?.groups
  const removed = removing.exec(said)?.groups
  const emptied = emptying.exec(said)?.groups
  const name = (added ?? removed ?? emptied)?.name
  if (name === undefined || !tools.has('remember')) return undefined
  const there = listNamed(name, statements)
  if (added) return add(name, split(added.what ?? ''), there)
  if (!there) return say(`There is nothing on your ${name.toLowerCase()}.`)
  const what = split(removed?.what ?? '')
  const left = removed ? itemsOf(there).filter((item) => !what.some((gone) => same(item, gone))) : []
  if (removed && left.length === itemsOf(there).length)
    return say(`That is not on your ${name.toLowerCase()}: ${toThem(list(itemsOf(there)))}.`)
  return wish({
    name: 'remember',
    input:
      left.length > 0
        ? { op: 'revise', id: there.id, text: textOf(name, left) }
        : { op: 'forget', id: there.id },
  })
}

const add = (name: string, items: readonly string[], there: KnownStatement | undefined) => {
  const before = itemsOf(there)
  const fresh = items.filter((item) => !before.some((old) => same(old, item)))
  if (fresh.length === 0) return say(`That is on your ${name.toLowerCase()} already.`)
  const text = textOf(name, [...before, ...fresh])
  if (text.length > longestStatement)
    return say(
      `Your ${name.toLowerCase()} is full: I keep one of ${longestStatement} characters at most. Take something off it first.`,
    )
  return wish({
    name: 'remember',
    input: there ? { op: 'revise', id: there.id, text } : { op: 'keep', document: 'person', text },
  })
}
