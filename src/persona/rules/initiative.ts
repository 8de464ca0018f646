/**
 * Rules of the messages that a persona writes by itself: the user's choice, the reasons for a message, and
 * when it may be sent.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Channel, InitiativeKind, InitiativeLevel, Seq } from '../../../facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../facts/facts.ts'
import {
  type Candidate,
  type InitiativeChoice,
  initialChoice,
  isSourced,
  maxOpen,
} from '../../../projections/initiative.ts'
import { oneLine, toPlainText } from '../../../projections/knowledge.ts'
import type { Persona } from '../../../projections/persona.ts'
import { getWaitingInboxes } from '../../../projections/talk.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import type { OfLife } from './lifecycle.ts'
import { callFacts, type OrganCall } from './organ-health.ts'
import { createMessageSaid } from './talk.ts'

/** Undefined fields stay. */
export interface ChooseInitiative extends Partial<InitiativeChoice> {
  readonly type: 'ChooseInitiative'
}

/** A reason that a consolidation found, or the new version of an open one. */
export interface PlanInitiative {
  readonly type: 'PlanInitiative'
  readonly id: string
  readonly kind: InitiativeKind
  readonly at: number
  readonly reason: string
  readonly sources: readonly Seq[]
  readonly yearly: boolean
}

/** The talk has settled it. */
export interface EndInitiative {
  readonly type: 'EndInitiative'
  readonly id: string
}
/** Results of a consolidation. */
export type InitiativeChange = PlanInitiative | EndInitiative

/** The user changes a reason. Undefined fields stay. */
interface ChangeInitiative {
  readonly type: 'ChangeInitiative'
  readonly id: string
  readonly at?: number | undefined
  readonly reason?: string | undefined
}
interface RemoveInitiative {
  readonly type: 'RemoveInitiative'
  readonly id: string
}
/** Also of a reason whose message was sent. */
interface DislikeInitiative {
  readonly type: 'DislikeInitiative'
  readonly id: string
}

/** `wall`: local time of the user. `spokenToday`: messages on this local date. */
export interface InitiativeMoment {
  readonly now: number
  readonly wall: string
  readonly spokenToday: number
}

/** `at`: its time; it may have been moved. */
interface ConsiderInitiative extends OfLife {
  readonly type: 'ConsiderInitiative'
  readonly id: string
  readonly at: number
  /** Its next time, if the decision is given up. */
  readonly next: number | null
  readonly moment: InitiativeMoment
}

/** Removes reasons whose time is over, and those whose messages are gone. */
interface TidyInitiatives extends OfLife {
  readonly type: 'TidyInitiatives'
  readonly expired: readonly { readonly id: string; readonly at: number; readonly next: number | null }[]
}

/** `words`: the message, if it spoke. */
export interface SettleInitiative extends OfLife {
  readonly type: 'SettleInitiative'
  readonly id: string
  readonly at: number
  readonly outcome: EventOf<'InitiativeSettled'>['outcome']
  readonly next: number | null
  readonly channel: Channel
  readonly words: string | null
  /** Words of others in the message. */
  readonly borrowed: readonly string[]
  readonly calls: readonly OrganCall[]
}

export type InitiativeCommand =
  | ChooseInitiative
  | ChangeInitiative
  | RemoveInitiative
  | DislikeInitiative
  | ConsiderInitiative
  | TidyInitiatives
  | SettleInitiative

/** In UTF-16 units. */
export const maxReasonLength = 300
/** Source messages of a reason. */
const maxSources = 10
/** Messages on one day. */
const maxPerDay: Readonly<Record<InitiativeLevel, number>> = { off: 0, gentle: 1, lively: 3 }
const minuteMs = 60_000
/** Time in ms without a message of either side before the persona may write. */
const calmMs = 15 * minuteMs
/** Time in ms between two decisions. After a closed lid, many reasons may be due. */
const pauseMs = 60 * minuteMs
/** Time in ms after which a reason is too old. */
export const maxLateMs = 24 * 60 * minuteMs
/** Decisions that were begun and not made, for example because the daemon crashed. */
const maxTries = 3

/** `wall`: local time. */
const isQuietHour = (wall: string, { quietFrom, quietUntil }: InitiativeChoice): boolean => {
  const time = wall.slice(11, 16)
  return quietFrom <= quietUntil
    ? quietFrom <= time && time < quietUntil
    : quietFrom <= time || time < quietUntil
}

