/**
 * Finds the best matches of a question by its words. Scores a life part by part, from the newest, and skips
 * facts that cannot be among the best.
 */
import type { Seq } from '../../facts/fact-values.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { lengthClasses, minLengthOfClass } from './fact-marks.ts'
import { hasPlace, hasSeq, nextPosition, type Positions, part, placeBefore, placesIn } from './positions.ts'
import type { Question, Term } from './terms.ts'

// Tuned by measurement on five conversations of LoCoMo. Term frequency within a text did not help there.
const saturation = 1.2
const byLength = 0.4
const usualLength = 24
const ofNeighbour = 0.5
/** The message after a question probably answers it. */
const ofQuestion = 0.7
const ofNamed = 2
const nameItself = 0.3
/** Memories and days have no neighbours that add to their score. */
const ofOthers = 1.25
/** Share of the best score within which the newer fact wins. */
const close = 0.01

export interface Candidate {
  readonly seq: Seq
  readonly score: number
  readonly previous: Seq | undefined
  readonly next: Seq | undefined
}

/** The index data of a life for one question. */
export interface Parts {
  readonly terms: readonly Term[]
  readonly names: ReadonlySet<Term>
  readonly speakers: ReadonlySet<'own' | 'theirs'>
  readonly searchable: Positions
  readonly messages: Positions
  readonly own: Positions
  readonly questions: Positions
  /** Length classes, by position minus 1. */
  readonly lengths: Uint8Array
  readonly by: Question['by']
}

interface SearchLimits {
  /** Min number of needed words. */
  readonly minScore: number
  readonly maxCount: number
}

interface Looking {
  readonly atOnce: number
  readonly isWhole: boolean
}

/** Facts with `from <= seq < to`. */
type Span = Pick<Positions, 'from' | 'to'>

/** Facts scored without a pause, a multiple of 32. Measured: about 2 ms. */
const usualCount = 2 ** 16

/**
 * Returns at most `most` facts, best first. `isWhole` scores everything, with the same result (for tests).
 */
export const findBest = async (
  life: Parts,
  { minScore, maxCount }: SearchLimits,
  maybeYield: MaybeYield,
  { atOnce, isWhole }: Looking = { atOnce: usualCount, isWhole: false },
): Promise<readonly Candidate[]> => {
  const bestCandidates = createBest(maxCount)
  const { from: first, to: end } = life.searchable
  const scratch = createScratch(atOnce)
  // Newest first, so that older facts with about the same score can be skipped.
  for (let n = Math.ceil((end - first) / atOnce) - 1; n >= 0; n--) {
    const from = first + n * atOnce
    const to = Math.min(end, from + atOnce)
    offerPart(
      life,
      { minScore, floor: isWhole ? 0 : bestCandidates.floor(to) },
      { from, to },
      scratch,
      bestCandidates.offer,
    )
    await maybeYield()
  }
  return bestCandidates.cut()
}

interface BestList {
  offer(seq: Seq, score: number, previous?: Seq, next?: Seq): void
  /** Score below which facts before a position are dropped. */
  floor(beforeSeq: Seq): number
  cut(): readonly Candidate[]
}

const createBest = (maxCount: number): BestList => {
  let bestCandidates: Candidate[] = []
  // Min scores: for facts older than all kept ones, and for others.
  let olderScore = 0
  let minScore = 0
  let oldestSeq = 0
  const cutCandidates = (): readonly Candidate[] => {
    const step = close * bestCandidates.reduce((top, { score }) => Math.max(top, score), 0)
    const getRank = ({ score }: Candidate) => Math.round(score / step)
    bestCandidates = bestCandidates
      .sort((first, second) => getRank(second) - getRank(first) || second.seq - first.seq)
      .slice(0, maxCount)
    const last = bestCandidates.at(-1)
    if (last && bestCandidates.length === maxCount) {
      olderScore = (getRank(last) + 0.5) * step
      minScore = last.score - step
      oldestSeq = bestCandidates.reduce((seqSoFar, { seq }) => Math.min(seqSoFar, seq), last.seq)
    }
    return bestCandidates
  }
  return {
    offer: (seq, score, previous, next) => {
      if (score <= 0 || score < (seq < oldestSeq ? olderScore : minScore)) return
      bestCandidates.push({ seq, score, previous, next })
      if (bestCandidates.length > 4 * maxCount) cutCandidates()
    },
    floor: (beforeSeq) => (beforeSeq <= oldestSeq ? olderScore : minScore),
    cut: cutCandidates,
  }
}

/** Buffers that are reused for each part. */
const createScratch = (atOnce: number) => ({
  scores: new Float32Array(atOnce),
  counts: new Uint8Array(atOnce),
  places: new Int32Array(atOnce),
  bits: new Int32Array(atOnce / 32),
})
type Scratch = ReturnType<typeof createScratch>

