/** Ranks facts by how rare the matching words are, combined with the nearest by meaning. */
import { SearchKinds } from '../../facts/fact.ts'
import type { Seq } from '../../facts/fact-values.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import type { Reading } from '../persona/persona-store.ts'
import { type Candidate, findBest, type Parts } from './best-of.ts'
import { type Hit, hitAt, type Span } from './find.ts'
import { kindMark, type LifeIndex, ownMark, questionMark } from './life-index.ts'
import {
  countPositions,
  forEachSeq,
  hasSeq,
  intersect,
  isEmpty,
  newestFirst,
  noPositions,
  type Positions,
  unite,
  withoutSeqs,
} from './positions.ts'
import { findTerms, firstPlace, isWord, type NamedDays, type Question, type Term } from './terms.ts'
import { wordsIn } from './words.ts'

export interface Answer extends Hit {
  /** Contains all meaningful words. */
  readonly whole: boolean
  /** Share of the meaningful words that it contains, by their weights. 0 for one found by meaning only. */
  readonly share: number
  /** Found by meaning, or of the day that the question names. */
  readonly isNear: boolean
  /** The messages directly before and after it, on any channel; only for messages. */
  readonly previous: Seq | undefined
  readonly next: Seq | undefined
}

/** Best first; the newest among about equal ones. `more`: there are others. */
export interface Answers {
  readonly hits: readonly Answer[]
  readonly hasMore: boolean
  /** All messages with all meaningful words. */
  readonly whole: WholeMatches
}

export interface WholeMatches {
  /** Number of messages of the persona and of the user. */
  readonly own: number
  readonly theirs: number
  readonly first: Seq | undefined
  readonly last: Seq | undefined
}

/** Facts with about the same meaning as a question, nearest first. */
export interface NearFacts {
  readonly seqs: readonly Seq[]
  /** Weight of this order. The order by words has the weight 1. */
  readonly weight: number
}

/** Searches `positions` by meaning. */
export type Nearest = (positions: Positions) => Promise<NearFacts>

export const nothingNear: NearFacts = { seqs: [], weight: 0 }

