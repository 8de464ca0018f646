/** Rules that cancel or move existing plans. */

import type { OpenPlan } from '../models/prompt-data.ts'
import { splitClauses } from './clauses.ts'
import { overlap } from './meaning-words.ts'
import type { Clearing, Moment } from './moment.ts'
import { tellPlans } from './plan-rules.ts'
import { list, type Rule, say, type Wish, wish } from './reply.ts'
import { findLastReceived, type Situation, toRecord, wordsIn } from './situation.ts'
import { toDay } from './wall-clock.ts'
import { hasTime, isDated, isSaid, resolve, toPlanInput } from './when.ts'
import { type Words, wordsOf } from './words.ts'

export const cancel: Rule = (clause, situation) => {
  const words = wordsOf(situation)
  const texts = words.cancel
  const target = readCancelling(clause, texts)
  if (target === undefined) return undefined
  const { tools, now } = situation
  const plans = situation.plans.filter(ofKind(target, texts))
  const all = texts.meansAll.test(target)
  const matches = all ? plans : choose(target, { ...situation, plans })
  // "Delete", "drop" and "stop" may refer to a known statement instead of a plan.
  const namesPlan = texts.planNoun.test(target)
  if (
    !namesPlan &&
    !texts.onlyPlans.test(clause) &&
    !matches.some(({ content }) => overlap(target, content) > 0)
  )
    return undefined
  if (!tools.has('plan cancel')) return say(texts.cannotCancel)
  // The prompt shows only the next plans. Read the later ones first.
  if (all && situation.laterPlans > 0 && tools.has('plan list'))
    return wish({ name: 'plan', input: { op: 'list' } })
  if (plans.length === 0 && !(all && situation.laterPlans > 0)) return say(texts.nothingToCancel)
  if (plans.length === 0) return say(texts.noneOfKind(situation.plans.length, situation.laterPlans))
  if (matches.length === 0) return say(`${texts.notFound} ${tellPlans(plans, now ?? '', words)}`)
  if (matches.length > 1 && !all)
    return say(
      texts.whichOne(
        list(
          matches.map(({ content }) => words.quote(words.toThem(content))),
          words.or,
        ),
      ),
    )
  return wish(...matches.slice(0, 40).map(({ id }) => cancelWish(id)))
}

const cancelWish = (id: string): Wish => ({ name: 'plan', input: { op: 'cancel', id } })

