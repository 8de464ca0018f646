/** Copies a journal up to one of its records to another store: raw records, parts, snapshots and indexes. */

import { getKind } from '../../facts/facts.ts'
import { copyDedupe } from './dedupe.ts'
import { createErasures } from './erasures.ts'
import { Damaged } from './errors.ts'
import type { Erased } from './journal.ts'
import { partKey, recordKey, recordSpan, seqInKey, wholeSnapshots } from './keys.ts'
import { copyIndex, type Marks } from './kind-index.ts'
import { decodeRecord, getPayload, mayNameMedia, toEntry } from './record.ts'
import { type Op, type Store, Unreadable } from './store.ts'
import { previousHash, type StoredRecord } from './stored-record.ts'
import type { Head, Seq, Sha256 } from './values.ts'
import { emptyHead } from './values.ts'

interface Past {
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
  { store: from, marks }: Past,
  to: Store,
  upTo: Head,
): AsyncGenerator<readonly string[], readonly Erased[]> {
  const unnamedMedia = yield* copyRecords(from, to, upTo)
  if (marks) await copyIndex(from, marks, to, upTo.seq)
  await copyDedupe(from, to, upTo.seq)
  await copySnapshots(from, to, upTo.seq)
  return unnamedMedia
}

async function* copyRecords(
  from: Store,
  to: Store,
  upTo: Head,
): AsyncGenerator<readonly string[], readonly Erased[]> {
  const copyParts = partCopier(from, to)
  const pages = pastPages(from, upTo)
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
  store: Store,
  upTo: Head,
  wantsParts = () => true,
): AsyncGenerator<PastPage, readonly Erased[]> {
  const erasures = createErasures()
  let head = emptyHead
  try {
    for await (const values of store.values(recordSpan(0, upTo.seq))) {
      const page = { after: head.seq, values, files: [], parts: [] }
      for (const value of values) {
        const record = decodeRecord(head.seq + 1, value)
        if (previousHash(record) !== head.hash) throw new Damaged(record.seq, 'does not fit the chain')
        head = { seq: record.seq, hash: record.hash }
        note(record, page, wantsParts)
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

const note = (record: StoredRecord, { files, parts }: Named, wantsParts: () => boolean): void => {
  const kind = getKind(record.type)
  if (mayNameMedia(record)) {
    const { event } = toEntry(record)
    if ('media' in event && event.media) files.push(event.media.filename)
  }
  if (kind !== 'calls' || !wantsParts()) return
  const { recipe, answer } = getPayload(record) as Calling
  for (const part of recipe?.parts ?? []) if (typeof part === 'string') parts.push(part)
  if (typeof answer?.part === 'string') parts.push(answer.part)
}

/** The fields of a call that may name a part. */
interface Calling {
  readonly recipe?: { readonly parts?: readonly (Seq | Sha256)[] } | null
  readonly answer?: { readonly part?: Sha256 } | null
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
