/** Reads past reminders and closed days from the indexes of a journal, backwards. Nothing is cached. */

import type { Kind } from '../facts/fact.ts'
import type { Seq } from '../facts/fact-values.ts'
import type { EventOf } from '../facts/facts.ts'
import type { Entry, Journal } from '../facts/persona-journal.ts'
import type { Plan } from './plans.ts'

type Reader = Pick<Journal, 'head' | 'read'>

/** `from <= at < to`, in epoch ms. */
export interface Span {
  readonly from: number
  readonly to: number
}

const aDay = 24 * 60 * 60_000

type Planned = Omit<EventOf<'EntryPlanned'>, 'type'>

/** A plan that fell due. */
export interface Fallen {
  readonly plan: Planned
  /**
   * `at`: planned time. `fell`: time when it fell due, which is later if the persona was stopped then. Epoch
   * ms.
   */
  readonly at: number
  readonly fell: number
}

interface Asked {
  readonly span: Span
  /** Due plans that no turn has handled yet. They are in the state and need not be read. */
  readonly waiting: readonly Plan[]
  /** Converts a wall time in a zone to epoch ms. */
  readonly toInstant: (wall: string, zone: string) => number
  readonly upTo?: Seq
}

/**
 * Returns the plans that fell due, by planned time within the span. Omits plans that were cancelled before a
 * turn handled them.
 */
export const fallenWithin = async (
  journal: Reader,
  { span, waiting, toInstant, upTo = journal.head.seq }: Asked,
): Promise<readonly Fallen[]> => {
  const fallenPlans: Fallen[] = []
  if (span.from >= span.to) return fallenPlans
  const tell = (plan: Planned, fellMs: number) => {
    const planMs = toInstant(plan.wall, plan.zone)
    if (planMs >= span.from && planMs < span.to) fallenPlans.push({ plan, at: planMs, fell: fellMs })
  }
  const plansById = new Map<string, Planned>(waiting.map((plan) => [plan.id, plan]))
  /** Due times by id, for plans that are on an older page. */
  const dueWithoutPlan = new Map<string, number>()
  let cancelledIds: ReadonlySet<string> = new Set()

  const settlePage = ({ due, planned: plans, ...page }: ReturnType<typeof createPage>) => {
    for (const [id, { plan = plansById.get(id), fell }] of due) {
      if (cancelledIds.has(id)) continue
      if (plan) tell(plan, fell)
      else dueWithoutPlan.set(id, fell)
    }
    for (const [id, fellMs] of dueWithoutPlan) {
      const plan = plans.get(id)
      if (plan) tell(plan, fellMs)
      if (plan) dueWithoutPlan.delete(id)
    }
    cancelledIds = new Set([...[...cancelledIds].filter((id) => !plans.has(id)), ...page.cancelled])
  }

  await readBack(journal, { kind: 'plans', since: span.from, upTo }, () => {
    const page = createPage(span.from)
    const isEnough = (isBefore: boolean) => {
      settlePage(page)
      // A plan never falls due before its planned time.
      return isBefore && dueWithoutPlan.size === 0
    }
    return { take: page.take, isEnough }
  })
  return fallenPlans.sort((a, b) => a.at - b.at || a.fell - b.fell)
}

/** Collects the changes of plans on one page. */
const createPage = (from: number) => {
  /** The plans that are open at the end of the page. */
  const plansById = new Map<string, Planned>()
  /** `plan` is set if the page contains it. */
  const dueById = new Map<string, { readonly plan?: Planned; readonly fell: number }>()
  /** Cancelled plans that the page neither plans nor has fall due. */
  const cancelledIds = new Set<string>()
  const addEntry = (entry: Entry): void => {
    // The header suffices to skip these, so their payload is not decoded.
    if (entry.type === 'EntryDone' || (entry.type === 'EntryDue' && entry.at < from)) return
    const { event } = entry
    if (event.type === 'EntryPlanned' || event.type === 'EntryMoved') {
      const { type: _, ...plan } = event
      plansById.set(plan.id, plan)
    }
    if (event.type === 'EntryDue') {
      const plan = plansById.get(event.id)
      dueById.set(event.id, { ...(plan && { plan }), fell: entry.at })
      plansById.delete(event.id)
    }
    if (event.type === 'EntryCancelled' && !dueById.delete(event.id) && !plansById.delete(event.id))
      cancelledIds.add(event.id)
  }
  return { planned: plansById, due: dueById, cancelled: cancelledIds, take: addEntry }
}

