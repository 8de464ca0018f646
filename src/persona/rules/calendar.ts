/** Rules of the calendar: entries are planned, moved, cancelled, and fall due. */
import type { Channel, Seq } from '../../../facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../../facts/facts.ts'
import { isAt, valueAt } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import { isPlanned, type Plan } from '../../../projections/plans.ts'
import { dueInTurns } from '../../../projections/talk.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import type { OfLife } from './lifecycle.ts'

/** The complete new state of the entry. */
type Entry = Omit<EventOf<'EntryPlanned'>, 'type'>

export interface WriteEntry {
  readonly type: 'WriteEntry'
  readonly entry: Entry
}
export interface MoveEntry {
  readonly type: 'MoveEntry'
  readonly entry: Entry
}
/** Also cancels all later occurrences. */
export interface CancelEntry {
  readonly type: 'CancelEntry'
  readonly id: string
}

/**
 * `seq`: the fact of the plan; it may be moved. `next`: local time of the next occurrence, under a new id.
 */
export interface DuePlan {
  readonly id: string
  readonly seq: Seq
  readonly next: { readonly id: string; readonly wall: string } | null
}

/** Oldest first. One turn speaks of all. */
interface FallDue {
  readonly type: 'FallDue'
  readonly due: readonly DuePlan[]
}

/** Corrects the time of a recurring plan that was planned by a clock far ahead. */
interface PlanAnew {
  readonly type: 'PlanAnew'
  readonly id: string
  readonly seq: Seq
  readonly wall: string
}

/** Sends reminders without a model. */
interface TellDue extends OfLife {
  readonly type: 'TellDue'
  readonly channel: Channel
  readonly told: readonly { readonly id: string; readonly words: string }[]
}

interface SubscribeCalendar extends Omit<EventOf<'CalendarSubscribed'>, 'type'> {
  readonly type: 'SubscribeCalendar'
}
interface UnsubscribeCalendar {
  readonly type: 'UnsubscribeCalendar'
  readonly id: string
}

export type CalendarCommand =
  | SubscribeCalendar
  | UnsubscribeCalendar
  | WriteEntry
  | MoveEntry
  | CancelEntry
  | FallDue
  | PlanAnew
  | TellDue

/** In UTF-16 units. */
const maxEntryLength = 1000

const badEntry = ({ content }: Entry): Decision | null => {
  if (content.trim() === '') return refuse({ code: 'entry_empty' })
  return content.length > maxEntryLength
    ? refuse({ code: 'too_long', what: 'entry', most: maxEntryLength })
    : null
}

const writeEntry = (_: Persona, { entry }: WriteEntry): Decision =>
  badEntry(entry) ?? accept({ type: 'EntryPlanned', ...entry })

const moveEntry = ({ plans }: Persona, { entry }: MoveEntry): Decision => {
  const refusal = badEntry(entry)
  if (refusal) return refusal
  return isAt(plans.open, entry.id)
    ? accept({ type: 'EntryMoved', ...entry })
    : refuse({ code: 'plan_unknown', id: entry.id })
}

const cancelEntry = ({ plans }: Persona, { id }: CancelEntry): Decision =>
  isPlanned(plans, id) ? accept({ type: 'EntryCancelled', id }) : refuse({ code: 'plan_unknown', id })

/** Skips plans that were cancelled or moved at the same time. */
const fallDue = ({ plans }: Persona, { due }: FallDue): Decision =>
  accept(
    ...due.flatMap(({ id, seq, next }): PersonaEvent[] => {
      const plan = valueAt(plans.open, id)
      if (plan?.seq !== seq) return []
      const { seq: _, ...entry } = plan
      const plannedEvents = next
        ? [{ ...entry, type: 'EntryPlanned', id: next.id, wall: next.wall } as const]
        : []
      return [{ type: 'EntryDue', id }, ...plannedEvents]
    }),
  )

/** Same plan and id, another time. */
const planAnew = ({ plans }: Persona, { id, seq, wall }: PlanAnew): Decision => {
  const plan = valueAt(plans.open, id)
  if (plan?.seq !== seq) return refuse({ code: 'plan_unknown', id })
  const { seq: _, ...entry } = plan
  return accept({ ...entry, type: 'EntryPlanned', wall })
}

/** Returns the texts of plans that contain words of others. */
export const othersIn = (duePlans: readonly Plan[]): readonly string[] =>
  duePlans.flatMap(({ via, content }) => (via ? content : []))

const createBorrowedField = (duePlans: readonly Plan[]): { readonly borrowed?: readonly string[] } => {
  const borrowedWords = othersIn(duePlans)
  return borrowedWords.length > 0 ? { borrowed: borrowedWords } : {}
}

/** Skips plans that a turn has taken: that turn speaks of them. */
const tellDue = ({ plans, talk }: Persona, { channel, told }: TellDue): Decision => {
  const dueIds = dueInTurns(talk)
  return accept(
    ...told
      .filter(({ id }) => plans.due.some((plan) => plan.id === id) && !dueIds.has(id))
      .flatMap(({ id, words }) => [
        {
          type: 'MessageSpoken',
          turn: null,
          step: null,
          channel,
          content: words,
          media: null,
          asks: null,
          ...createBorrowedField(plans.due.filter((plan) => plan.id === id)),
        } as const,
        { type: 'EntryDone', id } as const,
      ]),
  )
}

const maxSubscriptions = 20

const subscribeCalendar = ({ self }: Persona, { type: _, ...subscription }: SubscribeCalendar): Decision =>
  self.calendars.length >= maxSubscriptions
    ? refuse({ code: 'calendars_full', most: maxSubscriptions })
    : accept({ type: 'CalendarSubscribed', ...subscription })

const unsubscribeCalendar = ({ self }: Persona, { id }: UnsubscribeCalendar): Decision =>
  self.calendars.some((calendar) => calendar.id === id)
    ? accept({ type: 'CalendarUnsubscribed', id })
    : refuse({ code: 'calendar_unknown' })

export const calendarRules: Rules<CalendarCommand> = {
  SubscribeCalendar: subscribeCalendar,
  UnsubscribeCalendar: unsubscribeCalendar,
  WriteEntry: writeEntry,
  MoveEntry: moveEntry,
  CancelEntry: cancelEntry,
  FallDue: fallDue,
  PlanAnew: planAnew,
  TellDue: tellDue,
}

/** Marks plans that a turn took as done when it ends. */
export const createDoneEvents = (
  dueIds: readonly string[],
  duePlans: Persona['plans']['due'],
): readonly PersonaEvent[] =>
  dueIds.filter((id) => duePlans.some((plan) => plan.id === id)).map((id) => ({ type: 'EntryDone', id }))
