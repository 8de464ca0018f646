/**
 * Finds the best matches of a question by its words. Scores a life part by part, from the newest, and skips
 * facts that cannot be among the best.
 */
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { lengthClasses, minLengthOfClass } from './fact-marks.ts'
import { has, hasPlace, nextPosition, type Positions, part, placeBefore, placesIn } from './positions.ts'
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
  readonly there: Positions
  readonly said: Positions
  readonly own: Positions
  readonly asked: Positions
  /** Length classes, by position minus 1. */
  readonly lengths: Uint8Array
  readonly by: Question['by']
}

interface Wanted {
  /** Min number of needed words. */
  readonly least: number
  readonly most: number
}

interface Looking {
  readonly atOnce: number
  readonly isWhole: boolean
}

/** Facts with `from <= seq < to`. */
type Span = Pick<Positions, 'from' | 'to'>

/** Facts scored without a pause, a multiple of 32. Measured: about 2 ms. */
const usual = 2 ** 16

/**
 * Returns at most `most` facts, best first. `isWhole` scores everything, with the same result (for tests).
 */
export const findBest = async (
  life: Parts,
  { least, most }: Wanted,
  maybeYield: MaybeYield,
  { atOnce, isWhole }: Looking = { atOnce: usual, isWhole: false },
): Promise<readonly Candidate[]> => {
  const best = createBest(most)
  const { from: first, to: end } = life.there
  const scratch = createScratch(atOnce)
  // Newest first, so that older facts with about the same score can be skipped.
  for (let n = Math.ceil((end - first) / atOnce) - 1; n >= 0; n--) {
    const from = first + n * atOnce
    const to = Math.min(end, from + atOnce)
    offerPart(life, { least, floor: isWhole ? 0 : best.floor(to) }, { from, to }, scratch, best.offer)
    await maybeYield()
  }
  return best.cut()
}

interface Best {
  offer(seq: Seq, score: number, previous?: Seq, next?: Seq): void
  /** Score below which facts before a position are dropped. */
  floor(before: Seq): number
  cut(): readonly Candidate[]
}

