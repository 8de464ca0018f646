/**
 * What calls cost, a day at a time: what was counted is kept beside the journal as a snapshot, so that a
 * long life is not read again for each look.
 */
import { isIn } from '../../journal/facts/facts.ts'
import type { Entry, Head, Journal, Range } from '../../journal/log/journal.ts'
import { type Call, type DayRow, plus, type Row, rowOf, type Window } from '../../projections/usage.ts'
import { yielding } from '../flow/yielding.ts'

/**
 * Calls of one local day with none of another between them. `first` and `last`: positions; `from` and `to`:
 * epoch milliseconds, both within.
 */
interface Stretch {
  readonly day: string
  readonly first: number
  readonly last: number
  readonly from: number
  readonly to: number
  readonly rows: readonly Row[]
}

/**
 * In order of position. Clocks and zones jump: stretches may overlap in time, and a day may have several, so
 * that a call of a day long past makes none that spans all the days since.
 */
type Ledger = readonly Stretch[]

const projector = 'usage'
/** Raised whenever the shape of the ledger changes. */
const version = 2
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
  const part: Part = { since: from ?? -Infinity, until: to ?? Infinity, after, upTo }
  for (const stretch of await ledgerOf(journal)) {
    if (!touches(stretch, part)) continue
    if (isWithin(stretch, part)) for (const row of stretch.rows) yield { day: stretch.day, ...row }
    else yield* readAnew(journal, stretch, part)
  }
}

/** `since <= at < until`, and `after < seq <= upTo`. */
interface Part {
  readonly since: number
  readonly until: number
  readonly after: number
  readonly upTo: number
}

const touches = ({ first, last, from, to }: Stretch, { since, until, after, upTo }: Part): boolean =>
  to >= since && from < until && last > after && first <= upTo

const isWithin = ({ first, last, from, to }: Stretch, { since, until, after, upTo }: Part): boolean =>
  from >= since && to < until && first > after && last <= upTo

async function* readAnew(
  journal: Journal,
  { first, last }: Stretch,
  { since, until, after, upTo }: Part,
): AsyncGenerator<DayRow> {
  const range = { after: Math.max(first - 1, after), upTo: Math.min(last, upTo) }
  for await (const entry of callsIn(journal, range))
    if (entry.at >= since && entry.at < until) yield rowOf(entry, entry.event)
}

interface CallThen extends Pick<Entry, 'seq' | 'at' | 'offset'> {
  readonly event: Call
}

async function* callsIn(journal: Journal, range: Pick<Range, 'after' | 'upTo'>): AsyncGenerator<CallThen> {
  for await (const { seq, at, offset, event } of yielding(journal.read({ kind: 'calls', ...range })))
    if (isIn('calls', event)) yield { seq, at, offset, event }
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
  const ledger = [...before.ledger]
  let { unkept } = before
  for await (const entry of callsIn(journal, { after: before.upTo, upTo: head.seq })) {
    const { day, ...row } = rowOf(entry, entry.event)
    const latest = ledger.at(-1)
    if (latest?.day === day) ledger[ledger.length - 1] = withRow(latest, entry, row)
    else ledger.push(begun(day, entry, row))
    unkept++
  }
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
  return { upTo: snapshot?.head.seq ?? 0, ledger: (snapshot?.state ?? []) as Ledger, unkept: 0 }
}

const begun = (day: string, { seq, at }: CallThen, row: Row): Stretch => ({
  ...{ day, first: seq, last: seq, from: at, to: at },
  rows: [row],
})

const withRow = (stretch: Stretch, { seq, at }: CallThen, row: Row): Stretch => {
  const { day, first, from, to } = stretch
  const rows = [...stretch.rows]
  const place = rows.findIndex((known) => isAlike(known, row))
  const known = rows[place]
  if (known) rows[place] = { ...known, ...plus(known, row) }
  else rows.push(row)
  return { day, first, last: seq, from: Math.min(from, at), to: Math.max(to, at), rows }
}

const isAlike = (one: Row, other: Row): boolean =>
  one.organ === other.organ &&
  one.provider === other.provider &&
  one.model === other.model &&
  one.cause === other.cause
