/** The rule that searches all earlier conversations. */
import { type Rule, say, wish } from './reply.ts'
import { type Words, wordsOf } from './words.ts'

/** Earlier questions of this kind are in the conversation, too. They are never a search result. */
export const asksBack = (clause: string, { recall, isQuestion }: Words): boolean =>
  recall.pattern.test(clause) && isQuestion(clause)

export const recall: Rule = (clause, situation) => {
  const { recall: texts, isQuestion } = wordsOf(situation)
  if (!isQuestion(clause) && !texts.start.test(clause)) return undefined
  const subject = texts.pattern.exec(clause)?.groups?.what
  if (subject === undefined || texts.reported.test(clause)) return undefined
  if (!situation.tools.has('recall')) return say(texts.cannot)
  const query = subject.replace(texts.articles, '').replace(texts.times, '').trim()
  return query ? wish({ name: 'recall', input: { query, limit: 20 } }) : say(texts.aboutWhat)
}