/** The summary of one closed date. */
export interface ClosedDay {
  /** Time of the last message: epoch ms, and minutes east of UTC. */
  readonly at: number
  readonly offset: number
  readonly body: string
}

/** Returns the UTC offset of the daemon's zone at the time of a fact. */
type OffsetOf = (epoch: number, fact: Pick<Entry, 'at' | 'offset'>) => number

/** Returns days whose last message is within the span, in order. */
export const daysWithin = async (
  journal: Reader,
  span: Span,
  getOffset: OffsetOf,
): Promise<readonly ClosedDay[]> => {
  if (span.from >= span.to) return []
  // A date may be closed in several parts, the first of which may be up to a day before the span.
  const days = await closedDays(journal, { since: span.from - aDay, limit: Infinity }, getOffset)
  return days.filter(({ at }) => at >= span.from && at < span.to)
}

/** Returns the latest closed dates, in order. */
export const lastDays = async (
  journal: Reader,
  limit: number,
  getOffset: OffsetOf,
): Promise<readonly ClosedDay[]> =>
  (await closedDays(journal, { since: -Infinity, limit }, getOffset)).slice(-limit)

/** Returns at least the days since a time or the given number of days, in order. */
const closedDays = async (
  journal: Reader,
  { since, limit }: { readonly since: number; readonly limit: number },
  getOffset: OffsetOf,
): Promise<readonly ClosedDay[]> => {
  const dates = new Map<string, ClosedDay[]>()
  const addEntry = (entry: Entry): void => {
    if (entry.type !== 'DayClosed' || entry.event.type !== 'DayClosed') return
    const { ended, summary } = entry.event
    const offset = getOffset(ended, entry)
    const date = new Date(ended + offset * 60_000).toISOString().slice(0, 10)
    dates.set(date, [...(dates.get(date) ?? []), { at: ended, offset, body: summary }])
  }
  await readBack(journal, { kind: 'days', since, upTo: journal.head.seq }, () => ({
    take: addEntry,
    // More than `most`, because the oldest date may be closed in several parts.
    isEnough: (isBefore) => isBefore || dates.size > limit,
  }))
  return [...dates.values()].map(joinDay).sort((a, b) => a.at - b.at)
}

const joinDay = (pieces: readonly ClosedDay[]): ClosedDay => {
  const inOrder = [...pieces].sort((a, b) => a.at - b.at)
  const last = inOrder.at(-1) ?? { at: 0, offset: 0 }
  return { ...last, body: inOrder.flatMap(({ body }) => body.trim() || []).join('\n\n') }
}

const firstPage = 500
const maxPageSize = 16_000

interface Looking {
  readonly kind: Kind
  /** Epoch ms. */
  readonly since: number
  readonly upTo: Seq | 0
}

/** Receives the facts of one page in order. `isBefore` says that all of them are older than `since`. */
interface PageReader {
  readonly take: (entry: Entry) => void
  readonly isEnough: (isBefore: boolean) => boolean
}

/**
 * Reads facts of a kind in pages, from newest to oldest. Clocks may jump, so only a page that is older as a
 * whole ends the search. The page size doubles, because without a valid index each page scans the whole
 * journal.
 */
const readBack = async (
  journal: Reader,
  { kind, since, upTo }: Looking,
  openPage: () => PageReader,
): Promise<void> => {
  let end = upTo
  for (let last = firstPage; end > 0; last = Math.min(2 * last, maxPageSize)) {
    const page = openPage()
    let first = end
    let read = 0
    let earlierCount = 0
    for await (const entry of journal.read({ kind, upTo: end, last })) {
      if (read++ === 0) first = entry.seq
      if (entry.at < since) earlierCount++
      page.take(entry)
    }
    if (page.isEnough(earlierCount === read) || read < last) return
    end = first - 1
  }
}
