/**
 * The keys of a persona's store, the same bytes in every engine: a range is a prefix, and order is position.
 */
import { hash } from 'node:crypto'
import type { Kind } from '../facts/fact.ts'
import type { Seq, Sha256 } from '../facts/fact-values.ts'
import type { Item, Op, Span } from './store.ts'

const end = Number.POSITIVE_INFINITY

export const recordKey = (seq: Seq): Buffer => numbered('e/', seq)
/** Records with `after < seq <= upTo`; no `upTo` is all there are. */
export const recordSpan = (after: Seq | 0, upTo = end): Span => numberedSpan('e/', after, upTo)

export const indexKey = (kind: Kind, seq: Seq): Buffer => numbered(`t/${kind}/`, seq)
export const indexSpan = (kind: Kind, after: Seq | 0, upTo: Seq): Span =>
  numberedSpan(`t/${kind}/`, after, upTo)
/** First in the range it speaks for, so that whatever deletes the range deletes it too. */
export const indexMark = Buffer.from('t/')
export const wholeIndex: Span = { from: indexMark, to: after('t/') }

export const snapshotKey = (projector: string, seq: Seq): Buffer => numbered(`s/${projector}/`, seq)
export const snapshotSpan = (projector: string, upTo: Seq): Span => numberedSpan(`s/${projector}/`, 0, upTo)
export const wholeSnapshots: Span = { from: Buffer.from('s/'), to: after('s/') }
export const projectorOf = (key: Buffer): string => key.toString('utf8', 2, key.length - 9)

/** Everything in a store. */
export const wholeStore: Span = { from: Buffer.from('a'), to: Buffer.from('~') }

/** Hashed, so that whatever a client calls its message, the key is short and one of its own. */
export const dedupeKey = (key: string): Buffer => Buffer.from(`${markInHex}${hash('sha256', key)}`, 'hex')
export const dedupeMark = Buffer.from('x/')
const markInHex = dedupeMark.toString('hex')
export const wholeDedupe: Span = { from: dedupeMark, to: after('x/') }

export const partKey = (sha: Sha256): Buffer => Buffer.concat([Buffer.from('b/'), Buffer.from(sha, 'hex')])

export const wholeParts: Span = { from: Buffer.from('b/'), to: after('b/') }

/** How far parts of old calls were removed. */
export const prunedMark = Buffer.from('p/')

export const isRecord = (key: Buffer): boolean => key.toString('latin1', 0, 2) === 'e/'
const isSnapshot = (key: Buffer): boolean => key.toString('latin1', 0, 2) === 's/'
/** The part a key names; undefined for what is none. */
export const partIn = (key: Buffer): Sha256 | undefined =>
  key.toString('latin1', 0, 2) === 'b/' ? key.toString('hex', 2) : undefined

/** What is written of records, in its order. */
export const recordsIn = (ops: readonly Op[]): readonly Item[] =>
  ops.flatMap((op): Item[] => (op.type === 'put' && isRecord(op.key) ? [[op.key, op.value]] : []))

/** Whether it names what cannot be made again. */
export const isRecordOrPart = (key: Buffer): boolean => /^[eb]\/$/.test(key.toString('latin1', 0, 2))

/** Whether it is written once under its key and stays so: records, parts, snapshots. */
export const isKeptForGood = (key: Buffer): boolean => isRecordOrPart(key) || isSnapshot(key)

/** The position a key ends with. */
export const seqOf = (key: Buffer): Seq => readSeq(key, key.length - 8)

export const readSeq = (bytes: Buffer, at: number): Seq =>
  bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)
export const writeSeq = (bytes: Buffer, at: number, seq: Seq | 0): void => {
  bytes.writeUInt32BE(Math.floor(seq / 2 ** 32), at)
  bytes.writeUInt32BE(seq % 2 ** 32, at + 4)
}

function numbered(prefix: string, seq: Seq): Buffer {
  const key = Buffer.allocUnsafe(prefix.length + 8)
  // ⏱ A call into the engine for so few letters takes three times as long.
  for (let n = 0; n < prefix.length; n++) key[n] = prefix.charCodeAt(n)
  writeSeq(key, prefix.length, seq)
  return key
}

function numberedSpan(prefix: string, from: Seq | 0, upTo: Seq): Span {
  return {
    from: numbered(prefix, from + 1),
    to: upTo < Number.MAX_SAFE_INTEGER ? numbered(prefix, upTo + 1) : after(prefix),
  }
}

/** The first key behind all that begin with a prefix. */
function after(prefix: string): Buffer {
  const key = Buffer.from(prefix)
  key.writeUInt8(key.readUInt8(key.length - 1) + 1, key.length - 1)
  return key
}
