/** Cutting a batch: drafts become records, with the index entries that go with them. */

import { Cause, type Seq } from '../facts/fact-values.ts'
import { kindOf, PersonaEvent } from '../facts/facts.ts'
import { dedupeOf } from './dedupe.ts'
import { TooLarge } from './errors.ts'
import type { Commit, Draft, Entry, Head } from './journal.ts'
import { recordKey } from './keys.ts'
import { createIndexing, type Marks, marked } from './kind-index.ts'
import { plain } from './plain-values.ts'
import { encodeRecord } from './record.ts'
import type { Op } from './store.ts'

const largest = 512 * 1024

export interface Batch {
  /** One per draft; a draft without facts writes nothing, and its commit is empty. */
  readonly commits: readonly Commit[]
  readonly ops: readonly Op[]
  readonly head: Head
  readonly marks: Marks
  /** Dedupe keys among the facts, in order. */
  readonly keys: readonly (readonly [key: string, seq: Seq])[]
}

/** The fact as a replay will read it. A ZodError or TypeError for what is none. */
export const asKept = (said: PersonaEvent): PersonaEvent => PersonaEvent.parse(plain(said))

/** `random` gives so many random bytes. TooLarge; a ZodError or TypeError for what is no fact. */
export const cut = (
  drafts: readonly Draft[],
  after: Head,
  before: Marks,
  random: (bytes: number) => Buffer,
): Batch => {
  const facts = drafts.reduce((sum, { events }) => sum + events.length, 0)
  // All at once: ⏱ sixteen random bytes cost as much as five hundred.
  const dice = dealing(random(16 * (facts + drafts.length)))
  const ops: Op[] = []
  const keys: [string, Seq][] = []
  const index = createIndexing(before)
  let head = after
  const commits = drafts.map(({ events, checked = false, cause: said, at, offset }): Commit => {
    const commit = dice()
    const name = commit.toString('hex')
    const cause = causeOf(said)
    let size = 0
    const entries = events.map((said): Entry => {
      const event = checked ? said : asKept(said)
      const record = encodeRecord({ commit, salt: dice(), cause, at, offset, event }, head)
      const entry = index.add(record.head, kindOf(event.type))
      const key = dedupeOf(event)
      ops.push({ type: 'put', key: recordKey(record.head.seq), value: record.value })
      if (entry) ops.push(entry)
      if (key !== undefined) keys.push([key, record.head.seq])
      size += record.value.length
      if (size > largest) throw new TooLarge(`a commit holds at most ${largest} bytes`)
      head = record.head
      // ⏱ Put together from parts it takes a microsecond.
      return {
        seq: head.seq,
        commit: name,
        type: event.type,
        at,
        offset,
        cause,
        erased: false,
        event,
      }
    })
    return { entries, head }
  })
  const marks = index.marks()
  if (facts > 0) ops.push(marked(marks))
  return { commits, ops, head, marks, keys }
}

/** The one that was checked last: most commits of a batch have the same. */
let latest: Cause = { by: 'person' }

const causeOf = (said: Cause): Cause => {
  const { by, life, turn, undoes } = latest
  const isSame =
    said.by === by && said.life === life && said.turn === turn && said.undoes === undoes && isShort(said)
  if (!isSame) latest = Cause.parse(said)
  return latest
}

/** Nothing else stands in it. */
const isShort = (said: Cause): boolean => {
  for (const key in said) if (!Object.hasOwn(Cause.shape, key)) return false
  return true
}

const dealing = (bytes: Buffer): (() => Buffer) => {
  let at = 0
  return () => {
    at += 16
    return bytes.subarray(at - 16, at)
  }
}
