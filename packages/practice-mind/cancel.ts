/** Rules that cancel or move existing plans. */

import type { OpenPlan } from '../models/prompt-data.ts'
import { splitClauses } from './clauses.ts'
import { overlap } from './meaning-words.ts'
import type { Moment } from './moment.ts'
import { tellPlans } from './plan-rules.ts'
import { toThem } from './pronouns.ts'
import { list, type Rule, say, type Wish, wish } from './reply.ts'
import { findLastReceived, type Situation, toRecord, wordsIn } from './situation.ts'
import { toDay } from './wall-clock.ts'
import { hasTime, isDated, isSaid, peel, resolve, toPlanInput } from './when.ts'

const planNouns =
  '(?:reminders?|alarms?|plans?|appointments?|meetings?|entry|entries|schedule|calendar|event)'
const cancelPattern = new RegExp(
  `^(?:please |can you |could you |would you )*(?:cancel|call off|delete|remove|drop|clear|stop|scratch)\\b(?<what>.*)$|^(?:please )?forget (?:about )?(?!that (?:i|my|we)\\b)(?<forgotten>.*\\b${planNouns}\\b.*)$|^i (?:don't|do not) need (?<unneeded>.*\\b${planNouns}\\b.*?)(?: any ?more| any longer)?$|^(?:don't|do not|stop) remind(?:ing)? me(?<rest>.*)$`,
  'is',
)

const planNounPattern = new RegExp(planNouns, 'i')
const fillerWords = new RegExp(`\\b(?:the|my|that|this|it|about|to|for|of|please|${planNouns})\\b`, 'gi')

export const cancel: Rule = (clause, situation) => {
  const target = readCancelling(clause)
  if (target === undefined) return undefined
  const { tools, now } = situation
  const plans = situation.plans.filter(ofKind(target))
  const all = meansAll.test(target)
  const matches = all ? plans : choose(target, { ...situation, plans })
  // "Delete", "drop" and "stop" may refer to a known statement instead of a plan.
  const namesPlan = planNounPattern.test(target)
  if (
    !namesPlan &&
    !/\b(?:cancel|call off)\b/i.test(clause) &&
    !matches.some(({ content }) => overlap(target, content) > 0)
  )
    return undefined
  if (!tools.has('plan cancel')) return say('I have no way to cancel anything here.')
  // The prompt shows only the next plans. Read the later ones first.
  if (all && situation.laterPlans > 0 && tools.has('plan list'))
    return wish({ name: 'plan', input: { op: 'list' } })
  if (plans.length === 0 && !(all && situation.laterPlans > 0))
    return say('There is nothing planned that I could cancel.')
  if (plans.length === 0)
    return say(
      `Among the next ${situation.plans.length} plans is none of that kind, and I do not see the ${situation.laterPlans} later ones.`,
    )
  if (matches.length === 0) return say(`I do not find that among your plans. ${tellPlans(plans, now ?? '')}`)
  if (matches.length > 1 && !all)
    return say(
      `Which one? ${list(
        matches.map(({ content }) => `“${toThem(content)}”`),
        'or',
      )}?`,
    )
  return wish(...matches.slice(0, 40).map(({ id }) => cancelWish(id)))
}

const cancelWish = (id: string): Wish => ({ name: 'plan', input: { op: 'cancel', id } })

const meansAll = /\b(?:all|every|everything|both)\b/i

/**
 * Progress of a request to cancel all plans. Plans that the prompt does not show yet follow in later steps.
 */
export interface Clearing {
  /** Singular or plural noun that fits the count, such as "reminders". */
  readonly kind: string
  readonly cancelled: number
  /** Calls that cancel the next visible plans of that kind. */
  readonly next: readonly Wish[]
  /** Number of plans that stay planned. */
  readonly later: number
}

