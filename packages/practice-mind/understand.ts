/**
 * What the practice mind makes of a message: cut into clauses, each taken by the first rule that knows what
 * to do with it.
 */
import { answerAbout, answerKnown, answerSomehow } from './answers.ts'
import { cancel, move } from './cancel.ts'
import { clausesOf } from './clauses.ts'
import { isCorrection, uncorrected } from './fact-forms.ts'
import { continuedFrom } from './follow-up.ts'
import { takeBack } from './forget-rules.ts'
import { giveMind } from './help-links.ts'
import { forget, lookUp, tellAll } from './known-rules.ts'
import { foreignLanguage } from './languages.ts'
import { editList } from './lists.ts'
import { useOrgan } from './organ-rules.ts'
import { subjectOf, tell } from './person-facts.ts'
import { appoint, listPlans, remind, whenPlanned } from './plan-rules.ts'
import { deleteData, explainFiles, explainPrivacy } from './privacy.ts'
import { keepWords } from './quoted.ts'
import { recall } from './recall-rule.ts'
import { chat, type Reply, type Rule, say, vary, type Wish } from './reply.ts'
import type { Situation } from './situation.ts'
import { acknowledge, talk } from './small-talk.ts'

const rules: readonly Rule[] = [
  deleteData,
  editList,
  cancel,
  move,
  useOrgan,
  listPlans,
  remind,
  appoint,
  recall,
  forget,
  tellAll,
  explainPrivacy,
  explainFiles,
  answerAbout,
  answerKnown,
  talkFirst,
  whenPlanned,
  lookUp,
  takeBack,
  keepWords,
  tell,
  talk,
  answerSomehow,
]

/**
 * Kind words and what it cannot come before facts only where they are certain: "I am tired" is no statement
 * to keep.
 */
function talkFirst(clause: string, situation: Situation): Reply | undefined {
  return /^(?:i\b|i'm\b|my\b|we\b|you (?:may|can|could|must|should|are (?:not |never )?allowed|have my permission)\b|no\b|actually\b)/i.test(
    clause,
  ) &&
    !/^i(?:'m| am| feel| have to go| must go| need to go| hate you| (?:really |do )?(?:love|like|adore) (?:you|talking))\b/i.test(
      clause,
    )
    ? undefined
    : talk(clause, situation)
}

export const replyTo = (heard: string, situation: Situation): readonly Reply[] => {
  if (!/[\p{L}\p{N}]/u.test(heard))
    return [
      say(
        /\p{Extended_Pictographic}/u.test(heard)
          ? vary(situation, [
              'I see. Words I understand better than pictures, though.',
              'That looks friendly.',
            ])
          : wordless(situation),
      ),
    ]
  const language = languageOf(heard)
  if (language)
    return [
      say(
        `That looks like ${language}. I am sorry, I do not speak it: I understand only simple English. A real mind may speak it: you give me one ${giveMind}.`,
      ),
    ]
  if (heard.length > longestHeard)
    return [
      say(
        'That is long, longer than I can follow. It is kept in our conversation all the same. Tell me in a sentence or two what I should remember.',
      ),
    ]

  const clauses = continuedFrom(heard, situation) ?? clausesOf(heard, situation.name)
  const replies = clauses.map((clause, n) => {
    // "That's wrong. I live in Porto.": the first only announces the second.
    if (isCorrection(clause) && !uncorrected(clause).replace(/\?$/, '') && n < clauses.length - 1)
      return say('')
    for (const rule of rules) {
      const reply = rule(clause, situation)
      if (reply) return reply
    }
    return undefined
  })
  const made = replies
    .filter((reply) => reply !== undefined)
    .filter(({ words, wishes }) => words || wishes.length > 0)
  if (made.length > 0) return settled(made, situation)
  // Only its name was called.
  return clauses.length > 0
    ? [say(acknowledge(clauses.at(-1) ?? heard, situation))]
    : [chat(vary(situation, ['Yes, I am here.', 'I am listening.']))]
}

/** Of two homes in one message the later counts, and a trade takes the place of the one that is over. */
const settled = (replies: readonly Reply[], { statements }: Situation): readonly Reply[] => {
  const all = replies.flatMap(({ wishes }) => wishes).filter(({ name }) => name === 'remember')
  const about = ({ input }: Wish) =>
    subjectOf(String(input.op === 'forget' ? statements.find(({ id }) => id === input.id)?.text : input.text))
  const kept = all.filter(({ input }) => input.op === 'keep')
  const newWork = kept.find((one) => trades.has(about(one) ?? ''))
  const oldWork = all.find((one) => one.input.op === 'forget' && trades.has(about(one) ?? ''))
  return replies.map((reply) => ({
    ...reply,
    wishes: reply.wishes.flatMap((one) => {
      const subject = kept.includes(one) ? about(one) : undefined
      if (subject && single.has(subject) && kept.findLast((other) => about(other) === subject) !== one)
        return []
      if (!newWork || !oldWork || (one !== newWork && one !== oldWork)) return [one]
      return one === oldWork
        ? []
        : [{ ...one, input: { op: 'revise', id: oldWork.input.id, text: one.input.text } }]
    }),
  }))
}
const single: ReadonlySet<string> = new Set(['name', 'called', 'home', 'origin', 'age', 'birthday'])
const trades: ReadonlySet<string> = new Set(['work', 'their job', 'is a'])

const wordless = (situation: Situation) =>
  vary(situation, [
    'I do not know what to make of that. Tell me in words.',
    'I see no words in that. What would you like to say?',
  ])

/** UTF-16 units: what is longer is not gone through for facts and wishes. */
export const longestHeard = 1500

/** Undefined for English. */
export const languageOf = (heard: string): string | undefined => foreignLanguage(heard.slice(0, longestHeard))
