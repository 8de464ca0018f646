/**
 * Combines the user's answer to the persona's own question with the request before it: "Remind me to call
 * mum." "When?" "Tomorrow." If the message is more than an answer, it is handled by itself and the question
 * is dropped.
 */
import { isQuestion, splitClauses } from './clauses.ts'
import { readFact } from './fact-forms.ts'
import { type Moment, questions } from './moment.ts'
import { asksToPlan, readRequest } from './plan-rules.ts'
import { type Situation, wordsIn } from './situation.ts'
import { talk } from './small-talk.ts'
import { isSaid, peel } from './when.ts'

const nameQuestion = 'What shall I call you?'
/** Longer questions first, because some end with the text of another one. */
const knownQuestions: readonly string[] = Object.values(questions).sort((a, b) => b.length - a.length)

/** Replies to "What shall I call you?" that are not a name. */
const notAName =
  /^(?:thanks?|thx|cheers|please|sorry|yes|yeah|yep|sure|okay|ok|fine|good|great|nice|well|maybe|later|why|how|when|hey|bye|goodbye|good ?night|guess|whatever|anything|you|i|it|that|this|the|tell|help|stop|never|not|don't|remind|remember|forget|delete|cancel|move|plan|schedule|set|list|show|draw|speak|say|look|read|ask|check|call me|be|my|our|we|he|she|they|do|can|could|would|is|are|let)\b/i

/**
 * Returns the clauses of the message, with its answer joined to the earlier request. Returns undefined if the
 * message is more than an answer.
 */
export const readFollowUp = (message: string, situation: Situation): readonly string[] | undefined => {
  const { talk: all, name } = situation
  // A due reminder between the question and the answer does not answer the question.
  const utterances = all.filter((utterance) => utterance.by === 'calendar' || wordsIn(utterance))
  const last = utterances.findLastIndex(
    (utterance) => utterance.by === 'person' && wordsIn(utterance) === message,
  )
  const asker = utterances.slice(0, Math.max(0, last)).findLastIndex(({ by }) => by !== 'persona')
  const previousUtterance = utterances[asker]
  const [question, ...rest] = utterances.slice(asker + 1, last)
  if (!previousUtterance || !question) return undefined
  const words = [question, ...rest].map(wordsIn).join('\n')
  if (
    /^(?:never ?mind|forget it|no\b|nothing|cancel|what|who|where|(?:hello|hi)[\s!.]*$)/i.test(message.trim())
  )
    return undefined
  if (words.includes(nameQuestion) && isName(message.trim())) return [`my name is ${message.trim()}`]

  const choice = /Do you mean (\d+ \w+) or (\d+ \w+)\?/.exec(words)
  const open = knownQuestions.find((knownQuestion) => words.includes(knownQuestion)) ?? choice?.[0]
  if (!open) return undefined
  const clauses = splitClauses(message, name)
  const index = clauses.findIndex((clause) => !talk(clause, situation)?.light)
  const answer = clauses[index] ?? ''
  if (!(open === questions.what ? isContent(answer, situation) || isTime(answer) : isTime(answer) || choice))
    return undefined
  const earlierClauses = readFollowUp(wordsIn(previousUtterance), {
    ...situation,
    talk: all.slice(0, all.indexOf(question)),
  })
  const request = (earlierClauses ?? splitClauses(wordsIn(previousUtterance), name)).findLast(asksToPlan)
  const completedRequest =
    request && (choice ? chooseDate(request, answer, choice) : complete(request, answer, open))
  if (!completedRequest) return undefined
  return [
    completedRequest,
    ...clauses
      .slice(index + 1)
      .filter((clause) => !/^(?:please )?remind me(?: then| again| please)*$/i.test(clause)),
  ]
}

const isName = (answer: string): boolean =>
  !notAName.test(answer) &&
  /^\p{L}[\p{L}'’-]*(?: \p{L}[\p{L}'’-]*){0,2}[.!]?$/u.test(answer) &&
  !isQuestion(answer) &&
  !readFact(answer)

/** Filler words around a time. */
const fillers =
  /^(?:(?:please|maybe|perhaps|say|let's say|how about|what about|make it|then|i think|it should be|better|rather|ok|okay|yes|remind me|do it|just|i mean|i'd say)\b,?\s*)+|(?<!\s)\s*(?:,\s*)?\b(?:please|then|i think|would be (?:good|fine|great|nice|perfect)|is (?:good|fine|great|perfect)|(?:would )?suits? me|or so)$/gi
