/** Opens one index of references between facts. Loaded with the first use. */
import pLimit from 'p-limit'
import * as z from 'zod'
import type { Thing } from '../../facts/fact.ts'
import { getLinks, readEvent, type TalkRange } from '../../facts/fact-links.ts'
import type { Seq } from '../../facts/fact-values.ts'
import { getTraits } from '../../facts/facts.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { emptyHead } from '../../journal/log/head.ts'
import { readSeq, writeSeq } from '../../journal/log/keys.ts'
import type { Op, Store } from '../../journal/log/store.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { inboxKey } from '../../projections/talk.ts'
import { keptMark, openStore, readCommits, Unusable } from '../search/index-store.ts'
import { linksVersion } from '../search/index-versions.ts'

/** All methods throw Unusable. */
export interface LinkIndex {
  /** Facts after a position that refer to a fact, oldest first. */
  findReferring(seq: Seq, afterSeq: Seq, max: number): Promise<readonly Seq[]>
  /** The last fact about a thing before a position, or the first one after it. */
  findBefore(thing: Thing, id: string, seq: Seq): Promise<Seq | undefined>
  findAfter(thing: Thing, id: string, seq: Seq): Promise<Seq | undefined>
  /** Facts with `after < seq <= upTo` that mention a thing, oldest first. */
  findMentioning(thing: Thing, id: string, afterSeq: Seq, upTo: Seq, max: number): Promise<readonly Seq[]>
}

export interface OpenedIndex extends LinkIndex {
  position(): Seq | 0
  catchUp(journal: Journal, maybeYield: MaybeYield): Promise<void>
  close(): Promise<void>
}

const mark = keptMark(
  z.strictObject({ version: z.literal(linksVersion), seq: z.int().min(0), hash: z.string() }),
)
/** Entries in memory before they are written. */
const maxOps = 1000

