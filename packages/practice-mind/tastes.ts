/** Rules that use the character of the persona and its notes about itself. Both speak to it as "you". */
import { significantWords } from './meaning-words.ts'
import { type Rule, say, vary } from './reply.ts'
import type { Situation } from './situation.ts'
import { wordsOf } from './words.ts'

const maxSentences = 3
const exampleLine = /^- /

/** Returns sentences about the persona in the first person: its notes, then its character. */
const describeSelf = (situation: Situation): readonly string[] => {
  const { own } = situation
  const { character } = wordsOf(situation)
  if (!own) return []
  const lines = [...own.notes, ...own.character.split('\n').filter((line) => !exampleLine.test(line))]
  return lines
    .flatMap((line) => line.split(/(?<=[.!?])\s+/))
    .filter((text) => character.aboutPersona.test(text))
    .map(character.toFirstPerson)
}

/** Answers "What do you like?" and "Do you like trains?". Without such a sentence, another rule answers. */
export const tellTastes: Rule = (clause, situation) => {
  const { character } = wordsOf(situation)
  const subject = character.subjectQuestion.exec(clause)?.groups?.what
  if (
    subject === undefined &&
    !character.tasteQuestion.test(clause) &&
    !character.dislikeQuestion.test(clause)
  )
    return undefined
  const all = describeSelf(situation)
  const keys = significantWords(subject ?? '')
  const matches = all.filter((text) => {
    if (subject === undefined)
      return character.dislikeQuestion.test(clause)
        ? character.dislikes.test(text)
        : character.tastes.test(text) && !character.dislikes.test(text)
    const words = significantWords(text)
    return keys.length > 0 && keys.every((key) => words.includes(key))
  })
  return matches.length > 0 ? say(matches.slice(0, maxSentences).join(' ')) : undefined
}

/** Returns the first sentence about the persona, followed by a space; empty if there is none. */
export const introduceSelf = (situation: Situation): string => {
  const { character } = wordsOf(situation)
  const [first] = describeSelf(situation).filter((text) => character.introduction.test(text))
  return first ? `${first} ` : ''
}

/** Chooses an example line of the character that has this form, else one of the phrases. */
export const varyInCharacter = (situation: Situation, form: RegExp, phrases: readonly string[]): string => {
  const examples = (situation.own?.character.split('\n') ?? [])
    .filter((line) => exampleLine.test(line))
    .map((line) => line.replace(exampleLine, '').trim())
    .filter((line) => form.test(line) && !wordsOf(situation).isQuestion(line))
  return vary(situation, examples.length > 0 ? examples : phrases)
}