/** Returns true while the user writes or the persona works. */
const isBusy = ({ talk, plans, days }: Persona): boolean =>
  talk.turn !== null ||
  talk.greeting === 'asked' ||
  days.sleeping !== null ||
  plans.due.length > 0 ||
  getWaitingInboxes(talk).length > 0

/** Returns true if the persona may write by itself at this moment. */
export const mayWrite = (persona: Persona, { now, wall, spokenToday }: InitiativeMoment): boolean => {
  const { initiative, days } = persona
  const { level, unanswered, considered } = initiative
  if (spokenToday >= maxPerDay[level] || unanswered || isBusy(persona)) return false
  if (isQuietHour(wall, initiative)) return false
  const sinceMessageMs = days.last ? now - days.last.at : calmMs
  // A time in the future: the clock was set back.
  if (sinceMessageMs >= 0 && sinceMessageMs < calmMs) return false
  return !considered || Math.abs(now - considered.at) >= pauseMs
}

/**
 * Returns the reason to decide on, or null. Of several, the newest: older ones are less worth a message every
 * hour.
 */
export const findDue = ({ initiative, talk }: Persona, now: number): Candidate | null =>
  initiative.open
    .filter((candidate) => !candidate.resting && candidate.at <= now && isSourced(candidate, talk))
    .reduce<Candidate | null>(
      (newestSoFar, next) => (newestSoFar && newestSoFar.at > next.at ? newestSoFar : next),
      null,
    )

const choose = ({ initiative }: Persona, { type: _, ...change }: ChooseInitiative): Decision => {
  const previous = toChoice(initiative)
  const choice = { ...previous, ...change }
  return isDeepStrictEqual(previous, choice) ? accept() : accept({ type: 'InitiativeChosen', ...choice })
}

export const toChoice = ({ level, zone, quietFrom, quietUntil }: InitiativeChoice): InitiativeChoice => ({
  level,
  zone,
  quietFrom,
  quietUntil,
})

/** The choice at the creation of a persona. */
export const createChoiceEvents = (
  choice: Pick<InitiativeChoice, 'level' | 'zone'> | undefined,
): readonly PersonaEvent[] =>
  choice && choice.level !== 'off' ? [{ type: 'InitiativeChosen', ...initialChoice, ...choice }] : []

/** Applies the changes in order. Skips those that repeat something. */
export const planInitiatives = (
  { initiative }: Persona,
  changes: readonly InitiativeChange[],
): readonly PersonaEvent[] => {
  if (initiative.level === 'off') return []
  const knownReasons = [...initiative.open.filter(({ resting }) => !resting), ...initiative.recent]
  const reasons = new Set(knownReasons.map(({ reason }) => toPlainText(reason)))
  let count = initiative.open.length
  const usedIds = new Set<string>()
  return changes.flatMap((change): readonly PersonaEvent[] => {
    const { id } = change
    const open = initiative.open.find((candidate) => candidate.id === id)
    if (usedIds.has(id)) return []
    usedIds.add(id)
    if (change.type === 'EndInitiative') return open ? [{ type: 'InitiativeRemoved', id, cause: 'talk' }] : []
    const { kind, at, yearly } = change
    const reason = oneLine(change.reason).slice(0, maxReasonLength).toWellFormed()
    const sources = [...new Set([...(open?.sources ?? []), ...change.sources])].slice(-maxSources)
    if (reason === '' || sources.length === 0) return []
    const fields = { id, kind, at, reason, sources, ...(yearly && ({ yearly } as const)) }
    if (open) return open.at === at && !open.resting ? [] : [{ type: 'InitiativeMoved', ...fields }]
    const plainReason = toPlainText(reason)
    if (reasons.has(plainReason) || count >= maxOpen) return []
    reasons.add(plainReason)
    count++
    return [{ type: 'InitiativePlanned', ...fields }]
  })
}