const bareHour = /^(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i

const getTime = (answer: string): string => {
  const bareAnswer = answer
    .replace(/(?<![.!?])[.!?]+$/, '')
    .replace(fillers, '')
    .trim()
  return bareHour.test(bareAnswer) ? `at ${bareAnswer}` : bareAnswer
}

/** Returns true if the answer is only a time, or a time and a task. */
const isTime = (answer: string): boolean => {
  // A complete request has its own content.
  if (readRequest(answer)?.content) return false
  const moment: Moment = {}
  const rest = peel(getTime(answer), moment, 'both')
  return isSaid(moment) && (rest === '' || taskPrefix.test(rest))
}
const taskPrefix = /^(?:to|about|of) \S/i

/** Matches the beginning of a complete sentence. */
const sentenceStart =
  /^(?:(?:i|you|we|he|she|it|they|there|who|that|this|everything|nothing|nobody|everybody)(?:'\w+)? \S|(?:i|you|we|he|she|it|they|there|that)'\w+|(?:the|this|that|these|those|my|our|your|his|her|their) .*\b(?:is|are|was|were|am|has|have|had|will|would|can|could|should|must)(?:n't)?\b)/i
const commandStart =
  /^(?:please |just )*(?:be|call me|tell me|show|list|forget|delete|erase|remove|drop|stop|move|shift|postpone|reschedule|remember|let me|never|don't|do not|wait|help)\b/i

/** Returns true if the answer is a few words that name a task and mean nothing by themselves. */
const isContent = (answer: string, situation: Situation): boolean => {
  const request = readRequest(answer)
  if (request?.content && isSaid(request.moment)) return false
  if (
    /^(?:please )?(?:remind me )?(?:to|about|of) \S/i.test(answer) ||
    /^that (?!is\b|was\b|would\b|will\b)\S/i.test(answer)
  )
    return true
  if (
    /^(?:yes|yeah|yep|sure|ok|okay|fine|right|really|hm+|maybe|always|never|anything|something|it|that|this)$/i.test(
      answer,
    )
  )
    return false
  if (
    request ||
    isQuestion(answer) ||
    sentenceStart.test(answer) ||
    commandStart.test(answer) ||
    talk(answer, situation)?.light
  )
    return false
  const fact = readFact(answer)
  return (
    (!fact || fact.document === 'persona-trait') &&
    /[\p{L}\p{N}]/u.test(answer) &&
    answer.split(' ').length <= 8
  )
}

const complete = (request: string, answer: string, open: string): string => {
  const start = request.trim().replace(/(?<![.!?])[.!?]+$/, '')
  if (open === questions.what && !isTime(answer)) {
    const content = answer
      .replace(/(?<![.!])[.!]+$/, '')
      .replace(/^(?:please )?(?:remind me )?(?:to|that|about|of) /i, '')
    const rest = peel(content, {}, 'start')
    return `${start} ${content.slice(0, content.length - rest.length)}to ${rest}`
  }
  const time = getTime(answer)
  if (taskPrefix.test(peel(time, {}, 'start'))) return `remind me ${time}`
  if (open !== questions.past && open !== questions.noDay && open !== questions.rhythm)
    return `${start} ${time}`
  const { kind = 'reminder', content = '' } = readRequest(start) ?? {}
  if (content) return `${kind === 'schedule' ? 'schedule' : 'remind me to'} ${content} ${time}`
  return start.replace(/^(.*\b(?:to|until|till|by|for)) .*$/is, `$1 ${time}`)
}

/** Picks one of two dates by its position or its month, or takes a new date from the answer. */
const chooseDate = (
  request: string,
  answer: string,
  [, firstDate = '', secondDate = '']: readonly string[],
): string | undefined => {
  // Linear: letters only.
  const matchMonth = (date: string) => new RegExp(`\\b${date.split(' ')[1]?.slice(0, 3)}`, 'i')
  const bareAnswer = getTime(answer).replace(/^(?:i mean |on |the )+/i, '')
  const choice = /^first(?: one)?$/i.test(bareAnswer)
    ? firstDate
    : /^second(?: one)?$/i.test(bareAnswer)
      ? secondDate
      : [firstDate, secondDate].find(
          (date) => bareAnswer.split(' ').length <= 2 && matchMonth(date).test(bareAnswer),
        )
  const date = choice ?? (isTime(answer) ? bareAnswer : undefined)
  return (
    date &&
    request
      .trim()
      .replace(/(?<![.!?])[.!?]+$/, '')
      .replace(/(?:\bon )?\b\d{1,2}\/\d{1,2}(?:\/\d{2,4})?/, `on ${date}`)
  )
}
