/** Copies a journal up to one of its records to another store: raw records, parts, snapshots and indexes. */

import { copyDedupe } from './dedupe.ts'
import { createErasures } from './erasures.ts'
import { Damaged } from './errors.ts'
import { copyIndex, type Marks } from './fact-index.ts'
import { emptyHead, type Head, type Seq, type Sha256 } from './head.ts'
import { partKey, recordKey, recordSpan, seqInKey, wholeSnapshots } from './keys.ts'
import { decodeRecord, getPayload, mayNameFile, toEntry } from './record.ts'
import { type Op, type Store, Unreadable } from './store.ts'
import { previousHash, type StoredRecord } from './stored-record.ts'
import type { Erased, Vocabulary } from './vocabulary.ts'

interface Past {
  readonly vocabulary: Vocabulary
  readonly store: Store
  /** Undefined if there is no valid index: the copy then builds its own when opened. */
  readonly marks: Marks | undefined
}

/**
 * Yields for each copied page the files that its facts name. `to` is complete after the last page. Checks the
 * chain; decodes payloads only to find the files and parts that they refer to. Returns the erased facts whose
 * `FactsErased` comes after the copied range. Throws Damaged before a damaged page. Does not sync.
 */
export async function* copyPast(
  { vocabulary, store: from, marks }: Past,
  to: Store,
  upTo: Head,
): AsyncGenerator<readonly string[], readonly Erased[]> {
  const unnamedMedia = yield* copyRecords(vocabulary, from, to, upTo)
  if (marks) await copyIndex(vocabulary, from, marks, to, upTo.seq)
  await copyDedupe(from, to, upTo.seq)
  await copySnapshots(from, to, upTo.seq)
  return unnamedMedia
}

async function* copyRecords(
  vocabulary: Vocabulary,
  from: Store,
  to: Store,
  upTo: Head,
): AsyncGenerator<readonly string[], readonly Erased[]> {
  const copyParts = partCopier(from, to)
  const pages = pastPages(vocabulary, from, upTo)
  for (let page = await pages.next(); ; page = await pages.next()) {
    if (page.done) return page.value
    const { after, values, files, parts } = page.value
    await copyParts(parts)
    const ops = values.map((value, n): Op => ({ type: 'put', key: recordKey(after + n + 1), value }))
    await to.batch(ops, { sync: false })
    yield files
  }
}

/** Raw records after a position, and the names in them. */
interface PastPage extends Named {
  readonly after: Seq | 0
  readonly values: readonly Buffer[]
}

/**
 * Yields all records up to a head and checks their chain. Looks for parts only while some are wanted. Returns
 * erased records that no fact names. Throws Damaged.
 */
export async function* pastPages(
  vocabulary: Vocabulary,
  store: Store,
  upTo: Head,
  wantsParts = () => true,
): AsyncGenerator<PastPage, readonly Erased[]> {
  const erasures = createErasures(vocabulary)
  let head = emptyHead
  try {
    for await (const values of store.values(recordSpan(0, upTo.seq))) {
      const page = { after: head.seq, values, files: [], parts: [] }
      for (const value of values) {
        const record = decodeRecord(head.seq + 1, value)
        if (previousHash(record) !== head.hash) throw new Damaged(record.seq, 'does not fit the chain')
        head = { seq: record.seq, hash: record.hash }
        note(vocabulary, record, page, wantsParts)
        erasures.take(record)
      }
      yield page
    }
  } catch (cause) {
    throw cause instanceof Unreadable ? new Damaged(head.seq + 1, 'cannot be read', { cause }) : cause
  }
  if (head.seq < upTo.seq) throw new Damaged(head.seq + 1, 'is missing')
  if (head.hash !== upTo.hash) throw new Damaged(head.seq, 'is not the expected record')
  return erasures.unnamed()
}

/** Files and parts that facts refer to. */
interface Named {
  readonly files: string[]
  readonly parts: Sha256[]
}

const note = (
  vocabulary: Vocabulary,
  record: StoredRecord,
  { files, parts }: Named,
  wantsParts: () => boolean,
): void => {
  if (mayNameFile(vocabulary, record)) files.push(...vocabulary.filesIn(toEntry(vocabulary, record).event))
  if (vocabulary.partTypes.has(record.type) && wantsParts())
    parts.push(...vocabulary.partsIn(record.type, getPayload(vocabulary, record)))
}

/** Cached names of copied parts: most parts repeat from call to call. */
const maxKnownParts = 4096

/** Skips an unreadable part: it is missing in the source too. */
const partCopier = (from: Store, to: Store) => {
  const copiedParts = new Set<Sha256>()
  return async (parts: readonly Sha256[]): Promise<void> => {
    const keys = [...new Set(parts)].filter((part) => !copiedParts.has(part)).map(partKey)
    if (keys.length === 0) return
    if (copiedParts.size > maxKnownParts) copiedParts.clear()
    for (const part of parts) copiedParts.add(part)
    for (const key of keys) {
      const value = await from.get(key).catch(orUnreadable)
      if (value) await to.batch([{ type: 'put', key, value }], { sync: false })
    }
  }
}

const orUnreadable = (error: unknown): undefined => {
  if (!(error instanceof Unreadable)) throw error
}

/** Snapshots of the same records are valid in the copy. */
const copySnapshots = async (from: Store, to: Store, upTo: Seq): Promise<void> => {
  try {
    for await (const page of from.items(wholeSnapshots))
      for (const [key, value] of page)
        if (seqInKey(key) <= upTo) await to.batch([{ type: 'put', key, value }], { sync: false })
  } catch (error) {
    orUnreadable(error)
  }
}