/** Whether to search by meaning too. Not for quotes and stars, which require exact words. */
const usesMeaning = ({ text, by }: Question): boolean =>
  !/["“”„«»*]/.test(text) && (by === 'sense' || /[?？؟]\s*$/.test(text))

/** Throws Unusable. */
export const rank = async (
  index: LifeIndex,
  reading: Reading,
  question: Question,
  maybeYield: MaybeYield,
  nearest: Nearest = async () => nothingNear,
): Promise<Answers> => {
  const span: Span = { from: 1, to: Math.min(question.before, reading.journal.head.seq + 1), maybeYield }
  const life = await getLife(index, reading, question, span)
  const neededCount = life.terms.filter((term) => term.isNeeded).length
  const wholeCount = countWhole(life)
  if (question.order === 'newest') {
    const newestHits = await findNewest(index, reading, question, life, maybeYield)
    return { ...newestHits, whole: wholeCount }
  }
  const minNeeded = question.by === 'sense' ? 0 : Math.min(1, neededCount)
  const nearMeaning = usesMeaning(question) ? await nearest(life.searchable) : nothingNear
  const answers = async (minScore: number, besides = nearMeaning): Promise<Answers> => ({
    ...(await verifyHits(index, reading, question, { ...life, minScore, near: besides }, maybeYield)),
    whole: wholeCount,
  })
  if (question.by === 'sense' && life.days && !isEmpty(life.days.positions)) {
    const ofDays = await findInDays(
      index,
      reading,
      question,
      { ...life, days: life.days },
      nearest,
      maybeYield,
    )
    const others = await answers(minNeeded)
    const hits = uniqueHits([...ofDays, ...others.hits])
    return { ...others, hits: hits.slice(0, question.limit) }
  }
  if (question.by === 'sense' || question.isPartial || neededCount < 2) return answers(minNeeded)
  const complete = await answers(neededCount, nothingNear)
  if (complete.hits.length === 0) return answers(minNeeded)
  return nearMeaning.seqs.length > 0 ? answers(neededCount) : complete
}

/** Returns the facts with all needed terms. Without any, all of `searchable`. */
const withNeeded = ({ terms }: Parts, searchablePositions: Positions): Positions =>
  terms
    .filter(({ isNeeded }) => isNeeded)
    .reduce((all, { positions }) => intersect(all, positions), searchablePositions)

const countWhole = (life: Parts): WholeMatches => {
  const hasWords = life.terms.some(({ isNeeded }) => isNeeded)
  const matches = hasWords
    ? withNeeded(life, life.messages)
    : noPositions(life.messages.from, life.messages.to)
  const ownCount = countPositions(intersect(matches, life.own))
  let first: Seq | undefined
  forEachSeq(matches, (seq) => {
    first ??= seq
  })
  return {
    own: ownCount,
    theirs: countPositions(matches) - ownCount,
    first,
    last: newestFirst(matches).next().value,
  }
}

const findNewest = async (
  index: LifeIndex,
  reading: Reading,
  { limit, kinds }: Question,
  life: Parts,
  maybeYield: MaybeYield,
): Promise<Pick<Answers, 'hits' | 'hasMore'>> => {
  const hasWords = life.terms.length > 0
  const dates = life.terms.filter(({ isNeeded }) => !isNeeded)
  const complete = withNeeded(life, hasWords ? life.searchable : life.messages)
  const isDateOnly = hasWords && dates.length === life.terms.length
  const matches = isDateOnly
    ? dates.reduce((all, { positions }) => intersect(all, positions), complete)
    : complete
  const groups = life.terms.map(({ group }) => group)
  const hits: Answer[] = []
  for (const seq of newestFirst(matches)) {
    const hit = await hitAt(seq, groups, reading, kinds, index.latest, maybeYield)
    if (hit) hits.push({ ...toCandidate(life, seq), ...hit, whole: true, share: 1, isNear: false })
    if (hits.length > limit) break
  }
  return { hits: hits.slice(0, limit), hasMore: hits.length > limit }
}

const uniqueHits = (hits: readonly Answer[]): readonly Answer[] => [
  ...new Map(hits.map((hit) => [hit.entry.seq, hit])).values(),
]

/** Results within the named days if none of their texts has a word of the question. */
const maxWithoutWords = 3

/**
 * Finds what the named days contain: the summary of a single day, then the texts with the other words of the
 * question. If it has no other words: all summaries, then the longest texts, oldest first.
 */
const findInDays = async (
  index: LifeIndex,
  reading: Reading,
  question: Question,
  life: Life & { readonly days: NamedDays },
  nearest: Nearest,
  maybeYield: MaybeYield,
): Promise<readonly Answer[]> => {
  const { limit } = question
  const { positions, isOneDay } = life.days
  const keepFound = (all: Positions) => intersect(all, positions)
  const ofDays: Parts = {
    ...life,
    terms: life.terms.flatMap((term) =>
      term.isOfDate ? [] : { ...term, positions: keepFound(term.positions) },
    ),
    searchable: keepFound(life.searchable),
    messages: keepFound(life.messages),
  }
  const hasWords = ofDays.terms.length > 0
  const read = async (seqs: readonly Seq[]): Promise<readonly Answer[]> => {
    const groups = ofDays.terms.map(({ group }) => group)
    const hits = await Promise.all(
      seqs.map((seq) => hitAt(seq, groups, reading, question.kinds, index.latest, maybeYield)),
    )
    return hits.flatMap((hit) => {
      if (!hit) return []
      const isComplete = hit.places.every((place) => place !== undefined)
      return {
        ...toCandidate(life, hit.entry.seq),
        ...hit,
        whole: isComplete,
        share: isComplete ? 1 : 0,
        isNear: true,
      }
    })
  }
  const summaries = keepFound(life.summaries)
  const days = isOneDay || !hasWords ? await read([...newestFirst(summaries)].slice(0, limit).reverse()) : []
  const listLongest = (count: number) =>
    read(findLongest(withoutSeqs(ofDays.searchable, [...newestFirst(summaries)]), life.lengths, count))
  if (!hasWords) return [...days, ...(await listLongest(limit - days.length))]
  const nearestTexts = usesMeaning(question) ? await nearest(ofDays.searchable) : nothingNear
  const { hits } = await verifyHits(
    index,
    reading,
    question,
    { ...ofDays, minScore: 0, near: nearestTexts },
    maybeYield,
  )
  const hasFitting = hits.some(({ entry }) => !hasSeq(summaries, entry.seq))
  return [...days, ...hits, ...(isOneDay && !hasFitting ? await listLongest(maxWithoutWords) : [])]
}

/** Returns the positions of the longest texts, ascending. */
const findLongest = (positions: Positions, lengths: Uint8Array, count: number): readonly Seq[] => {
  const seqs: Seq[] = []
  forEachSeq(positions, (seq) => void seqs.push(seq))
  return seqs
    .sort((first, second) => (lengths[second - 1] ?? 0) - (lengths[first - 1] ?? 0) || second - first)
    .slice(0, Math.max(0, count))
    .sort((first, second) => first - second)
}

interface Wish extends Parts {
  /** Min number of the needed words. */
  readonly minScore: number
  /** Found by meaning, regardless of words. */
  readonly near: NearFacts
}

/** Checks the candidates against the facts themselves. */
const verifyHits = async (
  index: LifeIndex,
  reading: Reading,
  { limit, kinds }: Question,
  life: Wish,
  maybeYield: MaybeYield,
): Promise<Pick<Answers, 'hits' | 'hasMore'>> => {
  const { minScore } = life
  const nearCandidates = life.near.seqs.map((seq) => toCandidate(life, seq))
  const groups = life.terms.map(({ group }) => group)
  const neededIndexes = life.terms.flatMap((term, n) => (term.isNeeded ? [n] : []))
  const weigh = (indexes: readonly number[]) =>
    indexes.reduce((sum, n) => sum + (life.terms[n]?.weight ?? 0), 0)
  const all = weigh(neededIndexes)
  const checkCandidate = async ({ seq, previous, next }: Candidate): Promise<Answer | undefined> => {
    const hit = await hitAt(seq, groups, reading, kinds, index.latest, maybeYield)
    const matchedCount = neededIndexes.filter((n) => hit?.places[n] !== undefined).length
    if (!hit || (matchedCount < minScore && !life.near.seqs.includes(seq))) return undefined
    const isNear = life.near.seqs.includes(seq)
    const weightShare =
      matchedCount === neededIndexes.length
        ? 1
        : weigh(neededIndexes.filter((n) => hit.places[n] !== undefined)) / all
    return {
      ...hit,
      whole: matchedCount === neededIndexes.length,
      share: weightShare,
      isNear,
      previous,
      next,
    }
  }
  const hits: Answer[] = []
  const checkedSeqs = new Set<Seq>()
  for (let maxCount = 3 * (limit + 1); ; maxCount *= 8) {
    const bestCandidates = await findBest(life, { minScore, maxCount }, maybeYield)
    const remainingCandidates = fuseCandidates(bestCandidates, nearCandidates, life.near.weight).filter(
      ({ seq }) => !checkedSeqs.has(seq),
    )
    while (remainingCandidates.length > 0 && hits.length <= limit) {
      const page = remainingCandidates.splice(0, limit + 1 - hits.length)
      for (const { seq } of page) checkedSeqs.add(seq)
      hits.push(...(await Promise.all(page.map(checkCandidate))).filter((hit) => hit !== undefined))
    }
    if (hits.length > limit || bestCandidates.length < maxCount)
      return { hits: hits.slice(0, limit), hasMore: hits.length > limit }
  }
}

/** Flattens the ranks, so that being high in both orders counts most. Chosen with `bench locomo`. */
const rankConstant = 10

/** Merges two orders by weighted reciprocal rank fusion. */
const fuseCandidates = (
  bestCandidates: readonly Candidate[],
  nearCandidates: readonly Candidate[],
  weight: number,
): Candidate[] => {
  if (nearCandidates.length === 0) return [...bestCandidates]
  const scores = new Map<Seq, number>()
  const add = (candidates: readonly Candidate[], weight: number) => {
    for (const [n, { seq }] of candidates.entries())
      scores.set(seq, (scores.get(seq) ?? 0) + weight / (rankConstant + n + 1))
  }
  add(bestCandidates, 1)
  add(nearCandidates, weight)
  const all = new Map(
    [...nearCandidates, ...bestCandidates].map((candidate) => [
      candidate.seq,
      { ...candidate, score: scores.get(candidate.seq) ?? 0 },
    ]),
  )
  return [...all.values()].sort(
    (candidate, neighbour) => neighbour.score - candidate.score || neighbour.seq - candidate.seq,
  )
}

const toCandidate = ({ messages }: Parts, seq: Seq): Candidate => {
  const getNeighbour = (step: 1 | -1): Seq | undefined => {
    if (!hasSeq(messages, seq)) return undefined
    for (let neighbour = seq + step; neighbour >= messages.from && neighbour < messages.to; neighbour += step)
      if (hasSeq(messages, neighbour)) return neighbour
    return undefined
  }
  return { seq, score: 0, previous: getNeighbour(-1), next: getNeighbour(1) }
}

interface Life extends Parts {
  /** Summaries of days. */
  readonly summaries: Positions
  /** Null if the question names no date. */
  readonly days: NamedDays | null
}

const getLife = async (
  index: LifeIndex,
  { persona }: Reading,
  question: Question,
  span: Span,
): Promise<Life> => {
  const marks = await index.marks(span.to, span.maybeYield)
  const ofKinds = (question.kinds ?? SearchKinds).map((kind) => marks.positions(kindMark(kind))).reduce(unite)
  const searchablePositions = question.ignored ? withoutSeqs(ofKinds, question.ignored) : ofKinds
  const { terms, days } = await findTerms(index, question, searchablePositions, span)
  const messages = intersect(marks.positions(kindMark('said')), searchablePositions)
  const ownPositions = marks.positions(ownMark)
  const questions = marks.positions(questionMark)
  return {
    terms,
    days,
    summaries: intersect(marks.positions(kindMark('day')), searchablePositions),
    searchable: searchablePositions,
    messages,
    own: ownPositions,
    questions,
    lengths: marks.lengths,
    by: question.by,
    ...getSpeakers(terms, messages, ownPositions, persona.self.name),
  }
}

/** Finds the speakers named in a question: a name that one speaker uses often and the other hardly ever. */
const getSpeakers = (
  terms: readonly Term[],
  messages: Positions,
  ownPositions: Positions,
  name: string,
): { readonly speakers: ReadonlySet<'own' | 'theirs'>; readonly names: ReadonlySet<Term> } => {
  const speakers = new Set<'own' | 'theirs'>()
  const names = new Set<Term>()
  const talk = countPositions(messages)
  const ownCount = countPositions(ownPositions)
  const nameWords = new Set([...wordsIn(name)].map(({ forms }) => forms[0]))
  for (const term of terms) {
    if (!isWord(term.group)) continue
    const byItself = countPositions(intersect(term.positions, ownPositions))
    const byThem = countPositions(intersect(term.positions, messages)) - byItself
    const addressee =
      nameWords.has(firstPlace(term.group)) || isCalled(byThem, byItself, talk - ownCount)
        ? 'own'
        : isCalled(byItself, byThem, ownCount) && 'theirs'
    if (!addressee) continue
    speakers.add(addressee)
    names.add(term)
  }
  return { speakers, names }
}

/** In a twentieth of the messages of one, and rarely in those of the other. */
const isCalled = (count: number, byOther: number, total: number): boolean =>
  count >= Math.max(5, total / 20) && byOther <= count / 20
