/**
 * What was: what fell due, and the days that are over. Read from the indexes of a journal, backwards, and
 * never kept.
 */

import type { Kind } from '../journal/facts/fact.ts'
import type { Seq } from '../journal/facts/fact-values.ts'
import type { EventOf } from '../journal/facts/facts.ts'
import type { Entry, Journal } from '../journal/log/journal.ts'
import type { Plan } from './plans.ts'

type Reader = Pick<Journal, 'head' | 'read'>

/** `from <= at < to`, epoch milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

const aDay = 24 * 60 * 60_000

type Planned = Omit<EventOf<'EntryPlanned'>, 'type'>

/** What was planned, and has fallen due. */
export interface Fallen {
  readonly plan: Planned
  /** When it was to happen, and when it fell due: later, where it did not live then. Epoch milliseconds. */
  readonly at: number
  readonly fell: number
}

interface Asked {
  readonly span: Span
  /** What waits to be told: known without looking for it. */
  readonly waiting: readonly Plan[]
  /** Epoch milliseconds of a wall time in a zone. */
  readonly instantOf: (wall: string, zone: string) => number
  readonly upTo?: Seq
}

/**
 * What fell due for a time within the span, in the order of those times. What was taken back before it was
 * told is not among it.
 */
export const fallenWithin = async (
  journal: Reader,
  { span, waiting, instantOf, upTo = journal.head.seq }: Asked,
): Promise<readonly Fallen[]> => {
  const fallen: Fallen[] = []
  if (span.from >= span.to) return fallen
  const tell = (plan: Planned, fell: number) => {
    const at = instantOf(plan.wall, plan.zone)
    if (at >= span.from && at < span.to) fallen.push({ plan, at, fell })
  }
  const known = new Map<string, Planned>(waiting.map((plan) => [plan.id, plan]))
  /** Fell due, and its plan lies further back: when it fell due. */
  const sought = new Map<string, number>()
  let cancelled: ReadonlySet<string> = new Set()

  const settle = ({ due, planned, ...page }: ReturnType<typeof createPage>) => {
    for (const [id, { plan = known.get(id), fell }] of due) {
      if (cancelled.has(id)) continue
      if (plan) tell(plan, fell)
      else sought.set(id, fell)
    }
    for (const [id, fell] of sought) {
      const plan = planned.get(id)
      if (plan) tell(plan, fell)
      if (plan) sought.delete(id)
    }
    cancelled = new Set([...[...cancelled].filter((id) => !planned.has(id)), ...page.cancelled])
  }

  await readBack(journal, { kind: 'plans', since: span.from, upTo }, () => {
    const page = createPage(span.from)
    const isEnough = (isBefore: boolean) => {
      settle(page)
      // Nothing falls due before its time.
      return isBefore && sought.size === 0
    }
    return { take: page.take, isEnough }
  })
  return fallen.sort((one, other) => one.at - other.at || one.fell - other.fell)
}

/** What happened to plans in one page. */
const createPage = (from: number) => {
  /** As they stand at its end; what fell due in it not among them. */
  const planned = new Map<string, Planned>()
  /** `plan` where it stands in this page too. */
  const due = new Map<string, { readonly plan?: Planned; readonly fell: number }>()
  /** Not planned in it, nor fallen due. */
  const cancelled = new Set<string>()
  const take = (entry: Entry): void => {
    // Told by its header alone: what is not needed is not decoded.
    if (entry.type === 'EntryDone' || (entry.type === 'EntryDue' && entry.at < from)) return
    const { event } = entry
    if (event.type === 'EntryPlanned' || event.type === 'EntryMoved') {
      const { type: _, ...plan } = event
      planned.set(plan.id, plan)
    }
    if (event.type === 'EntryDue') {
      const plan = planned.get(event.id)
      due.set(event.id, { ...(plan && { plan }), fell: entry.at })
      planned.delete(event.id)
    }
    if (event.type === 'EntryCancelled' && !due.delete(event.id) && !planned.delete(event.id))
      cancelled.add(event.id)
  }
  return { planned, due, cancelled, take }
}

