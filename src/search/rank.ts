/**
 * What answers a question best, though it may be asked in other words: by how rare the words are that it has.
 */
import { SearchKinds } from '../../journal/facts/fact.ts'
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { MaybeYield } from '../flow/yielding.ts'
import type { Reading } from '../persona/personas.ts'
import { lengthClasses, lengthOf } from './fact-marks.ts'
import { type Hit, hitAt, type Span } from './find.ts'
import { kindMark, type LifeIndex, ownMark, questionMark } from './life-index.ts'
import { countOf, has, intersect, type Positions, part, placesOf, unite } from './postings.ts'
import { firstOf, isWord, type Question, type Term, termsOf } from './terms.ts'
import { wordsOf } from './words.ts'

export interface Answer extends Hit {
  /** All words are there that say something. */
  readonly whole: boolean
  /** What was said right before it and right behind it, by whomever and wherever; for what was said. */
  readonly previous: Seq | undefined
  readonly next: Seq | undefined
}

/** The best first; of those that are about as good, the newest. `more`: there are others. */
export interface Answers {
  readonly hits: readonly Answer[]
  readonly more: boolean
}

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

/** Of what is there, that which means about the same as a question, the nearest first. */
export type Nearest = (there: Positions) => Promise<readonly Seq[]>

const noneNear: Nearest = async () => []

/**
 * Whether what means the same in other words is looked for, too: not where words are to be there as they are.
 */
