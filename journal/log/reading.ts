/** Reads a journal: ranges, facts of one index, whole commits. */

import { mustBe, type Place, walk } from './chain.ts'
import { Damaged } from './errors.ts'
import { type Indexed, type Marks, positions } from './fact-index.ts'
import { emptyHead, type Head, type Seq } from './head.ts'
import type { AuditEntry, Commit, Entry, Range } from './journal.ts'
import { recordKey } from './keys.ts'
import { decodeRecord, findIndex, isErased, toAuditEntry, toEntry } from './record.ts'
import { type Store, Unreadable } from './store.ts'
import { getCommitId, type StoredRecord } from './stored-record.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The state of a journal at the time of the call. */
export interface View {
  readonly vocabulary: Vocabulary
  readonly store: Store
  readonly head: Head
  /** Undefined if there is no valid index. */
  readonly marks: Marks | undefined
  /** Rebuilds the index if the rights allow it. */
  readonly reindex: () => Promise<Marks | undefined>
}

interface Stretch {
  readonly after: Seq | 0
  readonly upTo: Seq | 0
  readonly last: number | undefined
}

export async function* read(
  view: View,
  { after = 0, upTo = view.head.seq, kind, last }: Range,
): AsyncGenerator<Entry> {
  const stretch = { after, upTo: Math.min(upTo, view.head.seq), last }
  for await (const records of kind ? ofKind(view, kind, stretch) : all(view, stretch))
    for (const record of records) yield toEntry(view.vocabulary, record)
}

/** Yields raw records. Checks only their chain; payloads are checked on access. */
export async function* audit(
  view: View,
  afterPlace: Place,
  upTo: Seq,
): AsyncGenerator<readonly AuditEntry[]> {
  for await (const records of readRange(view, afterPlace, Math.min(upTo, view.head.seq)))
    yield records.map(toAuditEntry)
}

/** Yields whole commits. If `after` is within a commit, the first one contains only the remaining records. */
export async function* commits(view: View, afterPlace: Place): AsyncGenerator<Commit> {
  if (afterPlace.seq > view.head.seq)
    throw new Damaged(afterPlace.seq, `is missing, the journal ends at ${view.head.seq}`)
  if (afterPlace.hash !== undefined) await mustBe(view.store, afterPlace)
  let commit: StoredRecord[] = []
  for await (const records of readRange(view, { seq: afterPlace.seq }, view.head.seq)) {
    for (const record of records) {
      const [first] = commit
      if (first && getCommitId(first) !== getCommitId(record)) {
        yield toCommit(view.vocabulary, commit, first)
        commit = []
      }
      commit.push(record)
    }
  }
  const [first] = commit
  if (first) yield toCommit(view.vocabulary, commit, first)
}

const toCommit = (vocabulary: Vocabulary, records: readonly StoredRecord[], first: StoredRecord): Commit => {
  const { seq, hash } = records.at(-1) ?? first
  return { entries: records.map((record) => toEntry(vocabulary, record)), head: { seq, hash } }
}

const all = (view: View, { after, upTo, last = upTo }: Stretch) =>
  readRange(view, { seq: Math.max(after, upTo - last) }, upTo)

async function* readRange(
  { store, head }: View,
  afterPlace: Place,
  upTo: Seq | 0,
): AsyncGenerator<readonly StoredRecord[]> {
  if (afterPlace.seq < upTo)
    yield* walk(
      store,
      afterPlace.seq === 0 ? emptyHead : afterPlace,
      upTo === head.seq ? head : { seq: upTo },
    )
}

async function* ofKind(view: View, kind: string, stretch: Stretch): AsyncGenerator<readonly StoredRecord[]> {
  if (stretch.after >= stretch.upTo || stretch.last === 0) return
  const look = (marks: Marks | undefined) => marks && positions(view.store, marks, { kind, ...stretch })
  const entries = (await look(view.marks)) ?? (await look(await view.reindex()))
  const first = entries?.[0]
  const end = entries?.at(-1)
  // Fetching a record by position takes five times as long as skipping it in a scan (measured).
  if (entries && first && end && end.seq - first.seq < 4 * entries.length)
    return yield* scanRecords(view, kind, { after: first.seq - 1, upTo: end.seq, last: undefined })
  let read = 0
  for await (const records of fetchRecords(view.store, entries ?? [])) {
    yield records
    read += records.length
  }
  if (entries && read === entries.length) return
  // The index or a record is damaged. A scan of the records shows which.
  if (entries) await view.reindex()
  const last = entries?.[read - 1]
  yield* scanRecords(view, kind, last ? { ...stretch, after: last.seq, last: undefined } : stretch)
}

/**
 * Yields the records that an index names, 100 at a time with prefetch, up to the first that does not match.
 */
async function* fetchRecords(
  store: Store,
  entries: readonly Indexed[],
): AsyncGenerator<readonly StoredRecord[]> {
  const ask = async (from: number) => {
    try {
      return await store.getMany(entries.slice(from, from + 100).map(({ seq }) => recordKey(seq)))
    } catch (error) {
      if (error instanceof Unreadable) return []
      throw error
    }
  }
  // A prefetch without a reader would reject unhandled.
  if (entries.length === 0) return
  let next = ask(0)
  for (let from = 0; from < entries.length; from += 100) {
    const values = await next
    next = ask(from + 100)
    next.catch(() => undefined)
    const records = asNamed(entries.slice(from, from + 100), values)
    yield records
    if (records.length < Math.min(100, entries.length - from)) return
  }
}

const asNamed = (
  entries: readonly Indexed[],
  values: readonly (Buffer | undefined)[],
): readonly StoredRecord[] => {
  const records: StoredRecord[] = []
  for (const [place, { seq, hash }] of entries.entries()) {
    const value = values[place]
    const record = value && decodedOr(seq, value)
    if (!record?.hash.startsWith(hash)) return records
    records.push(record)
  }
  return records
}

const decodedOr = (seq: Seq, value: Buffer): StoredRecord | undefined => {
  try {
    return decodeRecord(seq, value)
  } catch (error) {
    if (error instanceof Damaged) return undefined
    throw error
  }
}

/** Scans every record. Used without an index, or if most records are in the index. */
async function* scanRecords(
  view: View,
  kind: string,
  { after, upTo, last }: Stretch,
): AsyncGenerator<readonly StoredRecord[]> {
  const newestRecords: StoredRecord[] = []
  for await (const records of readRange(view, { seq: after }, upTo)) {
    const matchingRecords = records.filter(
      (record) => findIndex(view.vocabulary, record.type, isErased(record)) === kind,
    )
    if (last === undefined) yield matchingRecords
    else newestRecords.splice(0, newestRecords.push(...matchingRecords) - last)
  }
  yield newestRecords
}