const createBest = (most: number): Best => {
  let best: Candidate[] = []
  // Min scores: for facts older than all kept ones, and for others.
  let older = 0
  let least = 0
  let oldest = 0
  const cut = (): readonly Candidate[] => {
    const step = close * best.reduce((top, { score }) => Math.max(top, score), 0)
    const rankOf = ({ score }: Candidate) => Math.round(score / step)
    best = best.sort((one, other) => rankOf(other) - rankOf(one) || other.seq - one.seq).slice(0, most)
    const last = best.at(-1)
    if (last && best.length === most) {
      older = (rankOf(last) + 0.5) * step
      least = last.score - step
      oldest = best.reduce((oldest, { seq }) => Math.min(oldest, seq), last.seq)
    }
    return best
  }
  return {
    offer: (seq, score, previous, next) => {
      if (score <= 0 || score < (seq < oldest ? older : least)) return
      best.push({ seq, score, previous, next })
      if (best.length > 4 * most) cut()
    },
    floor: (before) => (before <= oldest ? older : least),
    cut,
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
  { least, floor }: { readonly least: number; readonly floor: number },
  { from, to }: Span,
  scratch: Scratch,
  offer: Best['offer'],
): void => {
  const { speakers, own, asked, by } = life
  const said = part(life.said, from, to)
  const neighbourhood = by === 'sense' && life.terms.filter(({ needed }) => needed).length > 1
  const { found, isAll } = worthLooking(life, { least, floor }, { from, to }, scratch)
  const count = placesIn(found, scratch.places)
  if (count === 0) return
  const { scoreAt, countAt } = createScorer(life, { from, to }, scratch)
  const offerSaid = (place: number): void => {
    const itself = scoreAt(place)
    // A single word finds its neighbours, which count only for questions of several words.
    if ((itself === 0 && !neighbourhood) || countAt(place) < least) return
    const before = placeBefore(said, place)
    const behind = nextPosition(said, place)
    const previous = before < 0 ? undefined : from + before
    const next = behind < 0 ? undefined : from + behind
    const ofPrevious = previous !== undefined && has(asked, previous) ? ofQuestion : ofNeighbour
    const named = speakers.size > 0 && speakers.has(has(own, from + place) ? 'own' : 'theirs') ? ofNamed : 0
    const beside = Math.max(ofPrevious * scoreAt(before), ofNeighbour * scoreAt(behind))
    offer(from + place, itself + beside + named, previous, next)
  }
  let offered = -1
  /** Each place once, ascending. */
  const once = (place: number): void => {
    if (place <= offered) return
    offered = place
    offerSaid(place)
  }
  // A fact that lacks needed words does not gain from its neighbours.
  const besides = least === 0 && (neighbourhood || !isAll)
  for (let n = 0; n < count; n++) {
    const place = scratch.places[n] ?? 0
    if (!hasPlace(said, place)) {
      if (countAt(place) >= least) offer(from + place, ofOthers * scoreAt(place))
      continue
    }
    if (besides) once(placeBefore(said, place))
    once(place)
    if (besides) once(nextPosition(said, place))
  }
}

/**
 * Chooses the places to score: those with the needed words, or, if none are needed, those with a word heavy
 * enough to reach the floor together with the lighter ones. `isAll`: no word was left out.
 */
const worthLooking = (
  { terms, names, speakers }: Parts,
  { least, floor }: { readonly least: number; readonly floor: number },
  { from, to }: Span,
  { bits }: Scratch,
): { readonly found: Positions; readonly isAll: boolean } => {
  const found = { from, to, bits: bits.subarray(0, Math.ceil((to - from) / 32)) }
  const needed = terms.filter((term) => term.needed)
  const partsOf = (some: readonly Term[]) => some.map(({ positions }) => part(positions, from, to).bits)
  if (least > 0) {
    const each = partsOf(needed)
    gather(found.bits, each, least === needed.length ? 'in all' : 'in any')
    return { found, isAll: true }
  }
  const named = speakers.size > 0 ? ofNamed : 0
  const light = [...terms].sort((one, other) => shareOf(one, names) - shareOf(other, names))
  let sum = 0
  const first = light.findIndex((term) => {
    sum += shareOf(term, names)
    return sum * mostByLength * (1 + ofQuestion) + named >= floor
  })
  const heavy = first < 0 ? [] : light.slice(first)
  gather(found.bits, partsOf(heavy), 'in any')
  return { found, isAll: heavy.length === terms.length }
}

const shareOf = (term: Term, names: ReadonlySet<Term>): number =>
  names.has(term) ? nameItself * term.weight : term.weight

const gather = (into: Int32Array, all: readonly Int32Array[], where: 'in all' | 'in any'): void => {
  const [first, ...others] = all
  if (first) into.set(first)
  else into.fill(0)
  for (const bits of others)
    for (let n = 0; n < into.length; n++)
      into[n] = where === 'in all' ? (into[n] ?? 0) & (bits[n] ?? 0) : (into[n] ?? 0) | (bits[n] ?? 0)
}

/** Scores a place by its own words and counts its needed words. Caches both. */
const createScorer = ({ terms, names, lengths }: Parts, { from, to }: Span, { scores, counts }: Scratch) => {
  const all = terms.map((term) => ({
    bits: part(term.positions, from, to).bits,
    share: shareOf(term, names),
    needed: term.needed ? 1 : 0,
  }))
  scores.fill(-1)
  const count = (place: number): void => {
    const word = place >> 5
    const bit = 1 << (place & 31)
    let score = 0
    let has = 0
    for (const { bits, share, needed } of all) {
      if (((bits[word] ?? 0) & bit) === 0) continue
      score += share
      has += needed
    }
    scores[place] = score * (lengthFactors[lengths[from - 1 + place] ?? 0] ?? 1)
    counts[place] = has
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

const mostByLength = Math.max(...lengthFactors)
