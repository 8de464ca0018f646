/**
 * Rules for questions that no other rule takes: answered by the words they share with what is known, else
 * looked for in what was said.
 */

import type { KnownStatement } from '../models/prompt-data.ts'
import { isQuestion } from './clauses.ts'
import { wordsOf } from './meaning-words.ts'
import { asSentence, toThem } from './pronouns.ts'
import { type Rule, say, wish } from './reply.ts'
import type { Situation } from './situation.ts'

/** "Do you know …": what is asked comes after it. */
const toKnow =
  /^(?:do|did|can|could|would|will) you (?:please )?(?:still |even |already )?(?:know|remember|recall|tell me|say|find|look up)\b(?: again)?(?: of| about| out)? ?/i
const toTell = /^(?:please )?(?:tell|show) me (?:again )?(?:about )?(?=\S)/i
const ofIt = /\b(?:you|your|yours|yourself)\b/i

/** What is asked for, without the words that only ask; undefined for what is asked of the persona itself. */
export const askedFor = (clause: string): string | undefined => {
  const known = clause.replace(toKnow, '')
  const rest = known.replace(toTell, '')
  const asks =
    isQuestion(clause) ||
    known !== clause ||
    (rest !== clause && /^(?:my|our|the|what|where|when|who|which|how)\b/i.test(rest))
  return asks && rest && !ofIt.test(rest) ? rest : undefined
}

/** Words of a question that say too little to look for. */
const empty: ReadonlySet<string> = new Set(
  `go get got make use used want need have own like love hate good best old new live work eat drink day time date today tomorrow tonight now week month year thing stuff people person way kind
  allowed permitted name called favourite much many long often ago back there sure right really idea still already currently exactly say go am pm`.split(
    /\s+/,
  ),
)
const others = /\b(?:weather|forecast|news|joke|poem|story|song|\d+ ?[-+*/x×÷=] ?\d+)\b/i

const keysOf = (text: string) => [...new Set(wordsOf(text))].filter((word) => !empty.has(word))

/** In the statements too, short and long forms are one word. */
const isIn = (word: string, there: ReadonlySet<string>) =>
  there.has(word) || (synonyms[word] ?? []).some((other) => there.has(other))
const synonyms: Readonly<Record<string, readonly string[]>> = {
  mum: ['mom', 'mother'],
  mom: ['mum', 'mother'],
  mother: ['mum', 'mom'],
  dad: ['father'],
  father: ['dad'],
  passcode: ['password', 'code'],
  password: ['passcode', 'pin'],
  pin: ['password', 'code'],
  phone: ['mobile', 'number'],
  wlan: ['wifi'],
  job: ['work'],
  bday: ['birthday'],
  kid: ['child', 'children', 'son', 'daughter'],
  flat: ['apartment'],
  apartment: ['flat'],
  spouse: ['wife', 'husband'],
  partner: ['wife', 'husband', 'girlfriend', 'boyfriend'],
  parked: ['park', 'parking'],
  park: ['parked', 'parking'],
}

const sharing = (keys: readonly string[], text: string): number => {
  const there = new Set(wordsOf(text))
  return keys.filter((word) => isIn(word, there)).length
}

/** Those that share the most of the words, and at least so many. */
const best = (
  keys: readonly string[],
  statements: readonly KnownStatement[],
  least: number,
): readonly KnownStatement[] => {
  const scored = statements.map((statement) => [statement, sharing(keys, statement.text)] as const)
  const most = Math.max(least, ...scored.map(([, shared]) => shared))
  return scored.filter(([, shared]) => shared === most).map(([statement]) => statement)
}

const tellThem = (found: readonly KnownStatement[]) =>
  found
    .slice(0, 8)
    .map(({ text, document }) => asSentence(text, document))
    .join(' ')

/**
 * "What is the wifi password?", "wifi?": most of what is asked for is in what is known. Whether one may is
 * another question.
 */
export const answerKnown: Rule = (clause, { statements }) => {
  const asked = askedFor(clause)
  if (
    asked === undefined ||
    others.test(asked) ||
    /^(?:can|could|may|should|must|would|will|shall|why|how)\b/i.test(asked)
  )
    return undefined
  const keys = keysOf(asked)
  // Whose it is, another rule looks at.
  if (keys.length === 0 || /\b(?:my|our|i|me|mine|we)\b/i.test(asked)) return undefined
  const found = best(keys, statements, Math.ceil((keys.length + 1) / 2))
  return found.length > 0 ? say(tellThem(found)) : undefined
}

const about =
  /^(?:(?:so|and) )?(?:(?:what|anything|something|which things) )?(?:else )?(?:do|did|can) you (?:still |already )?(?:know|remember|recall)(?: anything| something)? (?:about|of|regarding) (?<what>[^?]{1,100})\??$/i

/** "What do you know about Lea?" */
export const answerAbout: Rule = (clause, { statements, tools }) => {
  const what = about.exec(clause)?.groups?.what?.trim()
  const keys = what === undefined || /\b(?:me|myself|you|yourself|us)\b/i.test(what) ? [] : keysOf(what)
  if (what === undefined || keys.length === 0) return undefined
  const found = statements.filter(({ text }) => sharing(keys, text) === keys.length)
  if (found.length > 0)
    return say(
      `This I know about ${toThem(what)}:\n${found.map(({ text, document }) => `- ${asSentence(text, document)}`).join('\n')}`,
    )
  return tools.has('recall')
    ? wish({ name: 'recall', input: { query: lookingFor(what), limit: 20 } })
    : undefined
}

/** What is known about it, where that does not answer it; undefined where nothing is. */
export const hintAt = (clause: string, statements: readonly KnownStatement[]): string | undefined => {
  const found = best(keysOf(askedFor(clause) ?? clause), statements, 1)
  return found.length > 0 && found.length <= 8
    ? `I cannot answer that for certain. This I know: ${tellThem(found)}`
    : undefined
}

/** The words of a question as they were typed, to look for in all that was said. */
export const lookingFor = (clause: string): string =>
  (askedFor(clause) ?? clause)
    .split(/[^\p{L}\p{N}'-]+/u)
    .filter((word) => keysOf(word).length > 0)
    .slice(0, 8)
    .join(' ')

/** Nothing else has an answer. */
export const answerSomehow: Rule = (clause, { statements, tools }: Situation) => {
  const asked = askedFor(clause)
  if (asked === undefined || others.test(asked) || /^why\b/i.test(asked)) return undefined
  const hint = hintAt(clause, statements)
  if (hint !== undefined) return say(hint)
  const query = lookingFor(clause)
  return query && tools.has('recall') ? wish({ name: 'recall', input: { query, limit: 20 } }) : undefined
}
