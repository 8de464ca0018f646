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
import { countOf, each, intersect, type Positions, part, unite } from './postings.ts'
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

/** Unusable. */
export const rank = async (
  index: LifeIndex,
  reading: Reading,
  question: Question,
  maybeYield: MaybeYield,
): Promise<Answers> => {
  const span: Span = { from: 1, to: Math.min(question.before, reading.journal.head.seq + 1), maybeYield }
  const life = await partsOf(index, reading, question, span)
  const needed = life.terms.filter((term) => term.needed).length
  const few = question.by === 'sense' ? 0 : Math.min(1, needed)
  const answers = (least: number) => verified(index, reading, question, life, least, maybeYield)
  if (question.by === 'sense' || needed < 2) return answers(few)
  const whole = await answers(needed)
  return whole.hits.length > 0 ? whole : answers(few)
}

/** Those that hold what the index promised, and have at least so many of the words that are needed. */
const verified = async (
  index: LifeIndex,
  reading: Reading,
  { limit, kinds }: Question,
  life: Parts,
  least: number,
  maybeYield: MaybeYield,
): Promise<Answers> => {
  const groups = life.terms.map(({ group }) => group)
  const needed = life.terms.flatMap((term, n) => (term.needed ? [n] : []))
  const look = async ({ seq, previous, next }: Candidate): Promise<Answer | undefined> => {
    const hit = await hitAt(seq, groups, reading, kinds, index.latest, maybeYield)
    if (!hit || needed.filter((n) => hit.places[n] !== undefined).length < least) return undefined
    return { ...hit, whole: needed.every((n) => hit.places[n] !== undefined), previous, next }
  }
  const hits: Answer[] = []
  let at = 0
  for (let most = 3 * (limit + 1); ; most *= 8) {
    const best = await bestOf(life, least, most, maybeYield)
    while (at < best.length && hits.length <= limit) {
      const some = best.slice(at, at + limit + 1 - hits.length)
      at += some.length
      hits.push(...(await Promise.all(some.map(look))).filter((hit) => hit !== undefined))
    }
    if (hits.length > limit || best.length < most)
      return { hits: hits.slice(0, limit), more: hits.length > limit }
  }
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

/** Facts that are looked at without a pause, a multiple of eight. ⏱ Some two milliseconds. */
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
  // The newest part first: what is about as good and older is then passed over at once.
  for (let n = Math.ceil((end - first) / atOnce) - 1; n >= 0; n--) {
    const from = first + n * atOnce
    offerPart(life, least, from, Math.min(end, from + atOnce), best.offer)
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

/** Neighbours across the ends of a part are none. */
const offerPart = (life: Parts, least: number, from: Seq, to: Seq, offer: Offer): void => {
  const { terms, names, speakers, there, said, own, asked, lengths, by } = life
  const scores = new Float32Array(to - from)
  const counts = new Uint8Array(to - from)
  let found = false
  for (const term of terms) {
    const { weight, needed } = term
    const share = names.has(term) ? nameItself * weight : weight
    each(part(term.positions, from, to), (seq) => {
      found = true
      scores[seq - from] = (scores[seq - from] ?? 0) + share
      if (needed) counts[seq - from] = (counts[seq - from] ?? 0) + 1
    })
  }
  if (!found) return
  for (let n = 0; n < scores.length; n++)
    scores[n] = (scores[n] ?? 0) * (lengthFactors[lengths[from - 1 + n] ?? 0] ?? 1)
  const has = ({ bits }: Positions, seq: Seq) =>
    ((bits[(seq - there.from) >> 3] ?? 0) >> ((seq - there.from) & 7)) & 1
  const scoreOf = (seq: Seq | undefined) => (seq === undefined ? 0 : (scores[seq - from] ?? 0))
  const several = terms.filter(({ needed }) => needed).length > 1
  eachSaid(part(said, from, to), (seq, previous, next) => {
    const itself = scoreOf(seq)
    // Who gives a single word is told what stands beside it, and looks for nothing else.
    if ((counts[seq - from] ?? 0) < least || (itself === 0 && (by === 'words' || !several))) return
    const ofPrevious = previous !== undefined && has(asked, previous) ? ofQuestion : ofNeighbour
    const score = itself + Math.max(ofPrevious * scoreOf(previous), ofNeighbour * scoreOf(next))
    if (score === 0) return
    offer(seq, score + (speakers.has(has(own, seq) ? 'own' : 'theirs') ? ofNamed : 0), previous, next)
  })
  each(part(there, from, to), (seq) => {
    if (!has(said, seq) && (counts[seq - from] ?? 0) >= least) offer(seq, ofOthers * scoreOf(seq))
  })
}

/** With what was said before and behind. */
const eachSaid = (
  said: Positions,
  act: (seq: Seq, previous: Seq | undefined, next: Seq | undefined) => void,
): void => {
  let [previous, last]: (Seq | undefined)[] = []
  each(said, (seq) => {
    if (last !== undefined) act(last, previous, seq)
    previous = last
    last = seq
  })
  if (last !== undefined) act(last, previous, undefined)
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
