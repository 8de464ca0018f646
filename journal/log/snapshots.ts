/**
 * Snapshots: the state of a projector at a position, stored with the records. A lost snapshot costs time
 * and changes no result.
 */

import { decode, encode } from '@msgpack/msgpack'
import * as z from 'zod'
import { toPlain } from './batch-encoder.ts'
import { recordAt } from './chain.ts'
import { checkChecksum, putWithChecksum } from './checksummed-value.ts'
import { Damaged } from './errors.ts'
import { emptyHead, type Head, type Seq } from './head.ts'
import type { Snapshot } from './journal.ts'
import { projectorInKey, seqInKey, snapshotKey, snapshotSpan, wholeSnapshots } from './keys.ts'
import { type Item, type Op, type Span, type Store, Unreadable } from './store.ts'
import type { Vocabulary } from './vocabulary.ts'

const projectorName = /^[a-z][a-z-]{0,31}$/

const Kept = z.strictObject({
  version: z.int(),
  /** Hash of the facts that the writing build knew. */
  vocabulary: z.string(),
  hash: z.string(),
  state: z.unknown(),
})
type Kept = z.infer<typeof Kept>

/** Throws TypeError if the state is not plain data. Not synced, because a snapshot can be recomputed. */
export const keepSnapshot = async (
  vocabulary: Vocabulary,
  store: Store,
  { projector, version, head, state, alone = false }: Snapshot,
): Promise<void> => {
  if (!projectorName.test(projector)) throw new TypeError(`${projector} is not a valid name of a projector`)
  const snapshot: Kept = { version, vocabulary: vocabulary.id, hash: head.hash, state: toPlain(state) }
  const op = putWithChecksum(snapshotKey(projector, head.seq), encode(snapshot))
  const old = alone
    ? await listEarlier(store, projector, head.seq)
    : await listOutdated(store, projector, version, head.seq)
  await store.batch([op, ...old], { sync: false })
}

/**
 * Every close may write a snapshot. If the last two and the new one are within this many records, the middle
 * one is deleted.
 */
const minDistance = 1024

const listOutdated = async (
  store: Store,
  projector: string,
  version: number,
  seq: Seq,
): Promise<readonly Op[]> => {
  const span = snapshotSpan(projector, seq - 1)
  const last = await getLast(store, span)
  if (!last || seq - seqInKey(last[0]) >= minDistance) return []
  const itemBefore = await getLast(store, { ...span, to: last[0] })
  if (!itemBefore || seq - seqInKey(itemBefore[0]) > minDistance) return []
  return [last, itemBefore].every((item) => read(item)?.content.version === version)
    ? [{ type: 'del', key: last[0] }]
    : []
}

const listEarlier = async (store: Store, projector: string, seq: Seq): Promise<readonly Op[]> => {
  const old: Op[] = []
  for await (const items of store.items(snapshotSpan(projector, seq - 1)))
    for (const [key] of items) old.push({ type: 'del', key })
  return old
}

/** Returns the newest valid snapshot of this version and this journal. */
export const findSnapshot = async (
  store: Store,
  projector: string,
  version: number,
  atOrBefore: Seq,
): Promise<Snapshot | undefined> => {
  const span = snapshotSpan(projector, atOrBefore)
  for (let item = await getLast(store, span); item; item = await getLast(store, { ...span, to: item[0] })) {
    const snapshot = read(item)
    if (snapshot?.content.version === version && (await isHere(store, snapshot.head)))
      return { projector, version, head: snapshot.head, state: snapshot.content.state }
  }
  return undefined
}

/**
 * Returns how far a build with the same facts has read the journal completely: the newest snapshot of any
 * projector. A snapshot of another build says nothing about facts that this one does not know.
 */
export const lastChecked = async (vocabulary: Vocabulary, store: Store): Promise<Head> => {
  let bestHead = emptyHead
  let span = wholeSnapshots
  for (let item = await getLast(store, span); item; item = await getLast(store, span)) {
    const snapshot = read(item)
    const isUsable = snapshot?.content.vocabulary === vocabulary.id && (await isHere(store, snapshot.head))
    if (isUsable && snapshot.head.seq > bestHead.seq) bestHead = snapshot.head
    // A valid one ends the search for its projector; an invalid one continues with the one before.
    span = { ...span, to: isUsable ? snapshotKey(projectorInKey(item[0]), 0) : item[0] }
  }
  return bestHead
}

const getLast = async (store: Store, span: Span): Promise<Item | undefined> => {
  try {
    for await (const [item] of store.items({ ...span, reverse: true, limit: 1 }))
      return item && item[0].compare(span.to) < 0 ? item : undefined
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
  }
  return undefined
}

const read = ([key, bytes]: Item): { readonly head: Head; readonly content: Kept } | undefined => {
  const value = checkChecksum(key, bytes)
  const parsedContent = value && Kept.safeParse(decode(value))
  return (
    parsedContent?.data && {
      head: { seq: seqInKey(key), hash: parsedContent.data.hash },
      content: parsedContent.data,
    }
  )
}

const isHere = async (store: Store, { seq, hash }: Head): Promise<boolean> => {
  try {
    return seq > 0 && (await recordAt(store, seq))?.hash === hash
  } catch (error) {
    if (error instanceof Damaged) return false
    throw error
  }
}