/** Returns undefined if the user did not ask to cancel all plans, or if no call was made. */
export const clearPlans = ({
  talk,
  name,
  plans,
  laterPlans,
  results,
  heard,
}: Situation): Clearing | undefined => {
  if (
    heard.length > 0 ||
    results.length === 0 ||
    results.some((result) => !isPlanCall(result, 'cancel') && !isPlanCall(result, 'list'))
  )
    return undefined
  const requestIndex = findLastReceived(talk)
  const targets = splitClauses(wordsIn(talk[requestIndex]), name).flatMap((clause) => {
    const target = readCancelling(clause)
    return target !== undefined && meansAll.test(target) ? [target] : []
  })
  if (targets.length !== 1) return undefined
  const turn = talk.slice(requestIndex + 1)
  const answers = turn.flatMap((utterance) => (utterance.by === 'persona' ? [utterance] : []))
  const attempts = answers.flatMap(({ calls }) => calls.filter((call) => isPlanCall(call, 'cancel')))
  const getOutputs = (op: string) => {
    const calls = answers.flatMap((answer) => answer.calls.filter((call) => isPlanCall(call, op)))
    return turn.flatMap((utterance) =>
      utterance.by === 'tool' && calls.some(({ id }) => id === utterance.call)
        ? [toRecord(utterance.output) ?? {}]
        : [],
    )
  }
  const failureCount = getOutputs('cancel').filter((output) => !('cancelled' in output)).length
  const read = getOutputs('list').map(readPlans)[0]
  const ids = new Set(attempts.map(({ input }) => (input as { id?: unknown })?.id))
  const lastTarget = targets[0] ?? ''
  const next = (read ?? plans).filter(ofKind(lastTarget)).filter(({ id }) => !ids.has(id))
  const isEnd = failureCount > 0 || answers.length >= maxSteps
  const cancelledCount = attempts.length - failureCount
  return {
    kind: nouns[getKind(lastTarget) ?? 'any'][cancelledCount === 1 ? 0 : 1],
    cancelled: cancelledCount,
    next: isEnd ? [] : next.slice(0, 40).map(({ id }) => cancelWish(id)),
    later: (read ? 0 : laterPlans) + (isEnd ? next.length : 0),
  }
}

const isPlanCall = ({ name, input }: { readonly name: string; readonly input: unknown }, op: string) =>
  name === 'plan' && toRecord(input)?.op === op

const nouns = {
  reminder: ['reminder', 'reminders'],
  schedule: ['appointment', 'appointments'],
  any: ['plan', 'plans'],
} as const

const readPlans = ({
  plans,
}: {
  readonly plans?: unknown
}): readonly Pick<OpenPlan, 'id' | 'kind'>[] | undefined =>
  Array.isArray(plans) ? plans.filter(isPlan) : undefined

const isPlan = (plan: unknown): plan is Pick<OpenPlan, 'id' | 'kind'> =>
  typeof plan === 'object' && plan !== null && 'id' in plan && typeof plan.id === 'string' && 'kind' in plan

/** Max model steps in a turn that cancels all plans. The remaining steps are left for the answer. */
const maxSteps = 12

const readCancelling = (clause: string): string | undefined => {
  const groups = cancelPattern.exec(clause.replace(/\?$/, ''))?.groups
  return groups && (groups.what ?? groups.forgotten ?? groups.unneeded ?? groups.rest ?? '').trim()
}

/** "Reminder" excludes appointments and vice versa. Returns undefined if both kinds are meant. */
const getKind = (target: string) =>
  /\breminders?\b/i.test(target)
    ? 'reminder'
    : /\b(?:appointments?|meetings?|event)\b/i.test(target)
      ? 'schedule'
      : undefined

const ofKind = (target: string) => {
  const kind = getKind(target)
  return (plan: Pick<OpenPlan, 'kind'>) => kind === undefined || plan.kind === kind
}

/**
 * Finds plans by their words, then by their time, then by the last mention in the conversation. Otherwise
 * returns all plans.
 */
