/** Sums up usage per day. The sums are stored as a snapshot, so that a long life is not read each time. */

import { isIn } from '../../facts/facts.ts'
import type { Entry, Journal, Range } from '../../facts/persona-journal.ts'
import type { Head } from '../../journal/log/head.ts'
import { yielding } from '../../packages/kit/flow/yielding.ts'
import {
  type Charged,
  type DayRow,
  plus,
  type Row,
  toUsageRow,
  type Window,
} from '../../projections/usage.ts'

/**
 * Consecutive calls of one local day. `first` and `last`: positions; `from` and `to`: epoch milliseconds. All
 * inclusive.
 */
interface Span {
  readonly day: string
  readonly first: number
  readonly last: number
  readonly from: number
  readonly to: number
  readonly rows: readonly Row[]
}

/**
 * Ordered by position. When a clock or zone jumps back, the next call belongs to an earlier day. It then
 * begins a new span, so a day may have several spans, and they may overlap in time.
 */
type Ledger = readonly Span[]

const projector = 'usage'
/** Increment when the stored format changes. */
const version = 4
/** Min new calls before the ledger is stored again. */
const minNewCalls = 512

/** Yields rows of the calls in a window with `after < seq <= upTo`, unordered. Throws Damaged. */
export async function* usageWithin(
  journal: Journal,
  { from, to }: Window,
  { after = 0, upTo = journal.head.seq }: Pick<Range, 'after' | 'upTo'> = {},
): AsyncGenerator<DayRow> {
  const part: Part = { since: from ?? -Infinity, until: to ?? Infinity, after, upTo }
  for (const span of await loadLedger(journal)) {
    if (!touches(span, part)) continue
    if (isWithin(span, part)) for (const row of span.rows) yield { day: span.day, ...row }
    else yield* readCalls(journal, span, part)
  }
}

/** `since <= at < until`, and `after < seq <= upTo`. */
interface Part {
  readonly since: number
  readonly until: number
  readonly after: number
  readonly upTo: number
}

const touches = ({ first, last, from, to }: Span, { since, until, after, upTo }: Part): boolean =>
  to >= since && from < until && last > after && first <= upTo

const isWithin = ({ first, last, from, to }: Span, { since, until, after, upTo }: Part): boolean =>
  from >= since && to < until && first > after && last <= upTo

async function* readCalls(
  journal: Journal,
  { first, last }: Span,
  { since, until, after, upTo }: Part,
): AsyncGenerator<DayRow> {
  const range = { after: Math.max(first - 1, after), upTo: Math.min(last, upTo) }
  for await (const entry of callsIn(journal, range))
    if (entry.at >= since && entry.at < until) yield toUsageRow(entry, entry.event)
}

interface CallThen extends Pick<Entry, 'seq' | 'at' | 'offset'> {
  readonly event: Charged
}

async function* callsIn(journal: Journal, range: Pick<Range, 'after' | 'upTo'>): AsyncGenerator<CallThen> {
  for await (const { seq, at, offset, event } of yielding(journal.read({ kind: 'calls', ...range })))
    if (isIn('calls', event)) yield { seq, at, offset, event }
}

/** Sums up to a position; `unkept`: number of calls that the snapshot does not contain. */
interface UsageCount {
  readonly upTo: number
  readonly ledger: Ledger
  readonly unkept: number
}

/** Cache per open journal, which saves decoding the snapshot. */
const cache = new WeakMap<Journal, UsageCount>()

/** Counts the new calls and stores the ledger if there are many. */
const loadLedger = async (journal: Journal): Promise<Ledger> => {
  const { head } = journal
  const cachedLedger = cache.get(journal)
  if (cachedLedger?.upTo === head.seq) return cachedLedger.ledger
  const startLedger =
    cachedLedger && cachedLedger.upTo < head.seq ? cachedLedger : await loadSnapshot(journal, head)
  const ledger = [...startLedger.ledger]
  let { unkept } = startLedger
  for await (const entry of callsIn(journal, { after: startLedger.upTo, upTo: head.seq })) {
    const { day, ...row } = toUsageRow(entry, entry.event)
    const latestRow = ledger.at(-1)
    if (latestRow?.day === day) ledger[ledger.length - 1] = addRow(latestRow, entry, row)
    else ledger.push(newSpan(day, entry, row))
    unkept++
  }
  if (unkept >= minNewCalls)
    await journal
      .keepSnapshot({ projector, version, head, state: ledger, alone: true })
      .then(() => (unkept = 0))
      // The snapshot only saves time. The next append reports a failing disk.
      .catch(() => undefined)
  cache.set(journal, { upTo: head.seq, ledger, unkept })
  return ledger
}

const loadSnapshot = async (journal: Journal, { seq }: Head): Promise<UsageCount> => {
  const snapshot = await journal.snapshot(projector, version, seq)
  return { upTo: snapshot?.head.seq ?? 0, ledger: (snapshot?.state ?? []) as Ledger, unkept: 0 }
}

const newSpan = (day: string, { seq, at }: CallThen, row: Row): Span => ({
  day,
  first: seq,
  last: seq,
  from: at,
  to: at,
  rows: [row],
})

const addRow = (span: Span, { seq, at }: CallThen, row: Row): Span => {
  const { day, first, from, to } = span
  const rows = [...span.rows]
  const place = rows.findIndex((knownRow) => isAlike(knownRow, row))
  const sameRow = rows[place]
  if (sameRow) rows[place] = { ...sameRow, ...plus(sameRow, row) }
  else rows.push(row)
  return { day, first, last: seq, from: Math.min(from, at), to: Math.max(to, at), rows }
}

const isAlike = (first: Row, second: Row): boolean => {
  if ('search' in first || 'search' in second)
    return 'search' in first && 'search' in second && first.search === second.search
  return isAlikeCall(first, second)
}

type CallRow = Extract<Row, { readonly organ: unknown }>

const isAlikeCall = (first: CallRow, second: CallRow): boolean =>
  first.organ === second.organ &&
  first.provider === second.provider &&
  first.model === second.model &&
  first.cause === second.cause
