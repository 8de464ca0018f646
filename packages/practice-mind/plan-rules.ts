/** Rules that create and list reminders and appointments. */

import type { OpenPlan } from '../models/prompt-data.ts'
import { isQuestion } from './clauses.ts'
import { overlap } from './meaning-words.ts'
import { type Moment, questions } from './moment.ts'
import { toThem } from './pronouns.ts'
import { type Reply, type Rule, say, wish } from './reply.ts'
import { type Situation, wordsIn } from './situation.ts'
import { getWeekday, plusDays, sayWhen } from './wall-clock.ts'
import { hasTime, isDated, isSaid, peel, resolve, toPlanInput } from './when.ts'

const cannotPlan = 'I have no way to plan anything here, so I cannot promise to remind you.'
const cannotTell = 'I cannot see a clock here, so I do not know when that is.'

const reminderPattern =
  /^(?<before>.*?)\b(?:remind me|(?:set|make|create|add|put|give me|i(?:'d like| want| need)|schedule) (?:me )?(?:up )?an? (?:new )?(?:reminder|alarm)|(?:new )?reminder|(?:don't|do not) let me forget|i need to be reminded|(?:don't|do not) forget(?= to\b)|remember(?= to\b)|wake me(?: up)?)\b[:,]?\s*(?<rest>.*)$/is
const polite =
  /\b(?:please|can you|could you|would you|will you|i want you|i'd like you|i would like you|i need you|it would be (?:nice|great) if you could|to|kindly|just|also|then|and|hey|for me)\b/gi

interface Request {
  readonly kind: 'reminder' | 'schedule'
  readonly content: string
  readonly moment: Moment
}

/** Parses a request to plan. It may be incomplete. */
export const readRequest = (clause: string): Request | undefined =>
  readReminder(clause) ?? readAppointment(clause)

export const remind: Rule = (clause, situation) => {
  const request = readReminder(clause)
  return request && planRequest(request, situation)
}

/** Matches permissions, which are not requests. */
const permissionPattern =
  /\byou(?: are|'re)(?: not| never)? (?:allowed|permitted)\b|\bpermission\b|\b(?:allow|permit|forbid) you\b|\byou (?:may|can|must|should)(?: not|not|n't| never)\b|\bnever\b/i
const maybePermission = /^(?:yes,? )?you (?:may|can|could)\b/i

const otherPerson = /\b(?:he|she|they|who|my|our|his|her|their)\b/i

const readReminder = (clause: string): Request | undefined => {
  const request = clause.replace(/\?$/, '').replace(/^(?:please )?(?:don't|do not) forget to (?=remind)/i, '')
  const { before = '', rest = '' } = reminderPattern.exec(request)?.groups ?? {}
  if (
    !reminderPattern.test(request) ||
    permissionPattern.test(before) ||
    /\b(?:what|which|when|do i have|any|list|show|cancel|delete|remove|forget|how many|i|did you|do you)\b(?! (?:want|would|need|'d))/i.test(
      before.replace(/\bi(?:'d| want| would| need)\b/gi, ''),
    )
  )
    return undefined
  const moment: Moment = {}
  // The sentence is about another person.
  if (otherPerson.test(peel(before.replace(polite, ' '), moment, 'both'))) return undefined
  const alarm = /wake me/i.test(clause) || (/\balarm\b/i.test(clause) && !/\bto\b/i.test(rest))
  const content = getContent(
    alarm ? `${rest.replace(/^(?:for |at )?(?=\d)/i, 'at ')} to get up` : rest,
    moment,
  )
  return maybePermission.test(before) && !isSaid(moment) ? undefined : { kind: 'reminder', content, moment }
}

/** "Tomorrow at nine to call mum": returns the content without the time, at any position. */
const getContent = (rest: string, moment: Moment): string => {
  const text = rest.trim().replace(/^for (?=.*\b(?:to|that|about)\b)/i, '')
  // "For Friday at five: the dentist": after "for" comes a time here, not the content.
  const withoutFor = text.replace(/^for /i, '')
  const source = peel(withoutFor, { ...moment }, 'start') === withoutFor ? text : withoutFor
  for (const { index, 0: joint } of source.matchAll(
    /(?:^|\s)(?:to|that|about|of(?! (?:every|each|the) month\b)|for)(?=\s)|:(?=\s)/gi,
  )) {
    const head = source.slice(0, index)
    const trial: Moment = { ...moment }
    if (peel(head.replace(/\b(?:please|again|for me)\b/gi, ''), trial, 'end') !== '') continue
    Object.assign(moment, trial)
    const tail = source.slice(index + joint.length)
    // If the day comes first, only a time of day may follow. Other time phrases belong to the content.
    return peel(tail, moment, 'end', isSaid(trial) ? 'time' : 'all')
  }
  return peel(source, moment, 'both')
}

const planRequest = ({ kind, content, moment }: Request, situation: Situation): Reply => {
  const { tools, now, talk } = situation
  if (!tools.has('plan add')) return say(cannotPlan)
  if (!now) return say(cannotTell)
  const title = content
    .replace(/^[\s:,–—-]+/, '')
    .replace(/^(?:to|that|about|of) /i, '')
    .replace(/(?<![\s.,!])[\s.,!]+(?:please[\s.,!]*)?$/i, '')
    .replace(/,? please$/i, '')
  const subject = /^(?:it|that|this|them)?$/i.test(title) && title ? getEarlierMessage(talk) : title
  if (!subject) return say(questions.what)
  if (!isSaid(moment))
    return say(
      event.test(subject)
        ? `I know the clock, and not what happens elsewhere. ${questions.when}`
        : questions.when,
    )
  const resolvedTime = resolve({ ...guessPart(subject, moment), ...moment }, now)
  if ('ask' in resolvedTime) return say(resolvedTime.ask)
  const { recurrence, ...time } = toPlanInput(resolvedTime)
  return wish({
    name: 'plan',
    input: { kind, ...time, content: subject.slice(0, 300), ...(recurrence ? { recurrence } : {}) },
  })
}

const event = /^(?:when|once|as soon as|after|before|until|if|whenever) (?:i|we|you|he|she|they|it|the|my)\b/i

/** Derives the half of the day from the content. */
const guessPart = (content: string, { hour = 0 }: Moment): Moment => {
  if (hour >= 3 && /\b(?:get up|wake up|breakfast)\b/i.test(content)) return { part: 'morning' }
  if (hour >= 5 && /\b(?:dinner|supper|party|concert|theat(?:re|er)|cinema)\b/i.test(content))
    return { part: 'evening' }
  return {}
}

/** Returns true for requests that may need an answer to become complete. */
export const asksToPlan = (clause: string): boolean =>
  readRequest(clause) !== undefined || movePattern.test(clause)
const movePattern = /^(?:please |can you |could you )*(?:move|change|shift|postpone|reschedule|push|delay)\b/i

/** Returns the user's previous message, which "it" refers to. */
const getEarlierMessage = (talk: Situation['talk']): string =>
  wordsIn(talk.filter(({ by }) => by === 'person').at(-2)).slice(0, 200)

const occasions =
  'appointment|meeting|exam|interview|flight|lesson|class|party|train|call with|date with|dinner|lunch|concert|check-?up|deadline|wedding|visit'
const havePattern = new RegExp(
  `^(?:i(?:'ve got| have got| have|'ve)|there(?:'s| is)) (?:an? |the |my )?(?<what>.*\\b(?:${occasions})\\b.*)$`,
  'is',
)
const isPattern = new RegExp(
  `^(?:my|the) (?<what>.{0,80}\\b(?:${occasions})\\b.{0,80}?) (?:is|'s)(?: on| at)? (?<rest>.+)$`,
  'i',
)
const enterPattern =
  /^(?:can you |could you |would you |i(?:'d| would) like (?:you )?to |i want (?:you )?to )?(?:please )?(?<verb>schedule|plan|book|put|add|note|enter) (?:me )?(?:in )?(?:an? |my |the )?(?<what>.+?)\??$/i
const calendarPattern =
  /(?<!\s)\s*\b(?:in|on|to|into) (?:my |the |your )?(?:calendar|schedule|agenda|diary|plans)\b/i

export const appoint: Rule = (clause, situation) => {
  const request = readAppointment(clause)
  return request && planRequest(request, situation)
}

const readAppointment = (clause: string): Request | undefined => {
  const moment: Moment = {}
  const entry = enterPattern.exec(clause)?.groups
  const { what, rest } = isPattern.exec(clause)?.groups ?? {}
  const event = entry
    ? entry.what
    : rest
      ? `${what} ${/^\d|^(?:noon|midnight)/.test(rest) ? 'at ' : ''}${rest}`
      : havePattern.exec(clause)?.groups?.what
  if (!event) return readNote(clause)
  const content = peel(event.replace(calendarPattern, ''), moment, 'both')
  const isAppointment =
    isSaid(moment) || (entry && (calendarPattern.test(event) || /schedule|book/i.test(entry.verb ?? '')))
  return isAppointment && !/^(?:i|it|you)\b/i.test(content)
    ? { kind: 'schedule', content, moment }
    : undefined
}

/** "Dentist on Thursday at three": a few words with a day and a time that do not form a sentence. */
const readNote = (clause: string): Request | undefined => {
  const moment: Moment = {}
  const content = clause.length > 100 || isQuestion(clause) ? '' : peel(clause, moment, 'both')
  const isNote =
    content &&
    content.split(' ').length <= 6 &&
    isDated(moment) &&
    hasTime(moment) &&
    moment.minutes === undefined
  return isNote && !moment.unclear && !sentenceWords.test(content)
    ? { kind: 'schedule', content, moment }
    : undefined
}
const sentenceWords =
  /\b(?:i|i'm|me|you|we|us|he|she|it|they|who|that|is|are|was|were|am|be|been|has|have|had|will|would|can|could|should|must|do|does|did|not|no|never|until|till|before|after|since|maybe|perhaps|yes|ok|okay|hello|hi|thanks|see|went|came|saw|got|ate|born|died|call me|remind|move|cancel|delete|forget|remember|what|when|where)\b|'(?:s|ll|re|ve|m|d)\b|n't\b/i

const listPattern =
  /^(?:so )?(?:how many|what(?:'s| is| are| do i have| have i got| did i)?|which|do i have|have i got|are there|is there|show(?: me)?|list|tell me|read(?: me)?|check|any)\b.*\b(?:planned|plans?|calendar|schedule|scheduled|agenda|reminders?|appointments?|coming up|up next|to do today|going on)\b|^what(?:'s| is) (?:on|up|next)(?: (?:for )?(?:today|tomorrow|this week|next week))?\??$|^what (?:do|have) i (?:have|got) (?:on )?(?:to do )?(?:today|tomorrow|tonight|this week|next week)|^am i (?:free|busy)\b|^(?:my )?(?:plans|calendar|reminders|schedule|agenda)\b.{0,20}$/i

export const listPlans: Rule = (clause, { tools, plans, now }) => {
  if (!listPattern.test(clause) || /\b(?:cancel|delete|remove)\b/i.test(clause)) return undefined
  if (!tools.has('plan list')) return say(now ? tellPlans(plans, now) : 'I cannot see your calendar here.')
  const span = now ? getRange(clause, now) : undefined
  return wish({ name: 'plan', input: { op: 'list', ...(span && { from: span[0], to: span[1] }) } })
}

/** Answers "When is the dentist?" from the visible plans. */
export const whenPlanned: Rule = (clause, { plans, now, statements }) => {
  if (!now || !/^(?:when|(?:at )?what time|what day)\b/i.test(clause) || !isQuestion(clause)) return undefined
  const highestOverlap = Math.max(0, ...plans.map(({ content }) => overlap(clause, content)))
  const bestOverlap = Math.max(0, ...statements.map(({ text }) => overlap(clause, text)))
  if (highestOverlap <= bestOverlap) return undefined
  const matches = plans.filter(({ content }) => overlap(clause, content) === highestOverlap)
  return say(tellPlans(matches, now))
}

/** Returns a half-open range of days, from midnight to midnight. */
const getRange = (clause: string, now: string): readonly [string, string] | undefined => {
  const midnight = `${now.slice(0, 10)}T00:00`
  const monday = plusDays(midnight, -getWeekday(now))
  if (/\b(?:today|tonight|this (?:morning|afternoon|evening))\b/i.test(clause))
    return [midnight, plusDays(midnight, 1)]
  if (/\btomorrow\b/i.test(clause)) return [plusDays(midnight, 1), plusDays(midnight, 2)]
  if (/\bthis week\b/i.test(clause)) return [midnight, plusDays(monday, 7)]
  if (/\bnext week\b/i.test(clause)) return [plusDays(monday, 7), plusDays(monday, 14)]
  return undefined
}

export const tellPlans = (
  plans: readonly Pick<OpenPlan, 'when' | 'recurrence' | 'content'>[],
  now: string,
): string => {
  if (plans.length === 0) return 'Nothing is planned.'
  const lines = [...plans]
    .sort((a, b) => a.when.localeCompare(b.when))
    .map((plan) => `- ${sayWhen(plan.when, now, plan.recurrence)}: ${toThem(plan.content)}`)
  return `This is planned:\n${lines.join('\n')}`
}
