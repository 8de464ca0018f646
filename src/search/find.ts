/** Finds the facts of a life with all words, newest first. */

import { type SearchKind, SearchKinds } from '../../facts/fact.ts'
import type { Seq } from '../../facts/fact-values.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { entryAt } from '../../journal/log/keys.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import type { Reading } from '../persona/persona-store.ts'
import { kindMark, type LifeIndex } from './life-index.ts'
import { intersect, isEmpty, newestFirst, noPositions, type Positions, partOfLife } from './positions.ts'
import { placesIn, type Query, type QueryWord } from './query.ts'
import { type FoundText, getSearchText, stillHolds } from './texts.ts'

export interface Ask {
  readonly query: Query
  /** Only facts before this position. */
  readonly before: Seq
  readonly limit: number
  /** Default: all kinds. */
  readonly kinds?: readonly SearchKind[]
}

export interface Hit extends FoundText {
  /** Position of the first match in its text. */
  readonly place: number
  /** Position of each group's first match; undefined if it does not occur. */
  readonly places: readonly (number | undefined)[]
}

/** Newest first. `more`: there are older ones. */
export interface Page {
  readonly hits: readonly Hit[]
  readonly hasMore: boolean
}

/** Returns the facts that contain every group. Throws Unusable. */
export const findAll = async (
  index: LifeIndex,
  reading: Reading,
  ask: Ask,
  maybeYield: MaybeYield,
): Promise<Page> => {
  const hits: Hit[] = []
  if (ask.query.length === 0) return { hits, hasMore: false }
  for (const [from, to] of parts(ask, reading)) {
    const places = newestFirst(await withAll(index, ask, from, to, maybeYield))
    for (
      let seqs = takeSeqs(places, ask.limit + 1);
      seqs.length > 0;
      seqs = takeSeqs(places, ask.limit + 1 - hits.length)
    ) {
      const looks = seqs.map((seq) => hitAt(seq, ask.query, reading, ask.kinds, index.latest, maybeYield))
      for (const hit of await Promise.all(looks))
        if (hit?.places.every((place) => place !== undefined)) hits.push(hit)
      if (hits.length > ask.limit) return { hits: hits.slice(0, ask.limit), hasMore: true }
    }
  }
  return { hits, hasMore: false }
}

/**
 * Takes some more than wanted, since candidates may not match. Measured: reading them together takes a third
 * of the time.
 */
const takeSeqs = (seqs: Generator<Seq>, count: number): readonly Seq[] => {
  const seqsTaken: Seq[] = []
  const maxSeqs = Math.min(32, Math.max(8, count))
  while (seqsTaken.length < maxSeqs) {
    const { value, done } = seqs.next()
    if (done) break
    seqsTaken.push(value)
  }
  return seqsTaken
}

/**
 * Yields the newest part first, then larger ones: frequent words are found at once, rare ones in a few steps.
 */
function* parts({ before }: Ask, { journal }: Reading): Generator<readonly [from: Seq, to: Seq]> {
  for (let to = Math.min(before, journal.head.seq + 1), widthInParts = 1; to > 1; widthInParts *= 8) {
    const from = Math.max(1, (Math.ceil(to / partOfLife) - widthInParts) * partOfLife)
    yield [from, to]
    to = from
  }
}

const withAll = async (
  index: LifeIndex,
  { query, kinds }: Ask,
  from: Seq,
  to: Seq,
  maybeYield: MaybeYield,
): Promise<Positions> => {
  const words = await findTogether(index, query.flat(), { from, to, maybeYield })
  return kinds && !isEmpty(words)
    ? intersect(words, await ofKinds(index, kinds, from, to, maybeYield))
    : words
}

/** Facts with `from <= seq < to`. */
export interface Span {
  readonly from: Seq
  readonly to: Seq
  readonly maybeYield: MaybeYield
}

/** Intersects the positions of all words. Stops early when nothing is left. Throws Unusable. */
export const findTogether = async (
  index: LifeIndex,
  words: readonly QueryWord[],
  { from, to, maybeYield }: Span,
): Promise<Positions> => {
  let all: Positions | undefined
  for (const { forms, isPrefix, isLookedUp } of words) {
    if (!isLookedUp) continue
    const positions = await index.findHaving(forms, isPrefix, from, to, maybeYield)
    all = all ? intersect(all, positions) : positions
    if (isEmpty(all)) return all
  }
  return all ?? noPositions(from, to)
}

const ofKinds = (
  index: LifeIndex,
  kinds: readonly SearchKind[] = SearchKinds,
  from: Seq,
  to: Seq,
  maybeYield: MaybeYield,
): Promise<Positions> => index.findHaving(kinds.map(kindMark), false, from, to, maybeYield)

/** Checks a candidate against its text. Returns undefined if it does not match any more. */
export const hitAt = async (
  seq: Seq,
  query: Query,
  { journal, persona }: Reading,
  kinds: readonly SearchKind[] | undefined,
  findLatest: (plan: string) => Promise<Seq | undefined>,
  maybeYield: MaybeYield,
): Promise<Hit | undefined> => {
  await maybeYield()
  const entry = await unlessDamaged(entryAt(journal, seq))
  const text = entry && (await unlessDamaged(getSearchText(entry, journal, persona)))
  if (!text || (kinds && !kinds.includes(text.kind)) || !(await stillHolds(text, persona, findLatest)))
    return undefined
  const places = await placesIn(text.text, query, maybeYield)
  const first = Math.min(...places.map((place) => place ?? Number.POSITIVE_INFINITY))
  return { ...text, place: Number.isFinite(first) ? first : 0, places }
}

const unlessDamaged = async <T>(request: Promise<T>): Promise<T | undefined> => {
  try {
    return await request
  } catch (error) {
    if (error instanceof Damaged) return undefined
    throw error
  }
}
