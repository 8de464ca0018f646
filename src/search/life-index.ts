/**
 * The word index of one life. Disposable: it lags behind its journal and catches up. Any error is `Unusable`,
 * and the caller deletes it. Texts are written in batches of some hundred; the newest ones are read again
 * when it is opened. Thus an append costs nothing here, and a frequent word is one short entry.
 */

import pLimit from 'p-limit'
import * as z from 'zod'
import { type SearchKind, SearchKinds } from '../../facts/fact.ts'
import type { Seq } from '../../facts/fact-values.ts'
import { getTraits } from '../../facts/facts.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { emptyHead, type Head } from '../../journal/log/head.ts'
import { readSeq, writeSeq } from '../../journal/log/keys.ts'
import type { Op, Span, Store } from '../../journal/log/store.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import type { Reading } from '../persona/persona-store.ts'
import { dayMarks } from './dates.ts'
import { createMarks, getLengthClass, lengthMark, type Marks } from './fact-marks.ts'
import { keptMark, noStore, openStore, readCommits, Unusable } from './index-store.ts'
import { indexVersion } from './index-versions.ts'
import { addNewestWords, noNewestWords, noteWord } from './newest.ts'
import {
  addStretch,
  beginningSpan,
  forEachInStretch,
  noPositions,
  type Positions,
  stretches,
  wordInKey,
  wordSpan,
} from './positions.ts'
import { getSearchText } from './texts.ts'
import { detectLanguage, type Language } from './word-stems.ts'
import { wordsIn } from './words.ts'

export interface LifeIndex {
  /** Indexes new facts. Ends early at damage or when `stopped` returns true. Throws Unusable. */
  catchUp(reading: Reading, maybeYield: MaybeYield, isStopped: () => boolean): Promise<void>
  /**
   * Returns facts with `from <= seq < to` that contain a form, or with `begins` a word with that prefix.
   * Throws Unusable.
   */
  findHaving(
    forms: readonly string[],
    isPrefix: boolean,
    from: Seq,
    to: Seq,
    maybeYield: MaybeYield,
  ): Promise<Positions>
  /** For facts before `to`. Throws Unusable. */
  marks(to: Seq, maybeYield: MaybeYield): Promise<Marks>
  /** Returns at most `most` words with a prefix. Throws Unusable. */
  beginning(start: string, maxWords: number): Promise<readonly string[]>
  /** Returns the last fact about a plan. Throws Unusable. */
  latest(plan: string): Promise<Seq | undefined>
  status(): IndexStatus
  /** Writes the newest texts to disk. Throws Unusable. */
  writeOut(maybeYield: MaybeYield): Promise<void>
  /**
   * Returns a checksum of the positions of each word up to `upTo`, as far as they are on disk. Throws
   * Unusable.
   */
  sums(upTo: Seq, maybeYield: MaybeYield): Promise<ReadonlyMap<string, number>>
  close(): Promise<void>
}

export interface IndexStatus {
  /** All facts up to here are indexed. */
  readonly position: Seq | 0
  /** Number of facts whose text could not be indexed. */
  readonly skipped: number
}

const Mark = z.strictObject({
  version: z.literal(indexVersion),
  seq: z.int().min(0),
  hash: z.string(),
  skipped: z.int().min(0).optional(),
})
const mark = keptMark(Mark)

interface Mark {
  readonly upTo: Head
  readonly skipped: number
}

/** Throws Unusable. */
const readMark = async (store: Store): Promise<Mark> => {
  const value = await mark.read(store)
  return value
    ? { upTo: { seq: value.seq, hash: value.hash }, skipped: value.skipped ?? 0 }
    : { upTo: emptyHead, skipped: 0 }
}

/** Max texts in memory while catching up. */
const maxTextsInMemory = 4096
const entriesPerBatch = 1000

/** Size of the cache of words that are on disk. */
const maxKnownWords = 100_000

