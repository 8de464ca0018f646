/**
 * A witness: a file that proves to anyone what the head of a journal was at a time. Its form is
 * c2sp.org/tlog-proof; `extra` holds the leaf and the public key.
 */
import type { Head } from '../log/head.ts'
import { isIncluded } from './merkle-hashes.ts'
import { type Checkpoint, openCheckpoint, parseVerifierKey } from './signed-note.ts'

/** A leaf of a log of heads: the position and the chain hash of a journal at a time. */
export interface SignedHead extends Head {
  /** ISO 8601, UTC. The clock may have been wrong. */
  readonly time: string
}

/** All leaves have the same length. They contain no text of a fact, so that erasing changes none. */
export const formatLeaf = ({ seq, hash, time }: SignedHead): string =>
  `${String(seq).padStart(16, '0')} ${hash} ${time}`

/** Returns undefined if the text is no leaf. */
export const parseLeaf = (text: string): SignedHead | undefined => {
  const [, seq = '', hash = '', time = ''] =
    /^(\d{16}) ([0-9a-f]{64}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/.exec(text) ?? []
  return seq === '' || Number.isNaN(Date.parse(time)) ? undefined : { seq: Number(seq), hash, time }
}

interface WitnessParts {
  readonly head: SignedHead
  /** As `formatVerifierKey` writes it. */
  readonly key: string
  readonly index: number
  readonly proof: readonly Buffer[]
  /** A signed checkpoint. */
  readonly checkpoint: string
}

const form = 'c2sp.org/tlog-proof@v1'
const extraForm = 'daimon-head/v1'
/** Max characters of a witness file. */
const maxWitness = 128 * 1024

export const formatWitness = ({ head, key, index, proof, checkpoint }: WitnessParts): string => {
  const extra = Buffer.from(`${extraForm}\n${formatLeaf(head)}\n${key}\n`).toString('base64')
  const hashes = proof.map((hash) => `${hash.toString('base64')}\n`).join('')
  return `${form}\nextra ${extra}\nindex ${index}\n${hashes}\n${checkpoint}`
}

/** A witness whose signature and proof are valid. */
export interface Witness {
  readonly head: SignedHead
  readonly key: string
  readonly checkpoint: Checkpoint
}

/** The message says what is wrong with the file. */
export class WitnessInvalid extends Error {
  override readonly name = 'WitnessInvalid'
}

/** Checks the signature and the proof of a witness. Throws WitnessInvalid. */
export const openWitness = async (text: string): Promise<Witness> => {
  const { head, key, index, proof, checkpoint: note } = parseWitness(text.replaceAll('\r\n', '\n'))
  const verifierKey = parseVerifierKey(key)
  if (!verifierKey) throw new WitnessInvalid('The witness file has no valid public key.')
  const checkpoint = await openCheckpoint(note, verifierKey)
  if (!checkpoint) throw new WitnessInvalid('The signature in the witness file is not valid: it was altered.')
  if (verifierKey.name !== checkpoint.origin)
    throw new WitnessInvalid('The witness file has the key of another log.')
  if (!isIncluded(Buffer.from(formatLeaf(head)), index, checkpoint, proof))
    throw new WitnessInvalid('The proof in the witness file is not valid: it was altered.')
  return { head, key, checkpoint }
}

const parseWitness = (text: string): WitnessParts => {
  const invalid = new WitnessInvalid('This is no witness file, or it was cut off.')
  const end = text.indexOf('\n\n')
  if (text.length > maxWitness || end < 0) throw invalid
  const [first, extra = '', index = '', ...hashes] = text.slice(0, end).split('\n')
  const [, encoded = ''] = /^extra ([A-Za-z0-9+/]+=*)$/.exec(extra) ?? []
  const [, indexText = ''] = /^index (0|[1-9]\d{0,14})$/.exec(index) ?? []
  const [kind, leaf = '', key = ''] = Buffer.from(encoded, 'base64').toString().split('\n')
  const head = parseLeaf(leaf)
  if (first !== form || kind !== extraForm || indexText === '' || !head) throw invalid
  const proof = hashes.map((hash) => Buffer.from(hash, 'base64'))
  return { head, key, index: Number(indexText), proof, checkpoint: text.slice(end + 2) }
}

// The comparison of a journal with a witness.

/** A journal, or a copy of one. */
export interface CheckedJournal {
  readonly head: Head
  /** Position of the first fact that does not match the chain; null if all match. */
  readonly firstBad: number | null
  /** Returns undefined if there is no fact at this position. */
  readonly hashAt: (seq: number) => Promise<string | undefined>
}

/** The log of heads beside a journal. */
export interface CheckedLog {
  readonly origin: string
  readonly size: number
  readonly keys: readonly string[]
  /** Oldest first. */
  readonly heads: readonly SignedHead[]
  /** Whether the log extends an older checkpoint of the same log. */
  readonly extendsCheckpoint: (olderCheckpoint: Checkpoint) => Promise<boolean>
}

export interface Finding {
  readonly holds: boolean
  /** Sentences for the user. */
  readonly lines: readonly string[]
}

const toDay = (time: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time))
const place = ({ seq, time }: SignedHead): string => `position ${seq} (${toDay(time)})`

