/** Reads a journal as lines, one page at a time, so that a slow client does not keep the journal open. */
import type { Seq } from '../../facts/fact-values.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { createYielding } from '../../packages/kit/flow/yielding.ts'
import type { Reading } from '../persona/persona-store.ts'
import type { AuditPredicate } from './audit-filter.ts'
import { formatAuditLine } from './audit-line.ts'

/** A position up to which the journal was read. The hash is set if the record was read. */
export interface AuditPosition {
  readonly seq: Seq | 0
  readonly hash?: string
}

export interface AuditPage {
  readonly lines: string
  readonly place: AuditPosition
  /** Set if the journal is damaged here. No later page can be read. */
  readonly damage: Damaged | null
  /** True if there are more records to read. */
  readonly more: boolean
}

/** Max records per page, and UTF-16 units that are sent at once. */
const mostRecords = 16_384
const atOnce = 64 * 1024

interface PageRequest {
  readonly after: AuditPosition
  readonly upTo: number
  readonly shows: AuditPredicate | null
  /** Resolves to false if the client does not read fast enough. */
  readonly send: (lines: string) => Promise<boolean>
}

/** Sends the lines after a position. Returns the last lines unsent. */
export const readAuditPage = async (
  { journal }: Pick<Reading, 'journal'>,
  { after, upTo, shows, send }: PageRequest,
): Promise<AuditPage> => {
  const end = Math.min(upTo, journal.head.seq)
  const maybeYield = createYielding()
  let lines = ''
  let place = after
  let read = 0
  try {
    for await (const entries of journal.audit(after, end)) {
      for (const entry of entries) {
        if (!shows || shows(entry)) lines += formatAuditLine(entry)
        place = entry
      }
      read += entries.length
      if (read >= mostRecords) break
      if (lines.length >= atOnce) {
        const batch = lines
        lines = ''
        if (!(await send(batch))) break
      }
      await maybeYield()
    }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    return { lines, place: toPlace(place), damage: error, more: false }
  }
  const damage = place.seq >= end && upTo > end ? (journal.damage ?? null) : null
  return { lines, place: toPlace(place), damage, more: place.seq < end }
}

/** Drops the payload, so that the last entry of a page is not kept in memory. */
const toPlace = ({ seq, hash }: AuditPosition): AuditPosition => ({
  seq,
  ...(hash !== undefined && { hash }),
})

type Read = <T>(look: (reading: Pick<Reading, 'journal'>) => Promise<T>) => Promise<T>

/** Returns the position after which the last `last` matching facts follow, counted back from `upTo`. */
export const findStartOfLast = async (
  read: Read,
  { after, upTo, last }: { readonly after: Seq | 0; readonly upTo: number; readonly last: number },
  isShown: AuditPredicate | null,
): Promise<Seq | 0> => {
  let end = Math.min(upTo, await read(async ({ journal }) => journal.head.seq))
  if (!isShown) return Math.max(after, end - last)
  for (let recordsLeft = last; end > after; ) {
    const beginSeq = Math.max(after, end - mostRecords)
    const matches = await read(({ journal }) => positions(journal, beginSeq, end, isShown))
    // Facts after a damaged record are not shown, so the count starts again before it.
    if (matches.damaged !== undefined) {
      end = matches.damaged - 1
      recordsLeft = last
    }
    const first = matches.seqs[matches.seqs.length - recordsLeft]
    if (matches.damaged === undefined && first !== undefined) return first - 1
    if (matches.damaged === undefined) {
      end = beginSeq
      recordsLeft -= matches.seqs.length
    }
  }
  return after
}

const positions = async (
  journal: Journal,
  afterSeq: Seq | 0,
  upTo: Seq,
  isShown: AuditPredicate,
): Promise<{ readonly seqs: readonly Seq[]; readonly damaged?: Seq }> => {
  const seqs: Seq[] = []
  const maybeYield = createYielding()
  try {
    for await (const entries of journal.audit({ seq: afterSeq }, upTo)) {
      for (const entry of entries) if (isShown(entry)) seqs.push(entry.seq)
      await maybeYield()
    }
    return { seqs }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    return { seqs: [], damaged: error.seq }
  }
}