/** Returns undefined if the user did not ask to cancel all plans, or if no call was made. */
export const clearPlans = (situation: Situation): Clearing | undefined => {
  const { talk, name, plans, laterPlans, results, heard } = situation
  const { cancel: words, clauses } = wordsOf(situation)
  if (
    heard.length > 0 ||
    results.length === 0 ||
    results.some((result) => !isPlanCall(result, 'cancel') && !isPlanCall(result, 'list'))
  )
    return undefined
  const requestIndex = findLastReceived(talk)
  const targets = splitClauses(wordsIn(talk[requestIndex]), name, clauses).flatMap((clause) => {
    const target = readCancelling(clause, words)
    return target !== undefined && words.meansAll.test(target) ? [target] : []
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
  const next = (read ?? plans).filter(ofKind(lastTarget, words)).filter(({ id }) => !ids.has(id))
  const isEnd = failureCount > 0 || answers.length >= maxSteps
  const cancelledCount = attempts.length - failureCount
  return {
    kind: words.nouns[getKind(lastTarget, words) ?? 'any'][cancelledCount === 1 ? 0 : 1],
    cancelled: cancelledCount,
    next: isEnd ? [] : next.slice(0, 40).map(({ id }) => cancelWish(id)),
    later: (read ? 0 : laterPlans) + (isEnd ? next.length : 0),
  }
}

const isPlanCall = ({ name, input }: { readonly name: string; readonly input: unknown }, op: string) =>
  name === 'plan' && toRecord(input)?.op === op

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

type CancelWords = Words['cancel']

const readCancelling = (clause: string, { pattern }: CancelWords): string | undefined => {
  const groups = pattern.exec(clause.replace(/\?$/, ''))?.groups
  return groups && (groups.what ?? groups.forgotten ?? groups.unneeded ?? groups.rest ?? '').trim()
}

/** "Reminder" excludes appointments and vice versa. Returns undefined if both kinds are meant. */
const getKind = (target: string, { reminders, appointments }: CancelWords) =>
  reminders.test(target) ? 'reminder' : appointments.test(target) ? 'schedule' : undefined

const ofKind = (target: string, words: CancelWords) => {
  const kind = getKind(target, words)
  return (plan: Pick<OpenPlan, 'kind'>) => kind === undefined || plan.kind === kind
}

/**
 * Finds plans by their words, then by their time, then by the last mention in the conversation. Otherwise
 * returns all plans.
 */
const choose = (target: string, situation: Situation): readonly OpenPlan[] => {
  const { plans } = situation
  const words = wordsOf(situation)
  const moment: Moment = {}
  const rest = words.peel(words.cancel.removeFillers(target).trim(), moment, 'both')
  const scores = plans.map((plan) => [plan, overlap(rest, plan.content)] as const)
  const bestScore = Math.max(0, ...scores.map(([, score]) => score))
  const matches = bestScore > 0 ? scores.filter(([, score]) => score === bestScore).map(([plan]) => plan) : []
  const atTime = findAtTime(moment, matches.length > 0 ? matches : plans, situation)
  if (matches.length > 0) return atTime && atTime.length > 0 ? atTime : matches
  if (/[\p{L}\p{N}]{3,}/u.test(rest)) return []
  if (atTime) return atTime
  const earlierTalk = situation.talk.filter(
    (utterance) => !situation.heard.some((message) => message === utterance),
  )
  const lastMentioned = earlierTalk
    .map((utterance) => plans.filter((plan) => mentions(wordsIn(utterance), plan, words)))
    .findLast((plansInText) => plansInText.length > 0)
  return lastMentioned ?? plans
}

/** Returns undefined if the user named no time. */
const findAtTime = (
  moment: Moment,
  plans: readonly OpenPlan[],
  situation: Situation,
): readonly OpenPlan[] | undefined => {
  const { now } = situation
  if (!isSaid(moment) || !now) return undefined
  const resolvedTime = resolve(moment, now, wordsOf(situation).questions)
  const day = 'wall' in resolvedTime ? resolvedTime.wall : ''
  return plans.filter((plan) =>
    hasTime(moment) ? plan.when === day : plan.when.slice(0, 10) === day.slice(0, 10),
  )
}

const mentions = (text: string, { content }: OpenPlan, { toThem }: Words) =>
  [content, toThem(content)].some((words) => text.toLowerCase().includes(words.toLowerCase()))

/** Adds the moved plan before it cancels the old one, so that a failure in between loses nothing. */
export const move: Rule = (clause, situation) => {
  const words = wordsOf(situation)
  const { questions, moving } = words
  const groups = moving.pattern.exec(clause)?.groups
  const newTime = groups?.when ?? groups?.instead
  const { now, plans, tools, spoken } = situation
  // "No, at noon" refers to a plan only if the persona's last message was about a plan.
  if (groups?.instead && !moving.spokeOfPlan.test(spoken.at(-1) ?? '')) return undefined
  if (!groups || !newTime || !now || !tools.has('plan add') || !tools.has('plan cancel')) return undefined
  const moment: Moment = {}
  const rest = words.peel(
    groups.when && /^\w+$/.test(newTime) ? `${words.at} ${newTime}` : newTime,
    moment,
    'both',
  )
  if (rest || !isSaid(moment)) return undefined
  if (plans.length === 0) return groups.when ? say(moving.nothing) : undefined
  const [plan, ...alternatives] = choose(groups.what ?? '', situation)
  if (!plan && groups.when) return say(`${words.cancel.notFound} ${tellPlans(plans, now, words)}`)
  if (!plan || alternatives.length > 0) return undefined
  if (!isDated(moment) && moment.minutes === undefined) moment.day = toDay(plan.when)
  // Keep the time if the user names only a day.
  const [hour = 0, minute = 0] = plan.when.slice(11, 16).split(':').map(Number)
  if (!hasTime(moment) && !moment.part) Object.assign(moment, { hour, minute, exact: true })
  const resolvedTime = resolve(moment, now, questions)
  if ('ask' in resolvedTime) return say(resolvedTime.ask)
  const { recurrence = plan.recurrence, ...time } = toPlanInput(resolvedTime)
  const replacement: Wish = {
    name: 'plan',
    input: { kind: plan.kind, ...time, content: plan.content, ...(recurrence ? { recurrence } : {}) },
  }
  return wish(replacement, cancelWish(plan.id))
}