const isUnchanged = async (journal: CheckedJournal, { seq, hash }: Head): Promise<boolean> =>
  (journal.firstBad === null || seq < journal.firstBad) && (await journal.hashAt(seq)) === hash

/** Compares a journal with the heads of its own log. */
export const compareWithLog = async (journal: CheckedJournal, log: CheckedLog): Promise<Finding> => {
  const last = log.heads.at(-1)
  if (!last) return { holds: false, lines: ['No head was signed yet.'] }
  if (await isUnchanged(journal, last))
    return {
      holds: true,
      lines: [
        `Nothing up to ${place(last)} was changed since it was signed.`,
        'A signature of this daemon proves this only to those who have a witness file: the daemon could sign again.',
      ],
    }
  return { holds: false, lines: [await describeChange(journal, last, log.heads)] }
}

/** Compares a journal with a witness, and with its log if there is one. */
export const compareWithWitness = async (
  journal: CheckedJournal,
  { head, key, checkpoint }: Witness,
  log: CheckedLog | null,
): Promise<Finding> => {
  const ownLog = log?.origin === checkpoint.origin ? log : null
  const isSame = await isUnchanged(journal, head)
  const first = isSame
    ? `Nothing up to ${place(head)} was changed since the witness was made.`
    : await describeChange(journal, head, ownLog?.heads ?? [])
  if (!log) return { holds: isSame, lines: [first] }
  if (!ownLog)
    return {
      holds: isSame,
      lines: [
        first,
        'The log of heads beside this journal is not the log of the witness: the journal is a fork, another program signs, or the log was lost.',
      ],
    }
  const isGrown = await ownLog.extendsCheckpoint(checkpoint)
  const logLine = isGrown
    ? `The log of heads still has the ${checkpoint.size} heads of the witness.`
    : ownLog.size < checkpoint.size
      ? `The log of heads was rolled back: it has ${ownLog.size} heads, and the witness saw ${checkpoint.size}.`
      : 'The log of heads was rewritten: it does not continue the log of the witness.'
  const keyLine = ownLog.keys.includes(key) ? [] : ['The log does not list the key of the witness.']
  return { holds: isSame && isGrown && keyLine.length === 0, lines: [first, logLine, ...keyLine] }
}

/** Names the part of the journal that differs. Signed heads before it narrow it down. */
const describeChange = async (
  journal: CheckedJournal,
  signedHead: SignedHead,
  heads: readonly SignedHead[],
): Promise<string> => {
  let lastSame: SignedHead | undefined
  for (const head of heads)
    if (head.seq < signedHead.seq && head.seq > (lastSame?.seq ?? 0) && (await isUnchanged(journal, head)))
      lastSame = head
  const unchangedPart = lastSame ? ` Nothing up to ${place(lastSame)} was changed.` : ''
  if (journal.firstBad !== null && journal.firstBad <= signedHead.seq)
    return `The journal is damaged from position ${journal.firstBad} on.${unchangedPart}`
  if (journal.head.seq < signedHead.seq)
    return `Facts were removed: the journal ends at position ${journal.head.seq}, and ${place(signedHead)} was signed.${unchangedPart}`
  return `History was rewritten: the journal differs from the head that was signed at ${place(signedHead)}, at this position or before it.${unchangedPart}`
}
