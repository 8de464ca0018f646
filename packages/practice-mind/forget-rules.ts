/** What does not hold any more: "I no longer live in Porto" takes back what it knew. */
import type { KnownStatement } from '../models/prompt-data.ts'
import { passing, readFact } from './fact-forms.ts'
import { wordsOf } from './meaning-words.ts'
import { same, subjectOf } from './person-facts.ts'
import { aboutThem } from './pronouns.ts'
import { list, type Rule, say, wish } from './reply.ts'

const over = /\b(?:no longer|not .{0,80}\b(?:any ?more|any longer)|n't .{0,80}\b(?:any ?more|any longer))\b/i
const isPassing = new RegExp(`^i am (?:${passing})\\b`, 'i')
const ended = /,? (?:any ?more|any longer|now|these days)$/i

/** The same without its denial; undefined where nothing is denied. */
const affirmed = (clause: string): string | undefined => {
  const text = clause.replace(ended, '')
  const bare = text
    .replace(/\bi(?:'m| am) (?:no longer|not) (?:an? )?/i, 'I am ')
    .replace(/\b(is|are|was|were)(?:n't| not| no longer)\b/i, '$1')
    .replace(/\b(i|we) (?:no longer|don't|do not|never) /i, '$1 ')
    .replace(/\b(my .{1,80}?) (?:no longer|doesn't|does not) /i, '$1 ')
  return bare === text ? undefined : bare
}

export const takeBack: Rule = (clause, { statements, tools }) => {
  const bare =
    /^(?:i\b|we\b|my\b|our\b)/i.test(clause) && !clause.endsWith('?') ? affirmed(clause) : undefined
  if (!bare || !tools.has('remember')) return undefined
  const name = /^(?:[Mm]y name is|[Ii] am) (\p{Lu}[\p{L}' -]*)$/u.exec(bare)?.[1]
  const named = name && statements.find(({ text }) => same(text, `Their name is ${name}`))
  if (named) return wish({ name: 'remember', input: { op: 'forget', id: named.id } })
  if (!over.test(clause) && isPassing.test(bare)) return undefined
  const denied = aboutThem(bare)
  const old = statements.findLast((statement) => isDenied(statement, denied))
  const fact = readFact(clause)
  // What is said of it now is put in its place, and for a liking another rule does that.
  if (old && fact && without(old, denied).input.op === 'revise')
    return wish(without(old, denied), { name: 'remember', input: { op: 'keep', ...fact } })
  if (old && fact) return wish({ name: 'remember', input: { op: 'revise', id: old.id, text: fact.text } })
  if (old) return wish(without(old, denied))
  return over.test(clause) && !fact
    ? say('I had not kept that, so there is nothing to put right.')
    : undefined
}

/** It says all of it, with few words more, of the same one. */
const isDenied = ({ text }: KnownStatement, denied: string): boolean => {
  const [begin, end] = [text, denied].map((one) => /^(?:They|Their)\b/.exec(one)?.[0])
  if (!begin || begin !== end || /\b(?:not|no|never|no longer)\b|n't\b/i.test(text)) return false
  if (verbOf(text) !== verbOf(denied)) return false
  const [there, meant] = [wordsOf(text), wordsOf(denied)]
  return meant.length > 0 && meant.every((word) => there.includes(word))
}

/** To be from somewhere is not to live there, nor to speak a language to be of that country. */
const verbOf = (text: string): string => {
  const verb = /^They (?:really |also |often |still )*(\w+)/.exec(text)?.[1] ?? ''
  return subjectOf(text) === 'origin' ? 'come' : (alike[verb] ?? verb)
}
const alike: Readonly<Record<string, string>> = {
  own: 'have',
  love: 'like',
  enjoy: 'like',
  adore: 'like',
  work: 'are',
}

/** Only what is meant is forgotten of a statement that names several things: "They like coffee and jazz." */
export const without = ({ id, text }: KnownStatement, meant: string) => {
  const words = new Set(wordsOf(meant))
  const [, head = '', tail = ''] = several.exec(text.trim()) ?? []
  const items = tail.split(/,? and |,? or |, /)
  const left = items.filter((item) => !wordsOf(item).some((word) => words.has(word)))
  const plain = items.every((item) => item.split(' ').length <= 4)
  return items.length > 1 && plain && left.length > 0 && left.length < items.length
    ? { name: 'remember', input: { op: 'revise', id, text: `${head} ${list(left)}.` } }
    : { name: 'remember', input: { op: 'forget', id } }
}
const several =
  /^(They(?: really| also| often)* (?:like|love|enjoy|adore|hate|dislike|prefer|play|speak|eat|drink|have|own|collect|are allergic to|are afraid of|are|want)(?: to)?) (.+?)\.?$/i
