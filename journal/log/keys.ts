/** The keys of a journal's store, equal in every engine. A range is a prefix, and keys sort by position. */

import { hash } from 'node:crypto'
import type { Seq, Sha256 } from './head.ts'
import type { Entry, Journal } from './journal.ts'
import type { Item, Op, Span } from './store.ts'
import type { JournalTypes } from './vocabulary.ts'

const end = Number.POSITIVE_INFINITY

export const recordKey = (seq: Seq): Buffer => numberedKey('e/', seq)
/** Records with `after < seq <= upTo`, or to the end without `upTo`. */
export const recordSpan = (afterSeq: Seq | 0, upTo = end): Span => numberedSpan('e/', afterSeq, upTo)

export const indexKey = (kind: string, seq: Seq): Buffer => numberedKey(`t/${kind}/`, seq)
export const indexSpan = (kind: string, afterSeq: Seq | 0, upTo: Seq): Span =>
  numberedSpan(`t/${kind}/`, afterSeq, upTo)
/** First in its range, so deleting the range deletes the mark too. */
export const indexMark = Buffer.from('t/')
export const wholeIndex: Span = { from: indexMark, to: toPrefixEnd('t/') }

export const snapshotKey = (projector: string, seq: Seq): Buffer => numberedKey(`s/${projector}/`, seq)
export const snapshotSpan = (projector: string, upTo: Seq): Span => numberedSpan(`s/${projector}/`, 0, upTo)
export const wholeSnapshots: Span = { from: Buffer.from('s/'), to: toPrefixEnd('s/') }
export const projectorInKey = (key: Buffer): string => key.toString('utf8', 2, key.length - 9)

export const wholeStore: Span = { from: Buffer.from('a'), to: Buffer.from('~') }

/** Hashed, so the key is short and unique for any key that a client chose. */
export const dedupeKey = (key: string): Buffer => Buffer.from(`${markInHex}${hash('sha256', key)}`, 'hex')
export const dedupeMark = Buffer.from('x/')
const markInHex = dedupeMark.toString('hex')
export const wholeDedupe: Span = { from: dedupeMark, to: toPrefixEnd('x/') }

export const partKey = (sha: Sha256): Buffer => Buffer.concat([Buffer.from('b/'), Buffer.from(sha, 'hex')])

export const wholeParts: Span = { from: Buffer.from('b/'), to: toPrefixEnd('b/') }

/** Position up to which parts of old calls were pruned. */
export const prunedMark = Buffer.from('p/')

export const isRecord = (key: Buffer): boolean => key.toString('latin1', 0, 2) === 'e/'
const isSnapshot = (key: Buffer): boolean => key.toString('latin1', 0, 2) === 's/'
/** Returns the part that a key names, or undefined. */
export const partIn = (key: Buffer): Sha256 | undefined =>
  key.toString('latin1', 0, 2) === 'b/' ? key.toString('hex', 2) : undefined

/** Returns the values of the records in a batch, in order. */
export const recordsIn = (ops: readonly Op[]): readonly Item[] =>
  ops.flatMap((op): Item[] => (op.type === 'put' && isRecord(op.key) ? [[op.key, op.value]] : []))

/** Returns whether the key holds data that cannot be derived. */
export const isRecordOrPart = (key: Buffer): boolean => /^[eb]\/$/.test(key.toString('latin1', 0, 2))

/** Returns whether the value never changes: records, parts, snapshots. */
export const isKeptForGood = (key: Buffer): boolean => isRecordOrPart(key) || isSnapshot(key)

export const seqInKey = (key: Buffer): Seq => readSeq(key, key.length - 8)

export const readSeq = (bytes: Buffer, position: number): Seq =>
  bytes.readUInt32BE(position) * 2 ** 32 + bytes.readUInt32BE(position + 4)
export const writeSeq = (bytes: Buffer, position: number, seq: Seq | 0): void => {
  bytes.writeUInt32BE(Math.floor(seq / 2 ** 32), position)
  bytes.writeUInt32BE(seq % 2 ** 32, position + 4)
}

function numberedKey(prefix: string, seq: Seq): Buffer {
  const key = Buffer.allocUnsafe(prefix.length + 8)
  // Faster than a native call for so few letters (measured: a third of the time).
  for (let n = 0; n < prefix.length; n++) key[n] = prefix.charCodeAt(n)
  writeSeq(key, prefix.length, seq)
  return key
}

function numberedSpan(prefix: string, from: Seq | 0, upTo: Seq): Span {
  return {
    from: numberedKey(prefix, from + 1),
    to: upTo < Number.MAX_SAFE_INTEGER ? numberedKey(prefix, upTo + 1) : toPrefixEnd(prefix),
  }
}

/** Returns the first key after all keys with this prefix. */
function toPrefixEnd(prefix: string): Buffer {
  const key = Buffer.from(prefix)
  key.writeUInt8(key.readUInt8(key.length - 1) + 1, key.length - 1)
  return key
}

// Reads one fact by position.

/** Returns undefined if there is no record. Throws Damaged if it cannot be read. */
export const entryAt = async <T extends JournalTypes>(
  journal: Pick<Journal<T>, 'read'>,
  seq: Seq,
): Promise<Entry<T> | undefined> => {
  for await (const entry of journal.read({ after: seq - 1, upTo: seq })) return entry
  return undefined
}

/** Position of the last fact of the commit that contains `seq`, or of its last one up to `upTo`. */
export const findCommitEnd = async <T extends JournalTypes>(
  journal: Pick<Journal<T>, 'read'>,
  seq: Seq,
  upTo = end,
): Promise<Seq> => {
  let commit: string | undefined
  let commitEnd = seq
  for await (const entry of journal.read({ after: seq - 1, upTo })) {
    commit ??= entry.commit
    if (entry.commit !== commit) break
    commitEnd = entry.seq
  }
  return commitEnd
}