/** Ignores neighbours in other parts. */
const offerPart = (
  life: Parts,
  { minScore, floor }: { readonly minScore: number; readonly floor: number },
  { from, to }: Span,
  scratch: Scratch,
  offer: BestList['offer'],
): void => {
  const { speakers, own, questions, by } = life
  const messageBits = part(life.messages, from, to)
  const neighbourhood =
    by === 'sense' && life.terms.filter(({ isNeeded: neededTerms }) => neededTerms).length > 1
  const { matches, isAll } = worthLooking(life, { minScore, floor }, { from, to }, scratch)
  const count = placesIn(matches, scratch.places)
  if (count === 0) return
  const { scoreAt, countAt } = createScorer(life, { from, to }, scratch)
  const offerSaid = (place: number): void => {
    const ownScore = scoreAt(place)
    // A single word finds its neighbours, which count only for questions of several words.
    if ((ownScore === 0 && !neighbourhood) || countAt(place) < minScore) return
    const previousPlace = placeBefore(messageBits, place)
    const nextPlace = nextPosition(messageBits, place)
    const previous = previousPlace < 0 ? undefined : from + previousPlace
    const next = nextPlace < 0 ? undefined : from + nextPlace
    const ofPrevious = previous !== undefined && hasSeq(questions, previous) ? ofQuestion : ofNeighbour
    const nameScore =
      speakers.size > 0 && speakers.has(hasSeq(own, from + place) ? 'own' : 'theirs') ? ofNamed : 0
    const neighbourScore = Math.max(ofPrevious * scoreAt(previousPlace), ofNeighbour * scoreAt(nextPlace))
    offer(from + place, ownScore + neighbourScore + nameScore, previous, next)
  }
  let lastOffered = -1
  /** Each place once, ascending. */
  const offerOnce = (place: number): void => {
    if (place <= lastOffered) return
    lastOffered = place
    offerSaid(place)
  }
  // A fact that lacks needed words does not gain from its neighbours.
  const besides = minScore === 0 && (neighbourhood || !isAll)
  for (let n = 0; n < count; n++) {
    const place = scratch.places[n] ?? 0
    if (!hasPlace(messageBits, place)) {
      if (countAt(place) >= minScore) offer(from + place, ofOthers * scoreAt(place))
      continue
    }
    if (besides) offerOnce(placeBefore(messageBits, place))
    offerOnce(place)
    if (besides) offerOnce(nextPosition(messageBits, place))
  }
}

/**
 * Chooses the places to score: those with the needed words, or, if none are needed, those with a word heavy
 * enough to reach the floor together with the lighter ones. `isAll`: no word was left out.
 */
const worthLooking = (
  { terms, names, speakers }: Parts,
  { minScore, floor }: { readonly minScore: number; readonly floor: number },
  { from, to }: Span,
  { bits }: Scratch,
): { readonly matches: Positions; readonly isAll: boolean } => {
  const matches = { from, to, bits: bits.subarray(0, Math.ceil((to - from) / 32)) }
  const neededTerms = terms.filter((term) => term.isNeeded)
  const getBits = (termList: readonly Term[]) =>
    termList.map(({ positions }) => part(positions, from, to).bits)
  if (minScore > 0) {
    const termBits = getBits(neededTerms)
    gather(matches.bits, termBits, minScore === neededTerms.length ? 'in all' : 'in any')
    return { matches, isAll: true }
  }
  const nameScore = speakers.size > 0 ? ofNamed : 0
  const byShare = [...terms].sort((first, second) => getShare(first, names) - getShare(second, names))
  let sum = 0
  const first = byShare.findIndex((term) => {
    sum += getShare(term, names)
    return sum * maxLengthFactor * (1 + ofQuestion) + nameScore >= floor
  })
  const heavyTerms = first < 0 ? [] : byShare.slice(first)
  gather(matches.bits, getBits(heavyTerms), 'in any')
  return { matches, isAll: heavyTerms.length === terms.length }
}

const getShare = (term: Term, names: ReadonlySet<Term>): number =>
  names.has(term) ? nameItself * term.weight : term.weight

const gather = (target: Int32Array, all: readonly Int32Array[], mode: 'in all' | 'in any'): void => {
  const [first, ...otherBits] = all
  if (first) target.set(first)
  else target.fill(0)
  for (const bits of otherBits)
    for (let n = 0; n < target.length; n++)
      target[n] = mode === 'in all' ? (target[n] ?? 0) & (bits[n] ?? 0) : (target[n] ?? 0) | (bits[n] ?? 0)
}

/** Scores a place by its own words and counts its needed words. Caches both. */
const createScorer = ({ terms, names, lengths }: Parts, { from, to }: Span, { scores, counts }: Scratch) => {
  const all = terms.map((term) => ({
    bits: part(term.positions, from, to).bits,
    share: getShare(term, names),
    needed: term.isNeeded ? 1 : 0,
  }))
  scores.fill(-1)
  const count = (place: number): void => {
    const word = place >> 5
    const bit = 1 << (place & 31)
    let score = 0
    let matchCount = 0
    for (const { bits, share, needed: neededTerms } of all) {
      if (((bits[word] ?? 0) & bit) === 0) continue
      score += share
      matchCount += neededTerms
    }
    scores[place] = score * (lengthFactors[lengths[from - 1 + place] ?? 0] ?? 1)
    counts[place] = matchCount
  }
  return {
    /** 0 for -1. */
    scoreAt: (place: number): number => {
      if (place < 0) return 0
      if (scores[place] === -1) count(place)
      return scores[place] ?? 0
    },
    countAt: (place: number): number => {
      if (scores[place] === -1) count(place)
      return counts[place] ?? 0
    },
  }
}

/** Long texts contain a word more easily. */
const lengthFactors = Array.from(
  { length: lengthClasses },
  (_, n) =>
    (1 + saturation) / (1 + saturation * (1 - byLength + (byLength * minLengthOfClass(n)) / usualLength)),
)

const maxLengthFactor = Math.max(...lengthFactors)