/** Index marks of properties other than words. Words never begin with a colon. */
export const kindMark = (kind: SearchKind): string => `:${kind}`
export const languageMark = (language: Language): string => `:~${language}`
/** Messages of the persona. */
export const ownMark = ':own'
/** Texts that end with a question. */
export const questionMark = ':?'
const question = /[?？؟]\s*(?:$|[\n[])/

/** `worthWriting`: min texts for a write when the index is up to date. Throws Unusable. */
export const openLifeIndex = async (folder: string, worthWriting: number): Promise<LifeIndex> => {
  const store = await openStore(folder)
  try {
    return indexOn(store, await readMark(store), worthWriting)
  } catch (error) {
    await store.close()
    throw error
  }
}

/** For a single question: indexes a whole life in memory. */
export const openIndexInMemory = (): LifeIndex =>
  indexOn(noStore, { upTo: emptyHead, skipped: 0 }, Number.POSITIVE_INFINITY)

const indexOn = (store: Store, storedMark: Mark, worthWriting: number): LifeIndex => {
  let tail = noNewestWords(storedMark.upTo)
  let { skipped } = storedMark
  /** Facts up to here are on disk. */
  let writtenSeq: Seq | 0 = tail.upTo.seq
  const knownWords = new Set<string>()
  /** The journal that the index was checked against. */
  let checkedJournal: Journal | undefined
  const runAlone = pLimit(1)

  const check = async (journal: Journal): Promise<void> => {
    if (checkedJournal === journal) return
    if (!(await holds(journal, tail.upTo))) {
      const storedMark = await readMark(store)
      if (!(await holds(journal, storedMark.upTo))) throw new Unusable('the index is of another journal')
      tail = noNewestWords(storedMark.upTo)
      skipped = storedMark.skipped
      writtenSeq = tail.upTo.seq
    }
    checkedJournal = journal
  }

  const flush = async (maybeYield: MaybeYield): Promise<void> => {
    const { words, plans, upTo } = tail
    let ops: Op[] = []
    const write = async () => {
      await store.batch(ops, { sync: false })
      ops = []
    }
    for (const [plan, seq] of plans) ops.push({ type: 'put', key: planKey(plan), value: toSeqBytes(seq) })
    // Entries written before a crash are written again with the mark, which changes nothing.
    for (const [word, seqs] of words) {
      ops.push(...stretches(word, seqs))
      if (ofLetters.test(word) && !knownWords.has(word)) {
        knownWords.add(word)
        ops.push({ type: 'put', key: vocabularyKey(word), value: emptyBuffer })
      }
      if (ops.length < entriesPerBatch) continue
      await write()
      await maybeYield()
    }
    ops.push(mark.op({ version: indexVersion, ...upTo, ...(skipped > 0 && { skipped }) }))
    await write()
    tail = noNewestWords(upTo)
    writtenSeq = upTo.seq
    if (knownWords.size > maxKnownWords) knownWords.clear()
  }

  const indexEntry = async (
    entry: Entry,
    { journal, persona }: Reading,
    maybeYield: MaybeYield,
  ): Promise<void> => {
    const text =
      !entry.erased &&
      getTraits(entry.type).search &&
      (await getSearchText(entry, journal, persona).catch(whenDamaged))
    if (!text) return
    const { event, seq } = entry
    const words: string[] = []
    for (const { forms } of wordsIn(text.text)) {
      for (const form of forms) noteWord(tail, form, seq)
      if (words.push(forms[0] ?? '') % 64 === 0) await maybeYield()
    }
    const language = detectLanguage(words)
    const marks = [
      kindMark(text.kind),
      lengthMark(getLengthClass(words.length)),
      ...dayMarks(event.type === 'DayClosed' ? event.ended : entry.at, entry.offset),
    ]
    for (const mark of marks) noteWord(tail, mark, seq)
    if (language) noteWord(tail, languageMark(language), seq)
    if (event.type === 'MessageSpoken') noteWord(tail, ownMark, seq)
    if (question.test(text.text)) noteWord(tail, questionMark, seq)
    if (text.kind === 'plan' && 'id' in event) tail.plans.set(event.id, seq)
    tail.texts++
  }

  /** Skips a fact whose text cannot be read or divided into words. Search works without it. */
  const indexOrSkip: typeof indexEntry = async (entry, reading, maybeYield) => {
    try {
      await indexEntry(entry, reading, maybeYield)
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error
      skipped++
    }
  }

  const indexNew = async (
    reading: Reading,
    maybeYield: MaybeYield,
    isStopped: () => boolean,
  ): Promise<void> => {
    const { journal } = reading
    await check(journal)
    if (tail.upTo.seq === journal.head.seq) return
    for await (const { entries, head } of readCommits(journal, tail.upTo)) {
      for (const entry of entries) await indexOrSkip(entry, reading, maybeYield)
      tail.upTo = head
      await maybeYield()
      if (tail.texts >= Math.max(maxTextsInMemory, worthWriting)) await flush(maybeYield)
      if (isStopped()) return
    }
    if (tail.texts >= worthWriting) await flush(maybeYield)
  }

  const findHaving: LifeIndex['findHaving'] = async (forms, isPrefix, from, to, maybeYield) => {
    const positions = noPositions(from, to)
    // Before the disk: a text that is written meanwhile is then found twice, not missed.
    const newestTail = tail
    const scan = async (span: Span) => {
      for await (const page of store.items(span)) {
        for (const [key, value] of page) addStretch(positions, key, value)
        await maybeYield()
      }
    }
    for (const form of forms) {
      await scan(isPrefix ? beginningSpan(form) : wordSpan(form, from, to))
      addNewestWords(newestTail, form, isPrefix, positions)
    }
    return positions
  }
  const marks = createMarks(findHaving, [...SearchKinds.map(kindMark), ownMark, questionMark])

  return {
    catchUp: (reading, maybeYield, isStopped) => runAlone(indexNew, reading, maybeYield, isStopped),
    findHaving,
    marks: (to, maybeYield) => marks.before(to, writtenSeq, maybeYield),
    beginning: async (start, maxWords) => {
      const words = new Set<string>()
      for (const word of tail.words.keys()) {
        if (words.size === maxWords) break
        if (word.startsWith(start) && ofLetters.test(word)) words.add(word)
      }
      const span = { from: vocabularyKey(start), to: vocabularyKey(`${start}\u{10ffff}`), limit: maxWords }
      for await (const page of store.items(span)) for (const [key] of page) words.add(key.toString('utf8', 2))
      return [...words]
    },
    latest: async (plan) => {
      const newestSeq = tail.plans.get(plan)
      if (newestSeq !== undefined) return newestSeq
      const bytes = await store.get(planKey(plan))
      return bytes?.length === 8 ? readSeq(bytes, 0) : undefined
    },
    status: () => ({ position: tail.upTo.seq, skipped }),
    writeOut: (maybeYield) => runAlone(flush, maybeYield),
    sums: async (upTo, maybeYield) => {
      const sums = new Map<string, number>()
      for await (const page of store.items(beginningSpan(''))) {
        for (const [key, value] of page) {
          const word = wordInKey(key)
          let sum = sums.get(word) ?? 0
          forEachInStretch(key, value, (seq) => {
            if (seq <= upTo) sum = (sum + mixed(seq)) >>> 0
          })
          if (sum !== 0) sums.set(word, sum)
        }
        await maybeYield()
      }
      return sums
    },
    close: () => runAlone(() => store.close()),
  }
}

/** Distributes positions over 32 bits, so that their sum identifies the set. Multiplier of MurmurHash3. */
const mixed = (seq: Seq): number => Math.imul(seq ^ (seq >>> 16), 0x85ebca6b) >>> 0

const whenDamaged = (error: unknown): undefined => {
  if (!(error instanceof Damaged)) throw error
}

/** Whether a journal contains exactly this record. */
export const holds = async (journal: Journal, { seq, hash }: Head): Promise<boolean> => {
  if (seq > journal.head.seq) return false
  if (seq === journal.head.seq) return hash === journal.head.hash
  try {
    for await (const _ of journal.commits({ seq, hash })) return true
    return true
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    // A record after it is damaged.
    return error.seq > seq
  }
}

/** Words that may have inflections. */
const ofLetters = /^\p{L}{3,30}$/u
const vocabularyKey = (word: string): Buffer => Buffer.from(`v/${word}`)
const emptyBuffer = Buffer.alloc(0)

const planKey = (plan: string): Buffer => Buffer.from(`p/${plan}`)

const toSeqBytes = (seq: Seq): Buffer => {
  const bytes = Buffer.allocUnsafe(8)
  writeSeq(bytes, 0, seq)
  return bytes
}
