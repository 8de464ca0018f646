/** A persona at an earlier position, with a view of its journal that ends there. */

import type { Seq } from '../../facts/fact-values.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import type { Head } from '../../journal/log/head.ts'
import { entryAt } from '../../journal/log/keys.ts'
import { yielding } from '../../packages/kit/flow/yielding.ts'
import { type Persona, personaVersion } from '../../projections/persona.ts'
import { fold, projector } from './fold.ts'

export interface PastState {
  readonly persona: Persona
  readonly journal: Journal
  /** The fact at the position. */
  readonly last: Entry
}

/** Returns null before the first fact. Throws Damaged. */
export const openPastAt = async (
  journal: Journal,
  seq: Seq | 0,
  disconnectSignal?: AbortSignal,
): Promise<PastState | null> => {
  const hash = seq === 0 ? undefined : await journal.hashAt(seq)
  if (hash === undefined) return null
  const pastJournal = endingAt(journal, { seq, hash }, disconnectSignal)
  const { persona, damage } = await fold(pastJournal, seq, storeSnapshots(journal))
  if (damage || !persona) throw damage ?? new Error('there is no first fact')
  const last = await entryAt(pastJournal, seq)
  return last ? { persona, journal: pastJournal, last } : null
}

/** Returns a view of the journal that ends at `head`. */
export const endingAt = (journal: Journal, head: Head, disconnectSignal?: AbortSignal): Journal => ({
  ...journal,
  head,
  read: (range) =>
    yielding(journal.read({ ...range, upTo: Math.min(range.upTo ?? head.seq, head.seq) }), disconnectSignal),
})

/** Facts between snapshots. After a new fold version a whole life is replayed without any. */
const snapshotInterval = 4096

const storeSnapshots = (journal: Journal) => {
  let readCount = 0
  return async (state: Persona, seq: Seq): Promise<void> => {
    if (state.stale || ++readCount % snapshotInterval !== 0) return
    const hash = await journal.hashAt(seq)
    if (hash === undefined) return
    await journal
      .keepSnapshot({ projector, version: personaVersion, head: { seq, hash }, state })
      // The snapshot only saves time. The next append reports a failing disk.
      .catch(() => undefined)
  }
}

/** `at`: epoch milliseconds. */
export type Moment = { readonly seq: number } | { readonly at: number }

/**
 * Returns the end of the commit at a moment, so that commits stay whole. Null and moments after the head give
 * the head; undefined before the first fact. `torn`: the end of the journal was lost. Then its last commit
 * may be incomplete and is skipped.
 */
export const getHeadAt = async (
  journal: Journal,
  moment: Moment | null,
  isTorn: boolean,
): Promise<Head | undefined> => {
  const end = isTorn ? await beforeLastCommit(journal) : journal.head
  const seq = moment === null ? end.seq : 'seq' in moment ? moment.seq : await positionAt(journal, moment.at)
  if (end.seq < 1 || seq < 1) return undefined
  if (seq >= end.seq) return end
  for await (const { head } of journal.commits({ seq: seq - 1 })) return head
  return undefined
}

/** Returns the last position at or before a moment; 0 before the first fact. */
export const getPosition = async (
  journal: Journal,
  moment: Moment,
  disconnectSignal?: AbortSignal,
): Promise<Seq | 0> =>
  'seq' in moment ? Math.min(moment.seq, journal.head.seq) : positionAt(journal, moment.at, disconnectSignal)

const firstPage = 512

const beforeLastCommit = async (journal: Journal): Promise<Head> => {
  const { head } = journal
  for (let page = firstPage; ; page *= 2) {
    const afterSeq = Math.max(0, head.seq - page)
    let last: { readonly commit: string; readonly seq: Seq } | undefined
    for await (const { commit, seq } of journal.read({ after: afterSeq, upTo: head.seq }))
      if (commit !== last?.commit) last = { commit, seq }
    const seq = (last?.seq ?? 1) - 1
    if (seq > afterSeq || afterSeq === 0) return { seq, hash: (await journal.hashAt(seq)) ?? '' }
  }
}

const instantsProjector = 'instants'
/** Increment when the stored format changes. */
const version = 1
const recordsPerBlock = 1024
/** Min new blocks before the index is stored again. */
const minNewBlocks = 16

/** Returns the last position at or before an instant (epoch milliseconds); 0 if there is none. */
export const positionAt = async (
  journal: Journal,
  instant: number,
  disconnectSignal?: AbortSignal,
): Promise<Seq | 0> => {
  const { head } = journal
  const earliest = await loadEarliest(journal, disconnectSignal)
  for (let n = earliest.length; n >= 0; n--) {
    if ((earliest[n] ?? -Infinity) > instant) continue
    let last: Seq | 0 = 0
    const upTo = Math.min((n + 1) * recordsPerBlock, head.seq)
    for await (const { seq, at } of yielding(
      journal.read({ after: n * recordsPerBlock, upTo }),
      disconnectSignal,
    ))
      if (at <= instant) last = seq
    if (last > 0) return last
  }
  return 0
}

/** Returns the earliest time of each full block. */
const loadEarliest = async (
  journal: Journal,
  disconnectSignal: AbortSignal | undefined,
): Promise<readonly number[]> => {
  const { head } = journal
  const snapshot = await journal.snapshot(instantsProjector, version, head.seq)
  const earliest = [...((snapshot?.state ?? []) as readonly number[])]
  const storedBlocks = earliest.length
  const upTo = head.seq - (head.seq % recordsPerBlock)
  for await (const { seq, at } of yielding(
    journal.read({ after: storedBlocks * recordsPerBlock, upTo }),
    disconnectSignal,
  )) {
    const n = Math.ceil(seq / recordsPerBlock) - 1
    earliest[n] = Math.min(earliest[n] ?? Infinity, at)
  }
  const hash = await journal.hashAt(upTo)
  if (hash !== undefined && earliest.length - storedBlocks >= minNewBlocks)
    await journal
      .keepSnapshot({
        projector: instantsProjector,
        version,
        head: { seq: upTo, hash },
        state: earliest,
        alone: true,
      })
      // The index only saves time. The next append reports a failing disk.
      .catch(() => undefined)
  return earliest
}
