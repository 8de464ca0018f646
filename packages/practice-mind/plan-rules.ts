/** Rules that create and list reminders and appointments. */

import type { OpenPlan } from '../models/prompt-data.ts'
import { overlap } from './meaning-words.ts'
import type { PlanRequest } from './moment.ts'
import { type Reply, type Rule, say, wish } from './reply.ts'
import { type Situation, wordsIn } from './situation.ts'
import { getWeekday, plusDays } from './wall-clock.ts'
import { isSaid, resolve, toPlanInput } from './when.ts'
import { type Words, wordsOf } from './words.ts'

export const remind: Rule = (clause, situation) => {
  const request = wordsOf(situation).plans.readReminder(clause)
  return request && planRequest(request, situation)
}

export const appoint: Rule = (clause, situation) => {
  const request = wordsOf(situation).plans.readAppointment(clause)
  return request && planRequest(request, situation)
}

/** Parses a request to plan. It may be incomplete. */
export const readRequest = (clause: string, { plans }: Words): PlanRequest | undefined =>
  plans.readReminder(clause) ?? plans.readAppointment(clause)

const planRequest = ({ kind, content, moment }: PlanRequest, situation: Situation): Reply => {
  const { tools, now, talk } = situation
  const { plans, questions } = wordsOf(situation)
  if (!tools.has('plan add')) return say(plans.cannotPlan)
  if (!now) return say(plans.noClock)
  const title = plans.trimTitle(content)
  const subject = plans.earlierMessage.test(title) && title ? getEarlierMessage(talk) : title
  if (!subject) return say(questions.what)
  if (!isSaid(moment))
    return say(plans.elsewhere.test(subject) ? `${plans.knowsOnlyClock} ${questions.when}` : questions.when)
  const resolvedTime = resolve({ ...plans.guessPart(subject, moment), ...moment }, now, questions)
  if ('ask' in resolvedTime) return say(resolvedTime.ask)
  const { recurrence, ...time } = toPlanInput(resolvedTime)
  return wish({
    name: 'plan',
    input: { kind, ...time, content: subject.slice(0, 300), ...(recurrence ? { recurrence } : {}) },
  })
}

/** Returns the user's previous message, which "it" refers to. */
const getEarlierMessage = (talk: Situation['talk']): string =>
  wordsIn(talk.filter(({ by }) => by === 'person').at(-2)).slice(0, 200)

export const listPlans: Rule = (clause, situation) => {
  const { tools, plans, now } = situation
  const words = wordsOf(situation).plans
  if (!words.listPattern.test(clause) || words.cancels.test(clause)) return undefined
  if (!tools.has('plan list')) return say(now ? tellPlans(plans, now, wordsOf(situation)) : words.noCalendar)
  const span = now ? getRange(clause, now, words.ranges) : undefined
  return wish({ name: 'plan', input: { op: 'list', ...(span && { from: span[0], to: span[1] }) } })
}

/** Answers "When is the dentist?" from the visible plans. */
export const whenPlanned: Rule = (clause, situation) => {
  const { plans, now, statements } = situation
  const words = wordsOf(situation)
  if (!now || !words.plans.whenQuestion.test(clause) || !words.isQuestion(clause)) return undefined
  const highestOverlap = Math.max(0, ...plans.map(({ content }) => overlap(clause, content)))
  const bestOverlap = Math.max(0, ...statements.map(({ text }) => overlap(clause, text)))
  if (highestOverlap <= bestOverlap) return undefined
  const matches = plans.filter(({ content }) => overlap(clause, content) === highestOverlap)
  return say(tellPlans(matches, now, words))
}

/** Returns a half-open range of days, from midnight to midnight. */
const getRange = (
  clause: string,
  now: string,
  { today, tomorrow, afterTomorrow, thisWeek, nextWeek }: Words['plans']['ranges'],
): readonly [string, string] | undefined => {
  const midnight = `${now.slice(0, 10)}T00:00`
  const monday = plusDays(midnight, -getWeekday(now))
  if (today.test(clause)) return [midnight, plusDays(midnight, 1)]
  if (afterTomorrow.test(clause)) return [plusDays(midnight, 2), plusDays(midnight, 3)]
  if (tomorrow.test(clause)) return [plusDays(midnight, 1), plusDays(midnight, 2)]
  if (thisWeek.test(clause)) return [midnight, plusDays(monday, 7)]
  if (nextWeek.test(clause)) return [plusDays(monday, 7), plusDays(monday, 14)]
  return undefined
}

export const tellPlans = (
  plans: readonly Pick<OpenPlan, 'when' | 'recurrence' | 'content'>[],
  now: string,
  words: Words,
): string => {
  if (plans.length === 0) return words.plans.none
  const lines = [...plans]
    .sort((a, b) => a.when.localeCompare(b.when))
    .map((plan) => `- ${words.sayWhen(plan.when, now, plan.recurrence)}: ${words.toThem(plan.content)}`)
  return `${words.plans.listHead}\n${lines.join('\n')}`
}
