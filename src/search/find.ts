/** Looking for something in a life: by its index, or fact by fact where there is none to be had. */

import { type SearchKind, SearchKinds } from '../../journal/facts/fact.ts'
import type { Seq } from '../../journal/facts/fact-values.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { MaybeYield } from '../flow/yielding.ts'
import type { Reading } from '../persona/personas.ts'
import { kindMark, type LifeIndex } from './life-index.ts'
import { intersect, isEmpty, newestFirst, noPositions, type Positions, partOfLife } from './postings.ts'
import { placesIn, type Query, type Wanted } from './query.ts'
import { entryAt, type Found, stillHolds, textOf } from './texts.ts'

export interface Ask {
  readonly query: Query
  /** Only facts with a smaller position. */
  readonly before: Seq
  readonly limit: number
  /** Any where none is named. */
  readonly kinds?: readonly SearchKind[]
}

export interface Hit extends Found {
  /** Where the first word that was found stands in its text. */
  readonly place: number
}

/** The newest first. `more`: there are older ones. */
export interface Page {
  readonly hits: readonly Hit[]
  readonly more: boolean
}

/** Facts in which every group stands. Unusable. */
export const findAll = async (
  index: LifeIndex,
  reading: Reading,
  ask: Ask,
  maybeYield: MaybeYield,
): Promise<Page> => {
  const hits: Hit[] = []
  if (ask.query.length === 0) return { hits, more: false }
  for (const [from, to] of parts(ask, reading)) {
    const places = newestFirst(await withAll(index, ask, from, to, maybeYield))
    for (
      let some = take(places, ask.limit + 1);
      some.length > 0;
      some = take(places, ask.limit + 1 - hits.length)
    ) {
      const looks = some.map((seq) => hitAt(seq, ask.query.length, reading, ask, index.latest, maybeYield))
      hits.push(...(await Promise.all(looks)).filter((hit) => hit !== undefined))
      if (hits.length > ask.limit) return { hits: hits.slice(0, ask.limit), more: true }
    }
  }
  return { hits, more: false }
}

/**
 * As many as are still wanted, and a few at least: not each of them need be what it promises. ⏱ Together they
 * take a third of the time.
 */