const choose = (target: string, situation: Situation): readonly OpenPlan[] => {
  const { plans } = situation
  const words = target.replace(/'s\b/g, ' ').replace(fillerWords, ' ')
  const moment: Moment = {}
  const rest = peel(words.trim(), moment, 'both')
  const scores = plans.map((plan) => [plan, overlap(rest, plan.content)] as const)
  const bestScore = Math.max(0, ...scores.map(([, score]) => score))
  const matches = bestScore > 0 ? scores.filter(([, score]) => score === bestScore).map(([plan]) => plan) : []
  if (matches.length > 0) return matches
  if (/[\p{L}\p{N}]{3,}/u.test(rest)) return []
  const { now } = situation
  if (isSaid(moment) && now) {
    const resolvedTime = resolve(moment, now)
    const day = 'wall' in resolvedTime ? resolvedTime.wall : ''
    return plans.filter((plan) =>
      hasTime(moment) ? plan.when === day : plan.when.slice(0, 10) === day.slice(0, 10),
    )
  }
  const earlierTalk = situation.talk.filter(
    (utterance) => !situation.heard.some((message) => message === utterance),
  )
  const lastMentioned = earlierTalk
    .map((utterance) => plans.filter((plan) => mentions(wordsIn(utterance), plan)))
    .findLast((plansInText) => plansInText.length > 0)
  return lastMentioned ?? plans
}

const mentions = (text: string, { content }: OpenPlan) =>
  [content, toThem(content)].some((words) => text.toLowerCase().includes(words.toLowerCase()))

const movePattern =
  /^(?:please |can you |could you )*(?:move|change|shift|postpone|reschedule|push|delay)\b(?<what>.*?)\b(?:to|until|till|by|for)\b (?<when>.+?)\??$|^(?:no|wait|actually|sorry|make (?:it|that)|i meant|rather|better)\b[,]? ?(?:i meant |make it |rather |better )?(?<instead>.+?)(?: instead| rather)?$/is

/** Adds the moved plan before it cancels the old one, so that a failure in between loses nothing. */
export const move: Rule = (clause, situation) => {
  const groups = movePattern.exec(clause)?.groups
  const newTime = groups?.when ?? groups?.instead
  const { now, plans, tools, spoken } = situation
  // "No, at noon" refers to a plan only if the persona's last message was about a plan.
  if (groups?.instead && !/\b(?:remind you|calendar|moved it|is planned)\b/.test(spoken.at(-1) ?? ''))
    return undefined
  if (!groups || !newTime || !now || !tools.has('plan add') || !tools.has('plan cancel')) return undefined
  const moment: Moment = {}
  const rest = peel(groups.when && /^\w+$/.test(newTime) ? `at ${newTime}` : newTime, moment, 'both')
  if (rest || !isSaid(moment)) return undefined
  if (plans.length === 0) return groups.when ? say('There is nothing planned that I could move.') : undefined
  const [plan, ...alternatives] = choose(groups.what ?? '', situation)
  if (!plan && groups.when) return say(`I do not find that among your plans. ${tellPlans(plans, now)}`)
  if (!plan || alternatives.length > 0) return undefined
  if (!isDated(moment) && moment.minutes === undefined) moment.day = toDay(plan.when)
  // Keep the time if the user names only a day.
  const [hour = 0, minute = 0] = plan.when.slice(11, 16).split(':').map(Number)
  if (!hasTime(moment) && !moment.part) Object.assign(moment, { hour, minute, exact: true })
  const resolvedTime = resolve(moment, now)
  if ('ask' in resolvedTime) return say(resolvedTime.ask)
  const { recurrence = plan.recurrence, ...time } = toPlanInput(resolvedTime)
  const replacement: Wish = {
    name: 'plan',
    input: { kind: plan.kind, ...time, content: plan.content, ...(recurrence ? { recurrence } : {}) },
  }
  return wish(replacement, cancelWish(plan.id))
}
