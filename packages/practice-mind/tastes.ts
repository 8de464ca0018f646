/** Rules that use the character of the persona and its notes about itself. Both speak to it as "you". */
import { isQuestion } from './clauses.ts'
import { significantWords } from './meaning-words.ts'
import { sentence } from './pronouns.ts'
import { type Rule, say, vary } from './reply.ts'
import type { Situation } from './situation.ts'

const maxSentences = 3
const exampleLine = /^- /

/** Returns sentences about the persona in the first person: its notes, then its character. */
const describeSelf = ({ own }: Situation): readonly string[] => {
  if (!own) return []
  const lines = [...own.notes, ...own.character.split('\n').filter((line) => !exampleLine.test(line))]
  return lines
    .flatMap((line) => line.split(/(?<=[.!?])\s+/))
    .filter((text) => /^(?:you|your|i|my)\b/i.test(text))
    .map(toFirstPerson)
}

const toFirstPerson = (text: string): string =>
  sentence(
    text
      .replace(/\byou are\b|\byou're\b/gi, 'I am')
      .replace(/\byou were\b/gi, 'I was')
      .replace(/\byourself\b/gi, 'myself')
      .replace(/\byours\b/gi, 'mine')
      .replace(/\byour\b/gi, 'my')
      .replace(/\b(to|for|with|about|at|of|than|from|on|by) you\b|\byou(?=[.,;!?]|$)/gi, (_, preposition) =>
        preposition ? `${preposition} me` : 'me',
      )
      .replace(/\byou\b/gi, 'I'),
  )

const tasteQuestion =
  /^(?:(?:so|and) )?(?:what (?:else |things )?do you (?:really )?(?:like|love|enjoy|care about)(?: (?:most|best|doing|to do))?|what are you (?:interested in|into)|what(?:'s| is| are) your (?:hobby|hobbies|interests?|tastes?))\??$/i
const dislikeQuestion =
  /^(?:(?:so|and) )?what (?:do you (?:really )?(?:hate|dislike|not like)|don't you like)\??$/i
const tastes = /\b(?:like|love|enjoy|adore|prefer|care about|fond of|favou?rite)\b/i
const dislikes = /\b(?:hate|dislike|detest|(?:don't|do not|cannot|can't) (?:like|stand|bear))\b/i
const subjectQuestion =
  /^(?:(?:so|and) )?(?:do you (?:really )?(?:like|love|enjoy|hate|dislike|prefer)|are you fond of|what(?:'s| is) your favou?rite) (?<what>[^?]{1,60})\??$/i

/** Answers "What do you like?" and "Do you like trains?". Without such a sentence, another rule answers. */
export const tellTastes: Rule = (clause, situation) => {
  const subject = subjectQuestion.exec(clause)?.groups?.what
  if (subject === undefined && !tasteQuestion.test(clause) && !dislikeQuestion.test(clause)) return undefined
  const all = describeSelf(situation)
  const keys = significantWords(subject ?? '')
  const matches = all.filter((text) => {
    if (subject === undefined)
      return dislikeQuestion.test(clause) ? dislikes.test(text) : tastes.test(text) && !dislikes.test(text)
    const words = significantWords(text)
    return keys.length > 0 && keys.every((key) => words.includes(key))
  })
  return matches.length > 0 ? say(matches.slice(0, maxSentences).join(' ')) : undefined
}

/** Returns the first sentence about the persona, followed by a space; empty if there is none. */
export const introduceSelf = (situation: Situation): string => {
  const [first] = describeSelf(situation).filter((text) => /^I am\b/.test(text))
  return first ? `${first} ` : ''
}

/** Chooses an example line of the character that has this form, else one of the phrases. */
export const varyInCharacter = (situation: Situation, form: RegExp, phrases: readonly string[]): string => {
  const examples = (situation.own?.character.split('\n') ?? [])
    .filter((line) => exampleLine.test(line))
    .map((line) => line.replace(exampleLine, '').trim())
    .filter((line) => form.test(line) && !isQuestion(line))
  return vary(situation, examples.length > 0 ? examples : phrases)
}
