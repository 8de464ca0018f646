/** Answers a message: splits it into clauses and gives each to the first rule that applies. */
import { answerAbout, answerFromStatements, answerKnown } from './answers.ts'
import { cancel, move } from './cancel.ts'
import { splitClauses } from './clauses.ts'
import { isCorrection, removeCorrection } from './facts.ts'
import { readFollowUp } from './follow-up.ts'
import { forgetEnded } from './forget-rules.ts'
import { keepWords } from './kept-words.ts'
import { forget, listKnown, lookUp } from './known-rules.ts'
import { foreignLanguage } from './languages.ts'
import { editList } from './lists.ts'
import { useOrgan } from './organ-rules.ts'
import { getStatementSubject, rememberPersonFact } from './person-facts.ts'
import { appoint, listPlans, remind, whenPlanned } from './plan-rules.ts'
import { deleteData, explainFiles, explainPrivacy } from './privacy.ts'
import { recall } from './recall-rule.ts'
import { chat, type Reply, type Rule, say, vary, type Wish } from './reply.ts'
import type { Situation } from './situation.ts'
import { acknowledge, talk, talkFirst } from './small-talk.ts'
import { tellTastes } from './tastes.ts'
import { searchWeb } from './web-search-rule.ts'
import { type Words, wordsOf } from './words.ts'

const rules: readonly Rule[] = [
  deleteData,
  editList,
  searchWeb,
  cancel,
  move,
  useOrgan,
  listPlans,
  remind,
  appoint,
  recall,
  forget,
  listKnown,
  explainPrivacy,
  explainFiles,
  answerAbout,
  answerKnown,
  tellTastes,
  talkFirst,
  whenPlanned,
  lookUp,
  forgetEnded,
  keepWords,
  rememberPersonFact,
  talk,
  answerFromStatements,
]

export const replyTo = (message: string, situation: Situation): readonly Reply[] => {
  const words = wordsOf(situation)
  const { odd } = words
  if (!/[\p{L}\p{N}]/u.test(message)) return [say(vary(situation, getWordless(message, odd)))]
  const foreign = foreignLanguage(message)
  if (foreign) return [say(odd.foreign(foreign))]
  if (message.length > maxHeardLength) return [say(odd.long)]

  const clauses = readFollowUp(message, situation) ?? splitClauses(message, situation.name, words.clauses)
  const replies = clauses.map((clause, n) => {
    // In "That's wrong. I live in Porto.", the first clause only announces the second.
    if (
      isCorrection(clause, words.facts) &&
      !removeCorrection(clause, words.facts).replace(/\?$/, '') &&
      n < clauses.length - 1
    )
      return say('')
    for (const rule of rules) {
      const reply = rule(clause, situation)
      if (reply) return reply
    }
    return undefined
  })
  const answers = replies
    .filter((reply) => reply !== undefined)
    .filter(({ words, wishes }) => words || wishes.length > 0)
  if (answers.length > 0) return resolveConflicts(answers, situation)
  // Without clauses, the message was only the persona's name.
  return clauses.length > 0
    ? [say(acknowledge(clauses.at(-1) ?? message, situation))]
    : [chat(vary(situation, odd.onlyName))]
}

/** Of two homes in one message the later counts. A new job replaces the one that ended. */
const resolveConflicts = (replies: readonly Reply[], { statements }: Situation): readonly Reply[] => {
  const all = replies.flatMap(({ wishes }) => wishes).filter(({ name }) => name === 'remember')
  const getSubject = ({ input }: Wish) =>
    getStatementSubject(
      String(input.op === 'forget' ? statements.find(({ id }) => id === input.id)?.text : input.text),
    )
  const newFacts = all.filter(({ input }) => input.op === 'keep')
  const newWork = newFacts.find((wish) => jobSubjects.has(getSubject(wish) ?? ''))
  const oldWork = all.find((wish) => wish.input.op === 'forget' && jobSubjects.has(getSubject(wish) ?? ''))
  return replies.map((reply) => ({
    ...reply,
    wishes: reply.wishes.flatMap((wish) => {
      const subject = newFacts.includes(wish) ? getSubject(wish) : undefined
      if (
        subject &&
        exclusiveSubjects.has(subject) &&
        newFacts.findLast((fact) => getSubject(fact) === subject) !== wish
      )
        return []
      if (!newWork || !oldWork || (wish !== newWork && wish !== oldWork)) return [wish]
      return wish === oldWork
        ? []
        : [{ ...wish, input: { op: 'revise', id: oldWork.input.id, text: wish.input.text } }]
    }),
  }))
}
const exclusiveSubjects: ReadonlySet<string> = new Set([
  'name',
  'called',
  'home',
  'origin',
  'age',
  'birthday',
])
const jobSubjects: ReadonlySet<string> = new Set(['work', 'their job', 'is a'])

/** Replies to a message without letters and digits: smileys, hearts, dots. */
const getWordless = (message: string, { sadSign, happySign, sad, happy, sign, noWords }: Words['odd']) =>
  sadSign.test(message)
    ? sad
    : happySign.test(message)
      ? happy
      : /\p{Extended_Pictographic}/u.test(message)
        ? sign
        : noWords

/** Max UTF-16 units of a message that is searched for facts and requests. */
export const maxHeardLength = 1500