/** All that was said on one date and is over. */
export interface ClosedDay {
  /** When its last words were said: epoch milliseconds, and minutes east of UTC. */
  readonly at: number
  readonly offset: number
  readonly body: string
}

/** What the clock showed where it lived, at a moment that a fact tells of. */
type OffsetOf = (epoch: number, told: Pick<Entry, 'at' | 'offset'>) => number

/** Days whose last words lie within the span, in order. */
export const daysWithin = async (
  journal: Reader,
  span: Span,
  offsetOf: OffsetOf,
): Promise<readonly ClosedDay[]> => {
  if (span.from >= span.to) return []
  // A date may have been closed in several pieces, the first of them a day before the span.
  const days = await closedDays(journal, { since: span.from - aDay, most: Infinity }, offsetOf)
  return days.filter(({ at }) => at >= span.from && at < span.to)
}

/** The latest dates that are over, in order. */
export const lastDays = async (
  journal: Reader,
  most: number,
  offsetOf: OffsetOf,
): Promise<readonly ClosedDay[]> =>
  (await closedDays(journal, { since: -Infinity, most }, offsetOf)).slice(-most)

/** At least those since a moment, or so many of them, in order. */
const closedDays = async (
  journal: Reader,
  { since, most }: { readonly since: number; readonly most: number },
  offsetOf: OffsetOf,
): Promise<readonly ClosedDay[]> => {
  const dates = new Map<string, ClosedDay[]>()
  const take = (entry: Entry): void => {
    if (entry.type !== 'DayClosed' || entry.event.type !== 'DayClosed') return
    const { ended, summary } = entry.event
    const offset = offsetOf(ended, entry)
    const date = new Date(ended + offset * 60_000).toISOString().slice(0, 10)
    dates.set(date, [...(dates.get(date) ?? []), { at: ended, offset, body: summary }])
  }
  await readBack(journal, { kind: 'days', since, upTo: journal.head.seq }, () => ({
    take,
    // The oldest of them may have been closed in several pieces.
    isEnough: (isBefore) => isBefore || dates.size > most,
  }))
  return [...dates.values()].map(joined).sort((one, other) => one.at - other.at)
}

const joined = (pieces: readonly ClosedDay[]): ClosedDay => {
  const inOrder = [...pieces].sort((one, other) => one.at - other.at)
  const last = inOrder.at(-1) ?? { at: 0, offset: 0 }
  return { ...last, body: inOrder.flatMap(({ body }) => body.trim() || []).join('\n\n') }
}

const [firstPage, longestPage] = [500, 16_000]

interface Looking {
  readonly kind: Kind
  /** Epoch milliseconds. */
  readonly since: number
  readonly upTo: Seq | 0
}

/**
 * What is made of one page: shown its facts in order, then whether all of them were written before the moment
 * asked for.
 */
interface PageReader {
  readonly take: (entry: Entry) => void
  readonly isEnough: (isBefore: boolean) => boolean
}

/**
 * Facts of a kind, in pages from the newest to the oldest. A single fact of an earlier time says nothing of
 * those before it, since clocks jump, so whole pages are looked at. Where no index can be trusted each of
 * them costs a walk through the journal, so they grow.
 */
const readBack = async (
  journal: Reader,
  { kind, since, upTo }: Looking,
  openPage: () => PageReader,
): Promise<void> => {
  let end = upTo
  for (let last = firstPage; end > 0; last = Math.min(2 * last, longestPage)) {
    const page = openPage()
    let [first, read, before] = [end, 0, 0]
    for await (const entry of journal.read({ kind, upTo: end, last })) {
      if (read++ === 0) first = entry.seq
      if (entry.at < since) before++
      page.take(entry)
    }
    if (page.isEnough(before === read) || read < last) return
    end = first - 1
  }
}