/** Throws Unusable. */
export const openLinkIndex = async (folder: string): Promise<OpenedIndex> => {
  const store = await openStore(folder)
  try {
    let { seq, hash } = (await mark.read(store)) ?? emptyHead
    let checkedJournal: Journal | undefined
    const runAlone = pLimit(1)

    const catchUp = async (journal: Journal, maybeYield: MaybeYield): Promise<void> => {
      if (checkedJournal !== journal) {
        const isSame = seq === 0 || (await journal.hashAt(seq).catch(whenDamaged)) === hash
        if (!isSame) throw new Unusable('the index is of another journal')
        checkedJournal = journal
      }
      if (seq === journal.head.seq) return
      const talk = createRecentTalk(journal)
      let ops: Op[] = []
      const write = async (upTo: { readonly seq: Seq; readonly hash: string }) => {
        await store.batch([...ops, mark.op({ version: linksVersion, seq: upTo.seq, hash: upTo.hash })], {
          sync: false,
        })
        ops = []
        seq = upTo.seq
        hash = upTo.hash
      }
      let upTo: { readonly seq: Seq; readonly hash: string } | undefined
      for await (const { entries, head } of readCommits(journal, { seq, hash })) {
        let isLed = false
        for (const entry of entries) {
          talk.add(entry)
          ops.push(...(await toOps(entry, isLed, talk)))
          isLed ||= getTraits(entry.type).leads === true
        }
        upTo = head
        if (ops.length >= maxOps) await write(head)
        await maybeYield()
      }
      if (upTo && upTo.seq > seq) await write(upTo)
    }

    return {
      ...readIndex(store),
      position: () => seq,
      catchUp: (journal, maybeYield) => runAlone(catchUp, journal, maybeYield),
      close: () => runAlone(() => store.close()),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

const whenDamaged = (error: unknown): undefined => {
  if (!(error instanceof Damaged)) throw error
}

const toOps = async (entry: Entry, isLed: boolean, talk: RecentTalk): Promise<readonly Op[]> => {
  const { seq, cause } = entry
  const { references, ranges, things } = getLinks(entry)
  const ops = references.map((reference) => toPut(referenceKey(reference.seq, seq)))
  for (const range of ranges)
    for (const message of await talk.find(range)) ops.push(toPut(referenceKey(message, seq)))
  // A life is a cause only of facts without another cause.
  if (ops.length === 0 && !isLed && cause.life !== undefined)
    ops.push(toPut(thingKey('m', 'life', String(cause.life), seq)))
  for (const { thing, id, as } of things)
    ops.push(toPut(thingKey(as === 'first' || as === 'next' ? 's' : 'm', thing, id, seq)))
  return ops
}

interface RecentTalk {
  add(entry: Entry): void
  find(range: TalkRange): Promise<readonly Seq[]>
}

/** Messages in memory. Turns take the newest ones, so that most ranges need no read. */
const maxMessages = 4096

const createRecentTalk = (journal: Journal): RecentTalk => {
  let messages: Entry[] = []
  /** All messages after this position are in memory. */
  let start: Seq | 0 | undefined
  return {
    add: (entry) => {
      start ??= entry.seq - 1
      if (getTraits(entry.type).index !== 'talk') return
      messages.push(entry)
      if (messages.length < 2 * maxMessages) return
      messages = messages.slice(maxMessages)
      start = (messages[0]?.seq ?? 1) - 1
    },
    find: async (range) => {
      if (range.upTo <= range.after) return []
      if (start === undefined || range.after < start) {
        const seqs: Seq[] = []
        for await (const entry of readTalk(journal, range)) if (isInRange(entry, range)) seqs.push(entry.seq)
        return seqs
      }
      const seqs: Seq[] = []
      for (let n = messages.length - 1; n >= 0; n--) {
        const message = messages[n]
        if (!message || message.seq <= range.after) break
        if (isInRange(message, range)) seqs.push(message.seq)
      }
      return seqs
    },
  }
}

async function* readTalk(journal: Journal, { after, upTo }: TalkRange): AsyncGenerator<Entry> {
  try {
    yield* journal.read({ kind: 'talk', after, upTo })
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
  }
}

/** Whether a message belongs to a range. A turn takes the received messages of its channel. */
export const isInRange = (entry: Entry, { after, upTo, channel }: TalkRange): boolean => {
  if (entry.seq <= after || entry.seq > upTo || getTraits(entry.type).index !== 'talk') return false
  if (channel === undefined) return true
  const event = entry.type === 'MessageHeard' ? readEvent(entry) : null
  return event?.type === 'MessageHeard' && inboxKey(event.channel) === inboxKey(channel)
}

// Keys: `r/` cause effect, `s/` thing seq (a fact about it), `m/` thing seq (a fact that mentions it).

const empty = Buffer.alloc(0)
const toPut = (key: Buffer): Op => ({ type: 'put', key, value: empty })

const referenceKey = (cause: Seq, effect: Seq): Buffer => {
  const key = Buffer.allocUnsafe(18)
  key.write('r/', 0, 'latin1')
  writeSeq(key, 2, cause)
  writeSeq(key, 10, effect)
  return key
}

const thingKey = (kind: 's' | 'm', thing: Thing, id: string, seq: Seq): Buffer => {
  const prefix = Buffer.from(`${kind}/${thing}/${id}\0`)
  const key = Buffer.allocUnsafe(prefix.length + 8)
  prefix.copy(key)
  writeSeq(key, prefix.length, seq)
  return key
}

const readIndex = (store: Store): LinkIndex => {
  const read = async (from: Buffer, to: Buffer, limit: number, reverse = false): Promise<readonly Seq[]> => {
    const seqs: Seq[] = []
    for await (const page of store.items({ from, to, limit, reverse }))
      for (const [key] of page) seqs.push(readSeq(key, key.length - 8))
    return seqs
  }
  const last = Number.MAX_SAFE_INTEGER
  return {
    findReferring: (seq, afterSeq, max) =>
      read(referenceKey(seq, afterSeq + 1), referenceKey(seq, last), max),
    findBefore: async (thing, id, seq) =>
      (await read(thingKey('s', thing, id, 0), thingKey('s', thing, id, seq), 1, true))[0],
    findAfter: async (thing, id, seq) =>
      (await read(thingKey('s', thing, id, seq + 1), thingKey('s', thing, id, last), 1))[0],
    findMentioning: (thing, id, afterSeq, upTo, max) =>
      read(thingKey('m', thing, id, afterSeq + 1), thingKey('m', thing, id, Math.min(upTo + 1, last)), max),
  }
}
