/**
 * The best of a life by the words of a question: a part of it after the other, and of each part only what can
 * still be among them.
 */
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { MaybeYield } from '../flow/yielding.ts'
import { lengthClasses, lengthOf } from './fact-marks.ts'
import { has, hasPlace, type Positions, part, placeBefore, placeBehind, placesOf } from './postings.ts'
import type { Question, Term } from './terms.ts'

// ⏱ Tuned on five conversations of LoCoMo: how often a word stands in a text says nothing there.
const saturation = 1.2
const byLength = 0.4
const usualLength = 24
const ofNeighbour = 0.5
/** What answers a question is meant by the words of it. */
const ofQuestion = 0.7
const ofNamed = 2
const nameItself = 0.3
/** Memories and days have no neighbours whose words speak for them. */
const ofOthers = 1.25
/** Of the best score: what is no farther apart is as good. */
const close = 0.01

export interface Candidate {
  readonly seq: Seq
  readonly score: number
  readonly previous: Seq | undefined
  readonly next: Seq | undefined
}

/** What is known of all that can be found. */
export interface Parts {
  readonly terms: readonly Term[]
  readonly names: ReadonlySet<Term>
  readonly speakers: ReadonlySet<'own' | 'theirs'>
  readonly there: Positions
  readonly said: Positions
  readonly own: Positions
  readonly asked: Positions
  /** Length classes, by position less one. */
  readonly lengths: Uint8Array
  readonly by: Question['by']
}

interface Wanted {
  /** So many of the words that are needed have to be there. */
  readonly least: number
  readonly most: number
}

interface Looking {
  readonly atOnce: number
  readonly isWhole: boolean
}

/** Facts with `from <= seq < to`. */
type Span = Pick<Positions, 'from' | 'to'>

/** Facts that are looked at without a pause, a multiple of 32. ⏱ Some two milliseconds. */
const usual = 2 ** 16

/**
 * So many of those that have the words that are needed, in their order. `isWhole`: nothing is passed over,
 * which changes nothing but the time it takes.
 */
export const bestOf = async (
  life: Parts,
  { least, most }: Wanted,
  maybeYield: MaybeYield,
  { atOnce, isWhole }: Looking = { atOnce: usual, isWhole: false },
): Promise<readonly Candidate[]> => {
  const best = createBest(most)
  const { from: first, to: end } = life.there
  const scratch = createScratch(atOnce)
  // The newest part first: what is about as good and older is then passed over at once.
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
  /** The score below which nothing before a position is kept. */
  floor(before: Seq): number
  cut(): readonly Candidate[]
}

const createBest = (most: number): Best => {
  let best: Candidate[] = []
  /** Scores below which there is nothing to win: for what is older than all that is kept, and for others. */
  let [older, least, oldest] = [0, 0, 0]
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

/**
 * What is counted up for a part of a life, and used again for the next: as many places as are looked at at
 * once.
 */
const createScratch = (atOnce: number) => ({
  scores: new Float32Array(atOnce),
  counts: new Uint8Array(atOnce),
  places: new Int32Array(atOnce),
  bits: new Int32Array(atOnce / 32),
})
type Scratch = ReturnType<typeof createScratch>

/** Neighbours across the ends of a part are none. */
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
  const count = placesOf(found, scratch.places)
  if (count === 0) return
  const { scoreAt, countAt } = createScorer(life, { from, to }, scratch)
  const offerSaid = (place: number): void => {
    const itself = scoreAt(place)
    // Who gives a single word is told what stands beside it, and looks for nothing else.
    if ((itself === 0 && !neighbourhood) || countAt(place) < least) return
    const [before, behind] = [placeBefore(said, place), placeBehind(said, place)]
    const previous = before < 0 ? undefined : from + before
    const next = behind < 0 ? undefined : from + behind
    const ofPrevious = previous !== undefined && has(asked, previous) ? ofQuestion : ofNeighbour
    const named = speakers.size > 0 && speakers.has(has(own, from + place) ? 'own' : 'theirs') ? ofNamed : 0
    const beside = Math.max(ofPrevious * scoreAt(before), ofNeighbour * scoreAt(behind))
    offer(from + place, itself + beside + named, previous, next)
  }
  let offered = -1
  /** Each once, in their order. */
  const once = (place: number): void => {
    if (place <= offered) return
    offered = place
    offerSaid(place)
  }
  // What lacks the words that are needed is not worth it for its neighbours.
  const besides = least === 0 && (neighbourhood || !isAll)
  for (let n = 0; n < count; n++) {
    const place = scratch.places[n] ?? 0
    if (!hasPlace(said, place)) {
      if (countAt(place) >= least) offer(from + place, ofOthers * scoreAt(place))
      continue
    }
    if (besides) once(placeBefore(said, place))
    once(place)
    if (besides) once(placeBehind(said, place))
  }
}

/**
 * Where to look in a part: at what has the words that are needed; or else, as nothing is won by words alone
 * that together weigh too little, at what has any of the others. Beside those places the words that weigh
 * little still count. `isAll`: no word was left out.
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

/**
 * What a place scores by its own words, and how many of those that are needed it has; once counted, known.
 */
const createScorer = ({ terms, names, lengths }: Parts, { from, to }: Span, { scores, counts }: Scratch) => {
  const all = terms.map((term) => ({
    bits: part(term.positions, from, to).bits,
    share: shareOf(term, names),
    needed: term.needed ? 1 : 0,
  }))
  scores.fill(-1)
  const count = (place: number): void => {
    const [word, bit] = [place >> 5, 1 << (place & 31)]
    let [score, has] = [0, 0]
    for (const { bits, share, needed } of all) {
      if (((bits[word] ?? 0) & bit) === 0) continue
      score += share
      has += needed
    }
    scores[place] = score * (lengthFactors[lengths[from - 1 + place] ?? 0] ?? 1)
    counts[place] = has
  }
  return {
    /** 0 for no place. */
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

/** A long text has a word easily. */
const lengthFactors = Array.from(
  { length: lengthClasses },
  (_, n) => (1 + saturation) / (1 + saturation * (1 - byLength + (byLength * lengthOf(n)) / usualLength)),
)

const mostByLength = Math.max(...lengthFactors)
