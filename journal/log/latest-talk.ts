/**
 * The latest facts of the talk, kept in memory as they were appended or first read: what every turn asks for
 * is not fetched, hashed and decoded again each time.
 */
import type { Seq } from '../facts/fact-values.ts'
import { kindOf } from '../facts/facts.ts'
import { Damaged, Newer } from './errors.ts'
import type { Commit, Entry, Range } from './journal.ts'

export interface LatestTalk {
  /** What was just appended. */
  add(commits: readonly Commit[]): void
  /**
   * Facts of the talk in a range, from memory where it reaches back far enough; else as they are read, and
   * kept. `head`: how far the journal goes.
   */
  read(range: Range, head: Seq | 0, fromDisk: () => AsyncIterable<Entry>): AsyncIterable<Entry>
  /** Forgets all of it: what is on disk is not known to be the same. */
  clear(head: Seq | 0): void
}

/** As many as a turn is told of, and those that wait. */
const mostKept = 512
/** UTF-16 units of their words: half a megabyte. */
const mostWords = 256 * 1024
/** What a fact takes beside its words. */
const weightOfFact = 64
/** So many more are kept, or words, until they go at once: ⏱ each by itself moves all others. */
const [spare, spareWords] = [64, mostWords / 8]

export const createLatestTalk = (head: Seq | 0): LatestTalk => {
  /** Every fact of the talk behind `since` is among the kept, and what each of them weighs beside them. */
  let [since, kept, words]: [Seq | 0, Entry[], number] = [head, [], 0]
  let weights: number[] = []

  const put = (entry: Entry) => {
    const weight = weightOf(entry)
    kept.push(entry)
    weights.push(weight)
    words += weight
  }

  const shed = () => {
    if (kept.length <= mostKept + spare && words <= mostWords + spareWords) return
    let from = 0
    for (; kept.length - from > mostKept || words > mostWords; from++) {
      const oldest = kept[from]
      if (!oldest) break
      words -= weights[from] ?? 0
      since = oldest.seq
    }
    kept.splice(0, from)
    weights.splice(0, from)
  }

  const find = ({ after = 0, upTo, last }: Span): readonly Entry[] | undefined => {
    const within = kept.filter(({ seq }) => seq > after && seq <= upTo)
    if (after < since && (last === undefined || within.length < last)) return undefined
    return last === undefined ? within : within.slice(Math.max(0, within.length - last))
  }

  /** All of the talk behind `after`, up to a position. */
  const learn = (after: Seq | 0, upTo: Seq | 0, found: readonly Entry[]) => {
    if (after >= since || upTo < since) return
    const older = found.filter(({ seq }) => seq <= since)
    const younger = kept
    since = after
    kept = []
    weights = []
    words = 0
    for (const entry of [...older, ...younger]) put(entry)
    shed()
  }

  async function* remembering(span: Span, disk: AsyncIterable<Entry>): AsyncGenerator<Entry> {
    const found: Entry[] = []
    for await (const entry of disk) {
      // A whole life is not kept.
      if (found.length <= mostKept) found.push(entry)
      yield entry
    }
    if (found.length > mostKept) return
    const whole = wholeOf(found)
    const reached =
      span.last !== undefined && found.length === span.last ? (found[0]?.seq ?? 1) - 1 : span.after
    if (whole) learn(reached ?? 0, span.upTo, whole)
  }

  return {
    add: (commits) => {
      for (const { entries } of commits)
        for (const entry of entries) if (kindOf(entry.type) === 'talk') put(entry)
      shed()
    },
    read: (range, end, fromDisk) => {
      const span = { ...range, upTo: Math.min(range.upTo ?? end, end) }
      const known = find(span)
      return known ? eachOf(known) : remembering(span, fromDisk())
    },
    clear: (now) => {
      since = now
      kept = []
      weights = []
      words = 0
    },
  }
}

type Span = Range & { readonly upTo: Seq | 0 }

/**
 * Without the bytes they were read from: ⏱ an entry that reads its words when they are asked for holds 1.5 KB
 * beside them. Undefined where one cannot be read: that is told to whoever asks for its words, each time.
 */
const wholeOf = (entries: readonly Entry[]): readonly Entry[] | undefined => {
  try {
    return entries.map(({ seq, commit, type, at, offset, cause, erased = false, event }) => {
      return { seq, commit, type, at, offset, cause, erased, event }
    })
  } catch (error) {
    if (error instanceof Damaged || error instanceof Newer) return undefined
    throw error
  }
}

const weightOf = ({ event }: Entry): number => lengthOf(event) + weightOfFact

/** Of all the text in it; long texts are not looked through. */
const lengthOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  // ⏱ As a loop: a list of its fields is garbage of each message that is appended.
  // Plain data has no fields but its own.
  for (const key in value) sum += lengthOf(value[key as keyof typeof value])
  return sum
}

/** What is known already, as if it were read. */
export async function* eachOf<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}
