/**
 * An answer to a question of its own continues what was said before it: "Remind me to call mum." "When?"
 * "Tomorrow." Whatever is no mere answer stands for itself, and the question is dropped.
 */
import { clausesOf, isQuestion } from './clauses.ts'
import { readFact } from './fact-forms.ts'
import { type Moment, questions } from './moment.ts'
import { asksToPlan, readRequest } from './plan-rules.ts'
import { type Situation, wordsIn } from './situation.ts'
import { talk } from './small-talk.ts'
import { isSaid, peel } from './when.ts'

const whatName = 'What shall I call you?'
/** The longer first: some end with another one. */
const asked: readonly string[] = Object.values(questions).sort((one, other) => other.length - one.length)

/** What people say instead of their name. */
const noName =
  /^(?:thanks?|thx|cheers|please|sorry|yes|yeah|yep|sure|okay|ok|fine|good|great|nice|well|maybe|later|why|how|when|hey|bye|goodbye|good ?night|guess|whatever|anything|you|i|it|that|this|the|tell|help|stop|never|not|don't|remind|remember|forget|delete|cancel|move|plan|schedule|set|list|show|draw|speak|say|look|read|ask|check|call me|be|my|our|we|he|she|they|do|can|could|would|is|are|let)\b/i

/**
 * The clauses of what was heard, an answer among them put to what it answers. Undefined: it stands for
 * itself.
 */
export const continuedFrom = (heard: string, situation: Situation): readonly string[] | undefined => {
  const { talk: all, name } = situation
  // What fell due was told in between: it answers nothing.
  const said = all.filter((one) => one.by === 'calendar' || wordsIn(one))
  const last = said.findLastIndex((one) => one.by === 'person' && wordsIn(one) === heard)
  const asker = said.slice(0, Math.max(0, last)).findLastIndex(({ by }) => by !== 'persona')
  const before = said[asker]
  const [question, ...more] = said.slice(asker + 1, last)
  if (!before || !question) return undefined
  const words = [question, ...more].map(wordsIn).join('\n')
  if (
    /^(?:never ?mind|forget it|no\b|nothing|cancel|what|who|where|(?:hello|hi)[\s!.]*$)/i.test(heard.trim())
  )
    return undefined
  if (words.includes(whatName) && isName(heard.trim())) return [`my name is ${heard.trim()}`]

  const choice = /Do you mean (\d+ \w+) or (\d+ \w+)\?/.exec(words)
  const open = asked.find((known) => words.includes(known)) ?? choice?.[0]
  if (!open) return undefined
  const clauses = clausesOf(heard, name)
  const at = clauses.findIndex((clause) => !talk(clause, situation)?.light)
  const answer = clauses[at] ?? ''
  if (!(open === questions.what ? isContent(answer, situation) || isTime(answer) : isTime(answer) || choice))
    return undefined
  const earlier = continuedFrom(wordsIn(before), { ...situation, talk: all.slice(0, all.indexOf(question)) })
  const request = (earlier ?? clausesOf(wordsIn(before), name)).findLast(asksToPlan)
  const whole = request && (choice ? chosen(request, answer, choice) : joined(request, answer, open))
  if (!whole) return undefined
  return [
    whole,
    ...clauses
      .slice(at + 1)
      .filter((clause) => !/^(?:please )?remind me(?: then| again| please)*$/i.test(clause)),
  ]
}

const isName = (said: string): boolean =>
  !noName.test(said) &&
  /^\p{L}[\p{L}'’-]*(?: \p{L}[\p{L}'’-]*){0,2}[.!]?$/u.test(said) &&
  !isQuestion(said) &&
  !readFact(said)

/** Words around a time that say nothing more. */
const around =
  /^(?:(?:please|maybe|perhaps|say|let's say|how about|what about|make it|then|i think|it should be|better|rather|ok|okay|yes|remind me|do it|just|i mean|i'd say)\b,?\s*)+|(?<!\s)\s*(?:,\s*)?\b(?:please|then|i think|would be (?:good|fine|great|nice|perfect)|is (?:good|fine|great|perfect)|(?:would )?suits? me|or so)$/gi
const bareHour = /^(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i

const timeOf = (answer: string): string => {
  const bare = answer
    .replace(/(?<![.!?])[.!?]+$/, '')
    .replace(around, '')
    .trim()
  return bareHour.test(bare) ? `at ${bare}` : bare
}

/** A time and nothing else, or with it what it is for. */
const isTime = (answer: string): boolean => {
  // A request that is whole has a content of its own.
  if (readRequest(answer)?.content) return false
  const moment: Moment = {}
  const left = peel(timeOf(answer), moment, 'both')
  return isSaid(moment) && (left === '' || toDo.test(left))
}
const toDo = /^(?:to|about|of) \S/i

/** What a sentence of its own begins with. */
const sentence =
  /^(?:(?:i|you|we|he|she|it|they|there|who|that|this|everything|nothing|nobody|everybody)(?:'\w+)? \S|(?:i|you|we|he|she|it|they|there|that)'\w+|(?:the|this|that|these|those|my|our|your|his|her|their) .*\b(?:is|are|was|were|am|has|have|had|will|would|can|could|should|must)(?:n't)?\b)/i
const command =
  /^(?:please |just )*(?:be|call me|tell me|show|list|forget|delete|erase|remove|drop|stop|move|shift|postpone|reschedule|remember|let me|never|don't|do not|wait|help)\b/i

/** A few words for what is to be done, which say nothing by themselves. */
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
    sentence.test(answer) ||
    command.test(answer) ||
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

const joined = (request: string, answer: string, open: string): string => {
  const start = request.trim().replace(/(?<![.!?])[.!?]+$/, '')
  if (open === questions.what && !isTime(answer)) {
    const content = answer
      .replace(/(?<![.!])[.!]+$/, '')
      .replace(/^(?:please )?(?:remind me )?(?:to|that|about|of) /i, '')
    const left = peel(content, {}, 'start')
    return `${start} ${content.slice(0, content.length - left.length)}to ${left}`
  }
  const time = timeOf(answer)
  if (toDo.test(peel(time, {}, 'start'))) return `remind me ${time}`
  if (open !== questions.past && open !== questions.noDay && open !== questions.rhythm)
    return `${start} ${time}`
  const { kind = 'reminder', content = '' } = readRequest(start) ?? {}
  if (content) return `${kind === 'schedule' ? 'schedule' : 'remind me to'} ${content} ${time}`
  return start.replace(/^(.*\b(?:to|until|till|by|for)) .*$/is, `$1 ${time}`)
}

/** One of two dates: by its place, by its month, or said anew. */
const chosen = (
  request: string,
  answer: string,
  [, one = '', other = '']: readonly string[],
): string | undefined => {
  // Linear: letters only.
  const monthOf = (date: string) => new RegExp(`\\b${date.split(' ')[1]?.slice(0, 3)}`, 'i')
  const bare = timeOf(answer).replace(/^(?:i mean |on |the )+/i, '')
  const picked = /^first(?: one)?$/i.test(bare)
    ? one
    : /^second(?: one)?$/i.test(bare)
      ? other
      : [one, other].find((date) => bare.split(' ').length <= 2 && monthOf(date).test(bare))
  const date = picked ?? (isTime(answer) ? bare : undefined)
  return (
    date &&
    request
      .trim()
      .replace(/(?<![.!?])[.!?]+$/, '')
      .replace(/(?:\bon )?\b\d{1,2}\/\d{1,2}(?:\/\d{2,4})?/, `on ${date}`)
  )
}