const goesByMeaning = ({ text, by }: Question): boolean =>
  !/["“”„«»*]/.test(text) && (by === 'sense' || /[?？؟]\s*$/.test(text))

/** Unusable. */
export const rank = async (
  index: LifeIndex,
  reading: Reading,
  question: Question,
  maybeYield: MaybeYield,
  nearest = noneNear,
): Promise<Answers> => {
  const span: Span = { from: 1, to: Math.min(question.before, reading.journal.head.seq + 1), maybeYield }
  const life = await partsOf(index, reading, question, span)
  const needed = life.terms.filter((term) => term.needed).length
  const few = question.by === 'sense' ? 0 : Math.min(1, needed)
  const near = goesByMeaning(question) ? await nearest(life.there) : []
  const answers = (least: number, besides = near) =>
    verified(index, reading, question, { ...life, least, near: besides }, maybeYield)
  if (question.by === 'sense' || needed < 2) return answers(few)
  const whole = await answers(needed, [])
  if (whole.hits.length === 0) return answers(few)
  return near.length > 0 ? answers(needed) : whole
}

interface Wish extends Parts {
  /** So many of the words that are needed have to be there. */
  readonly least: number
  /** These come by what they mean, whatever their words. */
  readonly near: readonly Seq[]
}

/** Those that hold what the index promised. */
const verified = async (
  index: LifeIndex,
  reading: Reading,
  { limit, kinds }: Question,
  life: Wish,
  maybeYield: MaybeYield,
): Promise<Answers> => {
  const { least } = life
  const near = life.near.map((seq) => besideOf(life, seq))
  const groups = life.terms.map(({ group }) => group)
  const needed = life.terms.flatMap((term, n) => (term.needed ? [n] : []))
  const look = async ({ seq, previous, next }: Candidate): Promise<Answer | undefined> => {
    const hit = await hitAt(seq, groups, reading, kinds, index.latest, maybeYield)
    const has = needed.filter((n) => hit?.places[n] !== undefined).length
    if (!hit || (has < least && !life.near.includes(seq))) return undefined
    return { ...hit, whole: needed.every((n) => hit.places[n] !== undefined), previous, next }
  }
  const hits: Answer[] = []
  const looked = new Set<Seq>()
  for (let most = 3 * (limit + 1); ; most *= 8) {
    const best = await bestOf(life, least, most, maybeYield)
    const left = fused(best, near).filter(({ seq }) => !looked.has(seq))
    while (left.length > 0 && hits.length <= limit) {
      const some = left.splice(0, limit + 1 - hits.length)
      for (const { seq } of some) looked.add(seq)
      hits.push(...(await Promise.all(some.map(look))).filter((hit) => hit !== undefined))
    }
    if (hits.length > limit || best.length < most)
      return { hits: hits.slice(0, limit), more: hits.length > limit }
  }
}

/** What one order has first weighs little more than what comes next: both have to be believed. */
const evenly = 60

/** Two orders as one, by reciprocal rank. */
const fused = (best: readonly Candidate[], near: readonly Candidate[]): Candidate[] => {
  if (near.length === 0) return [...best]
  const scores = new Map<Seq, number>()
  for (const order of [best, near])
    for (const [n, { seq }] of order.entries()) scores.set(seq, (scores.get(seq) ?? 0) + 1 / (evenly + n + 1))
  const all = new Map([...near, ...best].map((one) => [one.seq, { ...one, score: scores.get(one.seq) ?? 0 }]))
  return [...all.values()].sort((one, other) => other.score - one.score || other.seq - one.seq)
}

const besideOf = ({ said }: Parts, seq: Seq): Candidate => {
  const beside = (step: 1 | -1): Seq | undefined => {
    if (!has(said, seq)) return undefined
    for (let other = seq + step; other >= said.from && other < said.to; other += step)
      if (has(said, other)) return other
    return undefined
  }
  return { seq, score: 0, previous: beside(-1), next: beside(1) }
}

interface Candidate {
  readonly seq: Seq
  readonly score: number
  readonly previous: Seq | undefined
  readonly next: Seq | undefined
}

/** What is known of all that can be found. */
interface Parts {
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

const partsOf = async (
  index: LifeIndex,
  { persona }: Reading,
  question: Question,
  span: Span,
): Promise<Parts> => {
  const marks = await index.marks(span.to, span.maybeYield)
  const there = (question.kinds ?? SearchKinds).map((kind) => marks.positions(kindMark(kind))).reduce(unite)
  const terms = await termsOf(index, question, there, span)
  const said = intersect(marks.positions(kindMark('said')), there)
  const [own, asked] = [marks.positions(ownMark), marks.positions(questionMark)]
  return {
    ...{ terms, there, said, own, asked, lengths: marks.lengths, by: question.by },
    ...speakersOf(terms, said, own, persona.self.name),
  }
}

/** Facts that are looked at without a pause, a multiple of 32. ⏱ Some two milliseconds. */
const atOnce = 2 ** 16

/** So many of those that have the words that are needed, in their order. */
const bestOf = async (
  life: Parts,
  least: number,
  most: number,
  maybeYield: MaybeYield,
): Promise<readonly Candidate[]> => {
  const best = createBest(most)
  const { from: first, to: end } = life.there
  const scratch = createScratch()
  // The newest part first: what is about as good and older is then passed over at once.
  for (let n = Math.ceil((end - first) / atOnce) - 1; n >= 0; n--) {
    const from = first + n * atOnce
    offerPart(life, least, from, Math.min(end, from + atOnce), scratch, best.offer)
    await maybeYield()
  }
  return best.cut()
}

type Offer = (seq: Seq, score: number, previous?: Seq, next?: Seq) => void

const createBest = (most: number) => {
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
  const offer: Offer = (seq, score, previous, next) => {
    if (score <= 0 || score < (seq < oldest ? older : least)) return
    best.push({ seq, score, previous, next })
    if (best.length > 4 * most) cut()
  }
  return { offer, cut }
}

/**
 * What is counted up for a part of a life, and used again for the next: as many places as are looked at at
 * once.
 */
const createScratch = () => ({
  scores: new Float32Array(atOnce),
  counts: new Uint8Array(atOnce),
  places: new Int32Array(atOnce),
})
type Scratch = ReturnType<typeof createScratch>

/** Neighbours across the ends of a part are none. */
const offerPart = (life: Parts, least: number, from: Seq, to: Seq, scratch: Scratch, offer: Offer): void => {
  const { terms, speakers, there, said, own, asked, by } = life
  if (!scorePart(life, from, to, scratch)) return
  const { scores, counts, places } = scratch
  const several = terms.filter(({ needed }) => needed).length > 1
  const neighbourhood = by === 'sense' && several
  const last = placesOf(part(said, from, to), places) - 1
  for (let n = 0; n <= last; n++) {
    const place = places[n] ?? 0
    const itself = scores[place] ?? 0
    // Who gives a single word is told what stands beside it, and looks for nothing else.
    if ((itself === 0 && !neighbourhood) || (counts[place] ?? 0) < least) continue
    const before = n > 0 ? places[n - 1] : undefined
    const behind = n < last ? places[n + 1] : undefined
    const fromBefore = before === undefined ? 0 : (scores[before] ?? 0)
    const fromBehind = behind === undefined ? 0 : (scores[behind] ?? 0)
    if (itself + fromBefore + fromBehind === 0) continue
    const previous = before === undefined ? undefined : from + before
    const next = behind === undefined ? undefined : from + behind
    const ofPrevious = previous !== undefined && has(asked, previous) ? ofQuestion : ofNeighbour
    const named = speakers.size > 0 && speakers.has(has(own, from + place) ? 'own' : 'theirs') ? ofNamed : 0
    const score = itself + Math.max(ofPrevious * fromBefore, ofNeighbour * fromBehind) + named
    offer(from + place, score, previous, next)
  }
  const all = placesOf(part(there, from, to), places)
  for (let n = 0; n < all; n++) {
    const place = places[n] ?? 0
    if ((scores[place] ?? 0) > 0 && (counts[place] ?? 0) >= least && !has(said, from + place))
      offer(from + place, ofOthers * (scores[place] ?? 0))
  }
}

/** By its own words, and how many of those that are needed it has. False where there is nothing. */
const scorePart = (
  { terms, names, lengths }: Parts,
  from: Seq,
  to: Seq,
  { scores, counts, places }: Scratch,
): boolean => {
  scores.fill(0)
  counts.fill(0)
  let found = false
  for (const term of terms) {
    const { positions, weight, needed } = term
    const share = names.has(term) ? nameItself * weight : weight
    const all = placesOf(part(positions, from, to), places)
    found ||= all > 0
    for (let n = 0; n < all; n++) {
      const place = places[n] ?? 0
      scores[place] = (scores[place] ?? 0) + share
      if (needed) counts[place] = (counts[place] ?? 0) + 1
    }
  }
  for (let place = 0; found && place < to - from; place++)
    scores[place] = (scores[place] ?? 0) * (lengthFactors[lengths[from - 1 + place] ?? 0] ?? 1)
  return found
}

/** A long text has a word easily. */
const lengthFactors = Array.from(
  { length: lengthClasses },
  (_, n) => (1 + saturation) / (1 + saturation * (1 - byLength + (byLength * lengthOf(n)) / usualLength)),
)

/**
 * Whom it names, and by which of its words: itself, or a person whom it often calls by a word that they
 * hardly ever say, and the other way round.
 */
const speakersOf = (
  terms: readonly Term[],
  said: Positions,
  own: Positions,
  name: string,
): { readonly speakers: ReadonlySet<'own' | 'theirs'>; readonly names: ReadonlySet<Term> } => {
  const speakers = new Set<'own' | 'theirs'>()
  const names = new Set<Term>()
  const [talk, itself] = [countOf(said), countOf(own)]
  const called = new Set([...wordsOf(name)].map(({ forms }) => forms[0]))
  for (const term of terms) {
    if (!isWord(term.group)) continue
    const byItself = countOf(intersect(term.positions, own))
    const byThem = countOf(intersect(term.positions, said)) - byItself
    const whom =
      called.has(firstOf(term.group)) || isCalled(byThem, byItself, talk - itself)
        ? 'own'
        : isCalled(byItself, byThem, itself) && 'theirs'
    if (!whom) continue
    speakers.add(whom)
    names.add(term)
  }
  return { speakers, names }
}

/** Said by the one in a twentieth of all they say, and hardly by the other. */
const isCalled = (by: number, byOther: number, of: number): boolean =>
  by >= Math.max(5, of / 20) && byOther <= by / 20
