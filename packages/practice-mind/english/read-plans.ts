/** Parses English requests to plan, to list and to move plans. */
import type { Moment, PlanRequest } from '../moment.ts'
import { hasTime, isDated, isSaid } from '../when.ts'
import { isQuestion } from './clauses.ts'
import { peel } from './peel-times.ts'

const reminderPattern =
  /^(?<before>.*?)\b(?:remind me|(?:set|make|create|add|put|give me|i(?:'d like| want| need)|schedule) (?:me )?(?:up )?an? (?:new )?(?:reminder|alarm)|(?:new )?reminder|(?:don't|do not) let me forget|i need to be reminded|(?:don't|do not) forget(?= to\b)|remember(?= to\b)|wake me(?: up)?)\b[:,]?\s*(?<rest>.*)$/is
const polite =
  /\b(?:please|can you|could you|would you|will you|i want you|i'd like you|i would like you|i need you|it would be (?:nice|great) if you could|to|kindly|just|also|then|and|hey|for me)\b/gi

/** Matches permissions, which are not requests. */
const permissionPattern =
  /\byou(?: are|'re)(?: not| never)? (?:allowed|permitted)\b|\bpermission\b|\b(?:allow|permit|forbid) you\b|\byou (?:may|can|must|should)(?: not|not|n't| never)\b|\bnever\b/i
const maybePermission = /^(?:yes,? )?you (?:may|can|could)\b/i

const otherPerson = /\b(?:he|she|they|who|my|our|his|her|their)\b/i

export const readReminder = (clause: string): PlanRequest | undefined => {
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

export const readAppointment = (clause: string): PlanRequest | undefined => {
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
const readNote = (clause: string): PlanRequest | undefined => {
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

/** An event elsewhere, at which nothing can be planned. */
export const elsewhereEvent =
  /^(?:when|once|as soon as|after|before|until|if|whenever) (?:i|we|you|he|she|they|it|the|my)\b/i

/** Derives the half of the day from the content. */
export const guessPart = (content: string, { hour = 0 }: Moment): Moment => {
  if (hour >= 3 && /\b(?:get up|wake up|breakfast)\b/i.test(content)) return { part: 'morning' }
  if (hour >= 5 && /\b(?:dinner|supper|party|concert|theat(?:re|er)|cinema)\b/i.test(content))
    return { part: 'evening' }
  return {}
}

export const listPattern =
  /^(?:so )?(?:how many|what(?:'s| is| are| do i have| have i got| did i)?|which|do i have|have i got|are there|is there|show(?: me)?|list|tell me|read(?: me)?|check|any)\b.*\b(?:planned|plans?|calendar|schedule|scheduled|agenda|reminders?|appointments?|coming up|up next|to do today|going on)\b|^what(?:'s| is) (?:on|next|up(?= (?:for|today|tomorrow|this|next)))(?: (?:for )?(?:today|tomorrow|this week|next week))?\??$|^what (?:do|have) i (?:have|got) (?:on )?(?:to do )?(?:today|tomorrow|tonight|this week|next week)|^am i (?:free|busy)\b|^(?:my )?(?:plans|calendar|reminders|schedule|agenda)\b.{0,20}$/i
