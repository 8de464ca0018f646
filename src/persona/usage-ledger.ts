/**
 * What calls cost, a day at a time: days that were counted are kept beside the journal as a snapshot, so that
 * a long life is not read again for each look.
 */
import { isIn } from '../../journal/facts/facts.ts'
import type { Head, Journal, Range } from '../../journal/log/journal.ts'
import { type DayRow, plus, type Row, rowOf, type Window } from '../../projections/usage.ts'
import { yielding } from '../flow/yielding.ts'

/**
 * The calls of a local day. `first` and `last`: positions; `from` and `to`: epoch milliseconds, both
 * within.
 */
interface Day {
  readonly first: number
  readonly last: number
  readonly from: number
  readonly to: number
  readonly rows: readonly Row[]
}

/** By day. Clocks and zones jump: a day may overlap with others in time and in position. */
type Ledger = Readonly<Record<string, Day>>

const projector = 'usage'
/** Raised whenever the shape of the ledger changes. */
const version = 1
/** As many calls are cheaper read again than kept anew. */
const worthKeeping = 512

/**
 * Rows of the calls within a window, and with `after < seq <= upTo`, in no order. Damaged where the journal
 * is.
 */
export async function* usageWithin(
  journal: Journal,
  { from, to }: Window,
  { after = 0, upTo = journal.head.seq }: Pick<Range, 'after' | 'upTo'> = {},
): AsyncGenerator<DayRow> {
  const [since, until] = [from ?? -Infinity, to ?? Infinity]
  for (const [day, { first, last, rows, ...span }] of Object.entries(await ledgerOf(journal))) {
    if (span.to < since || span.from >= until || last <= after || first > upTo) continue
    if (span.from >= since && span.to < until && first > after && last <= upTo) {
      for (const row of rows) yield { day, ...row }
      continue
    }
    // What is asked for begins or ends within the day.
    const range = { after: Math.max(first - 1, after), upTo: Math.min(last, upTo) }
    for await (const entry of yielding(journal.read({ kind: 'calls', ...range }))) {
      if (!isIn('calls', entry.event) || entry.at < since || entry.at >= until) continue
      const row = rowOf(entry, entry.event)
      if (row.day === day) yield row
    }
  }
}

/** What was counted up to a position; `unkept`: calls of it that no snapshot holds. */
interface Counted {
  readonly upTo: number
  readonly ledger: Ledger
  readonly unkept: number
}

/** Of each open journal, as it was counted last: what is kept need not be decoded for each look. */
const counted = new WeakMap<Journal, Counted>()

/** All there is up to now; what was counted since the last time is kept where it is much. */
const ledgerOf = async (journal: Journal): Promise<Ledger> => {
  const { head } = journal
  const known = counted.get(journal)
  if (known?.upTo === head.seq) return known.ledger
  const before = known && known.upTo < head.seq ? known : await keptBy(journal, head)
  const days = new Map(Object.entries(before.ledger))
  let { unkept } = before
  for await (const entry of yielding(journal.read({ kind: 'calls', after: before.upTo, upTo: head.seq }))) {
    if (!isIn('calls', entry.event)) continue
    const { day, ...row } = rowOf(entry, entry.event)
    days.set(day, withRow(days.get(day), entry, row))
    unkept++
  }
  const ledger = Object.fromEntries(days)
  if (unkept >= worthKeeping)
    await journal
      .keepSnapshot({ projector, version, head, state: ledger, alone: true })
      .then(() => (unkept = 0))
      // Only for speed: what keeps it from being written will be met by the next append.
      .catch(() => undefined)
  counted.set(journal, { upTo: head.seq, ledger, unkept })
  return ledger
}

const keptBy = async (journal: Journal, { seq }: Head): Promise<Counted> => {
  const snapshot = await journal.snapshot(projector, version, seq)
  return { upTo: snapshot?.head.seq ?? 0, ledger: (snapshot?.state ?? {}) as Ledger, unkept: 0 }
}

const withRow = (
  day: Day | undefined,
  { seq, at }: { readonly seq: number; readonly at: number },
  row: Row,
): Day => {
  if (!day) return { first: seq, last: seq, from: at, to: at, rows: [row] }
  const rows = [...day.rows]
  const place = rows.findIndex((known) => isAlike(known, row))
  const known = rows[place]
  if (known) rows[place] = { ...known, ...plus(known, row) }
  else rows.push(row)
  return { first: day.first, last: seq, from: Math.min(day.from, at), to: Math.max(day.to, at), rows }
}

const isAlike = (one: Row, other: Row): boolean =>
  one.organ === other.organ &&
  one.provider === other.provider &&
  one.model === other.model &&
  one.cause === other.cause