const take = (seqs: Generator<Seq>, wanted: number): readonly Seq[] => {
  const taken: Seq[] = []
  const most = Math.min(32, Math.max(8, wanted))
  while (taken.length < most) {
    const { value, done } = seqs.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

/** Candidates for each number of groups that they have. */
const candidates = 64

/** Facts in which some group stands: those with most of them first, then the newest. Unusable. */
export const findSome = async (
  index: LifeIndex,
  reading: Reading,
  ask: Ask,
  maybeYield: MaybeYield,
): Promise<readonly Hit[]> => {
  const best: Seq[][] = ask.query.map(() => [])
  for (const [from, to] of parts(ask, reading)) {
    const counts = await countsOf(index, ask.query, from, to, maybeYield)
    for (const seq of newestFirst(await ofKinds(index, ask.kinds, from, to, maybeYield))) {
      const seqs = best[(counts[seq - from] ?? 0) - 1]
      if (seqs && seqs.length < candidates) seqs.push(seq)
    }
    await maybeYield()
  }
  const hits: Hit[] = []
  for (const seqs of best.reverse()) {
    for (const seq of seqs) {
      if (hits.length === ask.limit) return hits
      const hit = await hitAt(seq, 1, reading, ask, index.latest, maybeYield)
      if (hit) hits.push(hit)
    }
  }
  return hits
}

/** How many groups each fact has. */
const countsOf = async (
  index: LifeIndex,
  query: Query,
  from: Seq,
  to: Seq,
  maybeYield: MaybeYield,
): Promise<Uint8Array> => {
  const counts = new Uint8Array(to - from)
  for (const group of query) {
    for (const seq of newestFirst(await together(index, looked(group), from, to, maybeYield))) {
      const place = seq - from
      counts[place] = (counts[place] ?? 0) + 1
    }
  }
  return counts
}

/** The same without an index, for what has so many groups at least: all it ever said is read. */
export const scan = async (
  reading: Reading,
  ask: Ask,
  least: number,
  maybeYield: MaybeYield,
): Promise<Page> => {
  const { persona } = reading
  const hits: (Hit & { readonly groups: number })[] = []
  const plans = new Map<string, Seq>()
  for await (const found of ask.query.length > 0 ? textsOf(reading, maybeYield) : []) {
    const { event, seq } = found.entry
    if (found.kind === 'plan' && 'id' in event) plans.set(event.id, seq)
    if (seq >= ask.before || !(ask.kinds ?? SearchKinds).includes(found.kind)) continue
    const places = there(await placesIn(found.text, ask.query, maybeYield))
    if (places.length >= least) hits.push({ ...found, place: Math.min(...places), groups: places.length })
  }
  const latest = async (plan: string) => plans.get(plan)
  const holding: Hit[] = []
  for (const hit of hits.reverse().sort((one, other) => other.groups - one.groups)) {
    if (await stillHolds(hit, persona, latest)) holding.push(hit)
  }
  return { hits: holding.slice(0, ask.limit), more: holding.length > ask.limit }
}

/** Everything that can be found, as far as its journal can be read. */
async function* textsOf({ journal, persona }: Reading, maybeYield: MaybeYield): AsyncGenerator<Found> {
  try {
    for await (const entry of journal.read({})) {
      await maybeYield()
      const found = await unlessDamaged(textOf(entry, journal, persona))
      if (found) yield found
    }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
  }
}

/**
 * The newest part of a life first, then wider ones: what is often said is found at once, what was said once
 * after a few looks.
 */
function* parts({ before }: Ask, { journal }: Reading): Generator<readonly [from: Seq, to: Seq]> {
  for (let to = Math.min(before, journal.head.seq + 1), wide = 1; to > 1; wide *= 8) {
    const from = Math.max(1, (Math.ceil(to / partOfLife) - wide) * partOfLife)
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
  const words = await together(index, query.flatMap(looked), from, to, maybeYield)
  return kinds && !isEmpty(words)
    ? intersect(words, await ofKinds(index, kinds, from, to, maybeYield))
    : words
}

const looked = (group: readonly Wanted[]): readonly Wanted[] => group.filter((wanted) => wanted.looked)

/** Where all of them are; no further is asked where there is nothing left. */
const together = async (
  index: LifeIndex,
  wanted: readonly Wanted[],
  from: Seq,
  to: Seq,
  maybeYield: MaybeYield,
): Promise<Positions> => {
  let all: Positions | undefined
  for (const { forms, begins } of wanted) {
    const one = await index.having(forms, begins, from, to, maybeYield)
    all = all ? intersect(all, one) : one
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
): Promise<Positions> => index.having(kinds.map(kindMark), false, from, to, maybeYield)

/** The words themselves decide: an index only says where to look. */
const hitAt = async (
  seq: Seq,
  least: number,
  { journal, persona }: Reading,
  { query, kinds }: Ask,
  latest: (plan: string) => Promise<Seq | undefined>,
  maybeYield: MaybeYield,
): Promise<Hit | undefined> => {
  await maybeYield()
  const entry = await unlessDamaged(entryAt(journal, seq))
  const found = entry && (await unlessDamaged(textOf(entry, journal, persona)))
  if (!found || (kinds && !kinds.includes(found.kind))) return undefined
  const places = there(await placesIn(found.text, query, maybeYield))
  if (places.length < least || !(await stillHolds(found, persona, latest))) return undefined
  return { ...found, place: Math.min(...places) }
}

const there = (places: readonly (number | undefined)[]): readonly number[] =>
  places.filter((place) => place !== undefined)

const unlessDamaged = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Damaged) return undefined
    throw error
  }
}
