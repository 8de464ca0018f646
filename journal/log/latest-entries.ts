/** Caches the latest facts of an index in memory, so that readers need not fetch, hash and decode them. */

import { Damaged, Newer } from './errors.ts'
import type { Seq } from './head.ts'
import type { Commit, Entry, Range } from './journal.ts'

export interface LatestEntries {
  /** Adds appended commits. */
  add(commits: readonly Commit[]): void
  /**
   * Returns facts of the index in a range, from the cache if it reaches far enough, else from disk. `head`:
   * the journal's head.
   */
  read(range: Range, head: Seq | 0, fromDisk: () => AsyncIterable<Entry>): AsyncIterable<Entry>
  /** Empties the cache: the facts on disk may differ. */
  clear(head: Seq | 0): void
}

/** Enough for the usual reader: the end of a conversation, the latest orders. */
const maxEntries = 512
/** In UTF-16 units: half a megabyte. */
const maxWordBytes = 256 * 1024
/** Overhead per fact. */
const weightOfFact = 64
/** Evicts in groups of this size: evicting one at a time moves all others (measured). */
const spareEntries = 64
const spareWords = maxWordBytes / 8

/** `isCached` tells whether a fact belongs to the index. */
export const createLatestEntries = (head: Seq | 0, isCached: (type: string) => boolean): LatestEntries => {
  /** The cache holds every fact of the index after `firstSeq`. `words` is their total weight. */
  let firstSeq: Seq | 0 = head
  let latestEntries: Entry[] = []
  let words: number = 0
  let weights: number[] = []

  const addEntry = (entry: Entry) => {
    const weight = getWeight(entry)
    latestEntries.push(entry)
    weights.push(weight)
    words += weight
  }

  const shed = () => {
    if (latestEntries.length <= maxEntries + spareEntries && words <= maxWordBytes + spareWords) return
    let from = 0
    for (; latestEntries.length - from > maxEntries || words > maxWordBytes; from++) {
      const oldestEntry = latestEntries[from]
      if (!oldestEntry) break
      words -= weights[from] ?? 0
      firstSeq = oldestEntry.seq
    }
    latestEntries.splice(0, from)
    weights.splice(0, from)
  }

  const findCached = ({ after = 0, upTo, last }: Span): readonly Entry[] | undefined => {
    const entries = latestEntries.filter(({ seq }) => seq > after && seq <= upTo)
    if (after < firstSeq && (last === undefined || entries.length < last)) return undefined
    return last === undefined ? entries : entries.slice(Math.max(0, entries.length - last))
  }

  /** Adds all facts of the index after `after`, up to a position. */
  const learn = (afterSeq: Seq | 0, upTo: Seq | 0, entries: readonly Entry[]) => {
    if (afterSeq >= firstSeq || upTo < firstSeq) return
    const olderEntries = entries.filter(({ seq }) => seq <= firstSeq)
    const youngerEntries = latestEntries
    firstSeq = afterSeq
    latestEntries = []
    weights = []
    words = 0
    for (const entry of [...olderEntries, ...youngerEntries]) addEntry(entry)
    shed()
  }

  async function* rememberEntries(span: Span, disk: AsyncIterable<Entry>): AsyncGenerator<Entry> {
    const entries: Entry[] = []
    for await (const entry of disk) {
      // Do not cache a whole history.
      if (entries.length <= maxEntries) entries.push(entry)
      yield entry
    }
    if (entries.length > maxEntries) return
    const decodedEntries = decodeAll(entries)
    const reachedSeq =
      span.last !== undefined && entries.length === span.last ? (entries[0]?.seq ?? 1) - 1 : span.after
    if (decodedEntries) learn(reachedSeq ?? 0, span.upTo, decodedEntries)
  }

  return {
    add: (commits) => {
      for (const { entries } of commits)
        for (const entry of entries) if (isCached(entry.type)) addEntry(entry)
      shed()
    },
    read: (range, end, fromDisk) => {
      const span = { ...range, upTo: Math.min(range.upTo ?? end, end) }
      const cachedEntries = findCached(span)
      return cachedEntries ? iterateValues(cachedEntries) : rememberEntries(span, fromDisk())
    },
    clear: (now) => {
      firstSeq = now
      latestEntries = []
      weights = []
      words = 0
    },
  }
}

type Span = Range & { readonly upTo: Seq | 0 }

/**
 * Decodes entries, so the record bytes can be freed (measured: a lazy entry holds 1.5 KB more). Returns
 * undefined if an entry is unreadable: each reader gets its own error.
 */
const decodeAll = (entries: readonly Entry[]): readonly Entry[] | undefined => {
  try {
    return entries.map(({ seq, commit, type, at, offset, cause, erased = false, event }) => {
      return { seq, commit, type, at, offset, cause, erased, event }
    })
  } catch (error) {
    if (error instanceof Damaged || error instanceof Newer) return undefined
    throw error
  }
}

const getWeight = ({ event }: Entry): number => textLength(event) + weightOfFact

/** Sums the length of all text in a value. */
const textLength = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  // A loop, because a list of fields would be garbage for each appended fact. Plain data has own fields
  // only.
  for (const key in value) sum += textLength(value[key as keyof typeof value])
  return sum
}

/** Yields known values as an async iterable. */
export async function* iterateValues<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}
