/**
 * Combines the user's answer to the persona's own question with the request before it: "Remind me to call
 * mum." "When?" "Tomorrow." If the message is more than an answer, it is handled by itself and the question
 * is dropped.
 */
import { splitClauses } from './clauses.ts'
import { readFact } from './facts.ts'
import type { Moment } from './moment.ts'
import { readRequest } from './plan-rules.ts'
import { type Situation, wordsIn } from './situation.ts'
import { talk } from './small-talk.ts'
import { isSaid } from './when.ts'
import { type Words, wordsOf } from './words.ts'

/**
 * Returns the clauses of the message, with its answer joined to the earlier request. Returns undefined if the
 * message is more than an answer.
 */
export const readFollowUp = (message: string, situation: Situation): readonly string[] | undefined => {
  const { talk: all, name } = situation
  const table = wordsOf(situation)
  const { followUp, questions } = table
  // A due reminder between the question and the answer does not answer the question.
  const utterances = all.filter((utterance) => utterance.by === 'calendar' || wordsIn(utterance))
  const last = utterances.findLastIndex(
    (utterance) => utterance.by === 'person' && wordsIn(utterance) === message,
  )
  const asker = utterances.slice(0, Math.max(0, last)).findLastIndex(({ by }) => by !== 'persona')
  const previousUtterance = utterances[asker]
  const [question, ...rest] = utterances.slice(asker + 1, last)
  if (!question) return undefined
  const words = [question, ...rest].map(wordsIn).join('\n')
  if (followUp.dropsQuestion.test(message.trim())) return undefined
  const givenName = message.trim().replace(followUp.nameStart, '')
  // Next to other questions, one word is a name only if it is written like one.
  const isNamed = givenName !== message.trim() || /^\p{Lu}\p{L}*[.!]?$/u.test(givenName)
  const isAsked = words.includes(followUp.nameQuestion) || (isNamed && followUp.otherNameQuestion.test(words))
  if (isAsked && isName(givenName, table)) return [`${followUp.myNameIs} ${givenName}`]

  if (!previousUtterance) return undefined
  const choice = followUp.choice.exec(words)
  // Longer questions first, because some end with the text of another one.
  const open =
    Object.values(questions)
      .sort((a, b) => b.length - a.length)
      .find((knownQuestion) => words.includes(knownQuestion)) ?? choice?.[0]
  if (!open) return undefined
  const clauses = splitClauses(message, name, table.clauses)
  const index = clauses.findIndex((clause) => !talk(clause, situation)?.light)
  const answer = clauses[index] ?? ''
  const isAnswer =
    open === questions.what
      ? isContent(answer, situation) || isTime(answer, table)
      : isTime(answer, table) || choice !== null
  if (!isAnswer) return undefined
  const earlierClauses = readFollowUp(wordsIn(previousUtterance), {
    ...situation,
    talk: all.slice(0, all.indexOf(question)),
  })
  const request = (earlierClauses ?? splitClauses(wordsIn(previousUtterance), name, table.clauses)).findLast(
    (clause) => readRequest(clause, table) !== undefined || table.moving.request.test(clause),
  )
  const completedRequest =
    request && (choice ? chooseDate(request, answer, choice, table) : complete(request, answer, open, table))
  if (!completedRequest) return undefined
  return [
    completedRequest,
    ...clauses.slice(index + 1).filter((clause) => !followUp.bareRequest.test(clause)),
  ]
}

const isName = (answer: string, { followUp, isQuestion, facts }: Words): boolean =>
  !followUp.notAName.test(answer) &&
  /^\p{L}[\p{L}'’-]*(?: \p{L}[\p{L}'’-]*){0,2}[.!]?$/u.test(answer) &&
  !isQuestion(answer) &&
  !readFact(answer, facts)

const getTime = (answer: string, { followUp, at }: Words): string => {
  const bareAnswer = answer
    .replace(/(?<![.!?])[.!?]+$/, '')
    .replace(followUp.fillers, '')
    .trim()
  return followUp.bareHour.test(bareAnswer) ? `${at} ${bareAnswer}` : bareAnswer
}

/** Returns true if the answer is only a time, or a time and a task. */
const isTime = (answer: string, words: Words): boolean => {
  // A complete request has its own content.
  if (readRequest(answer, words)?.content) return false
  const moment: Moment = {}
  const rest = words.peel(getTime(answer, words), moment, 'both')
  return isSaid(moment) && (rest === '' || words.followUp.taskPrefix.test(rest))
}

/** Returns true if the answer is a few words that name a task and mean nothing by themselves. */
const isContent = (answer: string, situation: Situation): boolean => {
  const words = wordsOf(situation)
  const { followUp } = words
  const request = readRequest(answer, words)
  if (request?.content && isSaid(request.moment)) return false
  if (followUp.task.test(answer)) return true
  if (
    followUp.emptyAnswer.test(answer) ||
    request ||
    words.isQuestion(answer) ||
    followUp.sentenceStart.test(answer) ||
    followUp.commandStart.test(answer) ||
    talk(answer, situation)?.light
  )
    return false
  const fact = readFact(answer, words.facts)
  return (
    (!fact || fact.document === 'persona-trait') &&
    /[\p{L}\p{N}]/u.test(answer) &&
    answer.split(' ').length <= 8
  )
}

const complete = (request: string, answer: string, open: string, words: Words): string => {
  const { questions, followUp, peel } = words
  const start = request.trim().replace(/(?<![.!?])[.!?]+$/, '')
  if (open === questions.what && !isTime(answer, words)) {
    const content = answer.replace(/(?<![.!])[.!]+$/, '').replace(followUp.taskWords, '')
    const rest = peel(content, {}, 'start')
    return followUp.addTask(`${start} ${content.slice(0, content.length - rest.length)}`, rest)
  }
  const time = getTime(answer, words)
  if (followUp.taskPrefix.test(peel(time, {}, 'start'))) return `${followUp.remindMe} ${time}`
  const isMissing = open !== questions.past && open !== questions.noDay && open !== questions.rhythm
  const { kind = 'reminder', content = '' } = readRequest(start, words) ?? {}
  if (content && (!isMissing || followUp.isTimeFirst)) return followUp.request(kind, content, time)
  if (isMissing) return `${start} ${time}`
  return start.replace(followUp.timeOfMove, `$1 ${time}`)
}

/** Picks one of two dates by its position or its month, or takes a new date from the answer. */
const chooseDate = (
  request: string,
  answer: string,
  [, firstDate = '', secondDate = '']: readonly string[],
  words: Words,
): string | undefined => {
  const { followUp } = words
  // Linear: letters only.
  const matchMonth = (date: string) => new RegExp(`\\b${date.split(' ')[1]?.slice(0, 3)}`, 'i')
  const bareAnswer = getTime(answer, words).replace(followUp.datePrefix, '')
  const choice = followUp.first.test(bareAnswer)
    ? firstDate
    : followUp.second.test(bareAnswer)
      ? secondDate
      : [firstDate, secondDate].find(
          (date) => bareAnswer.split(' ').length <= 2 && matchMonth(date).test(bareAnswer),
        )
  const date = choice ?? (isTime(answer, words) ? bareAnswer : undefined)
  return (
    date &&
    request
      .trim()
      .replace(/(?<![.!?])[.!?]+$/, '')
      .replace(followUp.ambiguousDate, `${words.on} ${date}`)
  )
}
