/** A journal as lines, a page at a time: it is not held while a client takes its time. */
import type { Seq } from '../../../journal/facts/fact-values.ts'
import { Damaged } from '../../../journal/log/errors.ts'
import type { Journal } from '../../../journal/log/journal.ts'
import { createYielding } from '../../../packages/kit/flow/yielding.ts'
import type { Reading } from '../../persona/persona-store.ts'
import type { Shows } from './audit-filter.ts'
import { auditLine } from './audit-line.ts'

/** A position that was shown or passed over; its hash, once it was read. */
export interface Place {
  readonly seq: Seq | 0
  readonly hash?: string
}

export interface AuditPage {
  readonly lines: string
  readonly place: Place
  /** What ends it for good. */
  readonly damage: Damaged | null
  /** There is more by now. */
  readonly more: boolean
}

/** Records that are looked at before others may have the journal, and UTF-16 units that are sent at once. */
const mostRecords = 16_384
const atOnce = 64 * 1024

interface Asked {
  readonly after: Place
  readonly upTo: number
  readonly shows: Shows | null
  /** Resolves with whether they are taken as fast as they come. */
  readonly send: (lines: string) => Promise<boolean>
}

/** Sends the lines behind a place, but for the last few, which it gives back. */
export const readAuditPage = async (
  { journal }: Pick<Reading, 'journal'>,
  { after, upTo, shows, send }: Asked,
): Promise<AuditPage> => {
  const end = Math.min(upTo, journal.head.seq)
  const maybeYield = createYielding()
  let [lines, place, read] = ['', after, 0]
  try {
    for await (const entries of journal.audit(after, end)) {
      for (const entry of entries) {
        if (!shows || shows(entry)) lines += auditLine(entry)
        place = entry
      }
      read += entries.length
      if (read >= mostRecords) break
      if (lines.length >= atOnce) {
        const told = lines
        lines = ''
        if (!(await send(told))) break
      }
      await maybeYield()
    }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    return { lines, place: kept(place), damage: error, more: false }
  }
  const damage = place.seq >= end && upTo > end ? (journal.damage ?? null) : null
  return { lines, place: kept(place), damage, more: place.seq < end }
}

/** The words of a whole page are not held for the place it ended at. */
const kept = ({ seq, hash }: Place): Place => ({ seq, ...(hash !== undefined && { hash }) })

type Read = <T>(look: (reading: Pick<Reading, 'journal'>) => Promise<T>) => Promise<T>

/** Behind which the last so many of those that are shown stand, up to a position. */
export const placeOfLast = async (
  read: Read,
  { after, upTo, last }: { readonly after: Seq | 0; readonly upTo: number; readonly last: number },
  shows: Shows | null,
): Promise<Seq | 0> => {
  let end = Math.min(upTo, await read(async ({ journal }) => journal.head.seq))
  if (!shows) return Math.max(after, end - last)
  for (let left = last; end > after; ) {
    const begin = Math.max(after, end - mostRecords)
    const found = await read(({ journal }) => positions(journal, begin, end, shows))
    // What lies behind a damage is not shown.
    if (found.damaged !== undefined) [end, left] = [found.damaged - 1, last]
    const first = found.seqs[found.seqs.length - left]
    if (found.damaged === undefined && first !== undefined) return first - 1
    if (found.damaged === undefined) [end, left] = [begin, left - found.seqs.length]
  }
  return after
}

const positions = async (
  journal: Journal,
  after: Seq | 0,
  upTo: Seq,
  shows: Shows,
): Promise<{ readonly seqs: readonly Seq[]; readonly damaged?: Seq }> => {
  const seqs: Seq[] = []
  const maybeYield = createYielding()
  try {
    for await (const entries of journal.audit({ seq: after }, upTo)) {
      for (const entry of entries) if (shows(entry)) seqs.push(entry.seq)
      await maybeYield()
    }
    return { seqs }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    return { seqs: [], damaged: error.seq }
  }
}
