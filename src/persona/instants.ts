/**
 * Which fact was the last at an instant. Clocks jump back, so no search by halves finds it: the earliest time
 * in each stretch of records tells which stretches may hold it, and is kept beside the journal.
 */
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { Journal } from '../../journal/log/journal.ts'
import { yielding } from '../flow/yielding.ts'

const projector = 'instants'
/** Raised whenever what is kept changes. */
const version = 1
/** Records of a stretch. */
const stretch = 1024
/** As many stretches are cheaper read again than kept anew. */
const worthKeeping = 16

/** The last position whose time is at or before an instant, epoch milliseconds; 0 where there is none. */
export const positionAt = async (journal: Journal, instant: number, gone?: AbortSignal): Promise<Seq | 0> => {
  const { head } = journal
  const earliest = await earliestOf(journal, gone)
  for (let n = earliest.length; n >= 0; n--) {
    if ((earliest[n] ?? -Infinity) > instant) continue
    let last: Seq | 0 = 0
    const upTo = Math.min((n + 1) * stretch, head.seq)
    for await (const { seq, at } of yielding(journal.read({ after: n * stretch, upTo }), gone))
      if (at <= instant) last = seq
    if (last > 0) return last
  }
  return 0
}

/** Of all stretches that are full. */
const earliestOf = async (journal: Journal, gone: AbortSignal | undefined): Promise<readonly number[]> => {
  const { head } = journal
  const snapshot = await journal.snapshot(projector, version, head.seq)
  const earliest = [...((snapshot?.state ?? []) as readonly number[])]
  const before = earliest.length
  const upTo = head.seq - (head.seq % stretch)
  for await (const { seq, at } of yielding(journal.read({ after: before * stretch, upTo }), gone)) {
    const n = Math.ceil(seq / stretch) - 1
    earliest[n] = Math.min(earliest[n] ?? Infinity, at)
  }
  const hash = await journal.hashAt(upTo)
  if (hash !== undefined && earliest.length - before >= worthKeeping)
    await journal
      .keepSnapshot({ projector, version, head: { seq: upTo, hash }, state: earliest, alone: true })
      // Only for speed: what keeps it from being written will be met by the next append.
      .catch(() => undefined)
  return earliest
}
