/** An open journal on its store. */

import { type Found, recordAt } from './chain.ts'
import { copyPast } from './copy-past.ts'
import { lookUp, search } from './dedupe.ts'
import type { Damaged } from './errors.ts'
import { emptyHead, type JournalId, type Seq } from './head.ts'
import type { Entry, Journal, Range, Verdict, Witness } from './journal.ts'
import type { JournalWriter } from './journal-writer.ts'
import { recordSpan } from './keys.ts'
import { createLatestEntries, iterateValues } from './latest-entries.ts'
import { createParts, readPart } from './parts.ts'
import { audit, commits, read, type View } from './reading.ts'
import { toEntry } from './record.ts'
import { findSnapshot, keepSnapshot } from './snapshots.ts'
import type { StoredRecord } from './stored-record.ts'
import { verifyRecords } from './verifying.ts'

export interface OpenedJournal {
  readonly id: JournalId
  readonly tail: JournalWriter
  readonly witness: Witness
  readonly damage: Damaged | undefined
  /** The records after the last snapshot, up to the head. */
  readonly inspectedRecords: readonly StoredRecord[] | undefined
  readonly onRelease: () => void
}

/** Most engines have one writer, which never loses its place. */
const neverLost = new AbortController().signal

/** Creates the journal's public interface. */
export const journalOn = ({
  id,
  tail,
  witness,
  damage,
  inspectedRecords,
  onRelease,
}: OpenedJournal): Journal => {
  const { vocabulary } = tail
  const cachedIndex = vocabulary.indexes.find((index) => vocabulary.indexOptions(index).isCached)
  const latestEntries = createLatestEntries(
    tail.head.seq,
    (type) => cachedIndex !== undefined && vocabulary.indexFor(type) === cachedIndex,
  )
  const parts = createParts(tail.write)
  let unreadRecords = inspectedRecords
  /**
   * Returns the records that were read at opening if the range asks for exactly those. Once only, to free
   * their memory.
   */
  const findCached = ({
    after = 0,
    upTo = tail.head.seq,
    kind,
    last,
  }: Range): readonly Entry[] | undefined => {
    const records = unreadRecords
    unreadRecords = undefined
    const first = records?.[0]
    const end = records?.at(-1)
    const isExactRange =
      first?.seq === after + 1 && end?.seq === upTo && kind === undefined && last === undefined
    return isExactRange ? records?.map((record) => toEntry(vocabulary, record)) : undefined
  }
  const view = (): View => ({
    vocabulary,
    store: tail.store,
    head: tail.head,
    marks: tail.marks,
    reindex: tail.reindex,
  })
  return {
    get head() {
      return tail.head
    },
    damage,
    get lost() {
      return tail.store.lost ?? neverLost
    },
    append: async (drafts, expectedHead) => {
      const commits = await tail.append(drafts, expectedHead)
      latestEntries.add(commits)
      for (const { events } of drafts)
        for (const event of events) parts.named(vocabulary.partsIn(event.type, event))
      return commits
    },
    settle: async () => {
      const head = await tail.settle()
      latestEntries.clear(head.seq)
      return head
    },
    read: (range) => {
      const entries = findCached(range)
      if (entries) return iterateValues(entries)
      const fromDisk = () => read(view(), range)
      return range.kind !== undefined && range.kind === cachedIndex && !damage
        ? latestEntries.read(range, tail.head.seq, fromDisk)
        : fromDisk()
    },
    audit: (afterSeq, upTo) => audit(view(), afterSeq, upTo),
    commits: (afterHead) => commits(view(), afterHead),
    records: ({ seq }, afterSeq = 0) => tail.store.values(recordSpan(afterSeq, seq)),
    copyPast: (to, upTo) => copyPast(tail, to, upTo),
    hashAt: async (seq) => (seq > tail.head.seq ? undefined : (await recordAt(tail.store, seq))?.hash),
    findByKey: (key) => findByKey(tail, key),
    snapshot: (projector, version, atOrBefore) =>
      findSnapshot(tail.store, projector, version, Math.min(atOrBefore, tail.head.seq)),
    keepSnapshot: async (snapshot) => {
      // The journal's own snapshot, which notes how far it was checked, has no state.
      if (snapshot.projector === 'checked' && snapshot.state !== null)
        throw new TypeError('the projector "checked" is reserved')
      if (!damage) await tail.write((store) => keepSnapshot(vocabulary, store, snapshot))
    },
    putPart: parts.put,
    part: (sha) => readPart(tail.store, sha),
    pruning: parts.pruning,
    flush: () => tail.write((store) => store.flush()),
    verify: async (onRecord) => {
      // Read the witness before the head: it may be behind the head, never ahead.
      const witnessedHead = await witness(id)
      const to = damage ? undefined : tail.head
      const inspection = await verifyRecords(vocabulary, tail.store, {
        to,
        witness: witnessedHead ?? emptyHead,
        onRecord: onRecord ?? (() => {}),
      })
      return verdict({ damage, ...inspection })
    },
    close: async () => {
      onRelease()
      await tail.close()
    },
  }
}

const findByKey = async (tail: JournalWriter, key: string): Promise<Seq | undefined> => {
  const look = async (rebuild: boolean) =>
    (await tail.tally(rebuild)) ? lookUp(tail.vocabulary, tail.store, key) : undefined
  const indexed = await look(false)
  const result = indexed === undefined ? await look(true) : indexed
  // Ignore a batch in flight and records after the damage.
  if (result !== undefined) return result !== null && result <= tail.head.seq ? result : undefined
  return search(tail.vocabulary, tail.store, tail.head, key)
}

const verdict = ({
  head,
  damage,
}: Pick<Found, 'head'> & { readonly damage: Damaged | undefined }): Verdict => ({
  events: head.seq,
  head,
  intact: damage === undefined,
  firstBad: damage?.seq ?? null,
  reason: damage?.message ?? null,
})