const change = ({ initiative }: Persona, { id, at, reason }: ChangeInitiative): Decision => {
  const open = initiative.open.find((candidate) => candidate.id === id)
  if (!open) return refuse({ code: 'initiative_unknown', id })
  const words = oneLine(reason ?? open.reason)
  if (words === '') return refuse({ code: 'entry_empty' })
  if (words.length > maxReasonLength)
    return refuse({ code: 'too_long', what: 'reason', most: maxReasonLength })
  if (words === open.reason && (at === undefined || at === open.at)) return accept()
  const { kind, sources, yearly } = open
  return accept({
    type: 'InitiativeMoved',
    id,
    kind,
    at: at ?? open.at,
    reason: words,
    sources: [...sources],
    ...(yearly && { yearly }),
  })
}

const remove = ({ initiative }: Persona, { id }: RemoveInitiative): Decision =>
  initiative.open.some((candidate) => candidate.id === id)
    ? accept({ type: 'InitiativeRemoved', id, cause: 'person' })
    : refuse({ code: 'initiative_unknown', id })

const dislike = ({ initiative }: Persona, { id }: DislikeInitiative): Decision => {
  const open = initiative.open.find((candidate) => candidate.id === id)
  const target = open ?? initiative.recent.findLast((candidate) => candidate.id === id)
  if (!target) return refuse({ code: 'initiative_unknown', id })
  const { kind, reason } = target
  const isKnown = initiative.disliked.some((entry) => entry.id === id)
  return accept(
    ...(isKnown ? [] : [{ type: 'InitiativeDisliked', id, kind, reason } as const]),
    ...(open ? [{ type: 'InitiativeRemoved', id, cause: 'person' } as const] : []),
  )
}

const findOpen = ({ initiative }: Persona, { id, at }: { readonly id: string; readonly at: number }) =>
  initiative.open.find((candidate) => candidate.id === id && candidate.at === at && !candidate.resting)

const consider = (persona: Persona, { id, at, next, life, moment }: ConsiderInitiative): Decision => {
  const candidate = findOpen(persona, { id, at })
  const isDue = candidate && at <= moment.now && isSourced(candidate, persona.talk)
  if (!isDue || !mayWrite(persona, moment)) return refuse({ code: 'nothing_waits' })
  const { considered } = persona.initiative
  return considered?.seq === candidate.seq && considered.times >= maxTries
    ? accept({ type: 'InitiativeSettled', id, outcome: 'failed', next })
    : accept({ type: 'InitiativeConsidered', life, id })
}

const tidy = (persona: Persona, { expired }: TidyInitiatives): Decision => {
  const { initiative, talk } = persona
  const sourceless = initiative.open.filter((candidate) => !isSourced(candidate, talk))
  return accept(
    ...sourceless.map(({ id }) => ({ type: 'InitiativeRemoved', id, cause: 'source' }) as const),
    ...expired
      .filter((entry) => findOpen(persona, entry) && !sourceless.some(({ id }) => id === entry.id))
      .map(({ id, next }) => ({ type: 'InitiativeSettled', id, outcome: 'expired', next }) as const),
  )
}

/**
 * The decision and its message in one commit, so that a crash cannot repeat the message. The message is
 * dropped if the user wrote or removed the reason meanwhile.
 */
const settle = (persona: Persona, command: SettleInitiative): Decision => {
  const { id, outcome, next, channel, words, borrowed, calls } = command
  const callEvents = callFacts(persona, calls, { turn: null, step: null, cause: 'initiative' })
  const { level, unanswered } = persona.initiative
  const candidate = findOpen(persona, command)
  // A write in doubt is on disk.
  if (!candidate && persona.initiative.recent.some((entry) => entry.id === id))
    return refuse({ code: 'recorded_already' })
  if (!candidate || !isSourced(candidate, persona.talk)) return accept(...callEvents)
  const isSpeaking = outcome === 'spoke' && words !== null
  if (isSpeaking && (level === 'off' || unanswered || isBusy(persona))) return accept(...callEvents)
  return accept(
    ...callEvents,
    { type: 'InitiativeSettled', id, outcome, next },
    ...createMessageSaid({ turn: null, step: null, channel }, isSpeaking ? words : null, borrowed).map(
      (message) => ({ ...message, initiative: id }),
    ),
  )
}

export const initiativeRules: Rules<InitiativeCommand> = {
  ChooseInitiative: choose,
  ChangeInitiative: change,
  RemoveInitiative: remove,
  DislikeInitiative: dislike,
  ConsiderInitiative: consider,
  TidyInitiatives: tidy,
  SettleInitiative: settle,
}
