/** What answers a question best, though it may be asked in other words: by how rare the words are that it has. */
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { MaybeYield } from '../flow/yielding.ts'
import type { Reading } from '../persona/personas.ts'
import { type Hit, hitAt, ofKinds, type Span } from './find.ts'
import {
  kindMark,
  type LifeIndex,
  lengthClasses,
  lengthMark,
  lengthOf,
  ownMark,
  questionMark,
} from './life-index.ts'
import { countOf, each, has, intersect, type Positions } from './postings.ts'
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
const namedSpeaker = 2
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
  const scores = await scoresOf(index, reading, question, span)
  if (!scores) return { hits: [], more: false }
  const { terms, order, all } = scores
  const groups = terms.map(({ group }) => group)
  const needed = terms.flatMap((term, n) => (term.needed ? [n] : []))
  const least = question.by === 'sense' ? 0 : all ? needed.length : Math.min(1, needed.length)
  for (let most = 3 * (question.limit + 1); ; most *= 8) {
    const best = bestOf(order, most)
    const hits: Answer[] = []
    for (let at = 0; at < best.length && hits.length <= question.limit; ) {
      const some = best.slice(at, at + question.limit + 1 - hits.length)
      at += some.length
      const looks = some.map(async ({ seq, previous, next }): Promise<Answer | undefined> => {
        const hit = await hitAt(seq, groups, reading, question.kinds, index.latest, maybeYield)
        if (!hit || needed.filter((n) => hit.places[n] !== undefined).length < least) return undefined
        return { ...hit, whole: needed.every((n) => hit.places[n] !== undefined), previous, next }
      })
      hits.push(...(await Promise.all(looks)).filter((hit) => hit !== undefined))
    }
    if (hits.length > question.limit || best.length < most)
      return { hits: hits.slice(0, question.limit), more: hits.length > question.limit }
  }
}

interface Candidate {
  readonly seq: Seq
  readonly score: number
  readonly previous: Seq | undefined
  readonly next: Seq | undefined
}

type Order = (act: (candidate: Candidate) => void) => void

interface Scores {
  readonly terms: readonly Term[]
  readonly order: Order
  /** Something has all that is needed. */
  readonly all: boolean
}

const scoresOf = async (
  index: LifeIndex,
  { persona }: Reading,
  question: Question,
  span: Span,
): Promise<Scores | undefined> => {
  const { from, to, maybeYield } = span
  const there = await ofKinds(index, question.kinds, from, to, maybeYield)
  const terms = await termsOf(index, question, there, span)
  if (terms.length === 0) return undefined
  const scores = new Float32Array(to - from)
  const counts = new Uint8Array(to - from)
  const said = await index.having([kindMark('said')], false, from, to, maybeYield)
  const own = await index.having([ownMark], false, from, to, maybeYield)
  const asked = await index.having([questionMark], false, from, to, maybeYield)
  const { speakers, names } = speakersOf(terms, said, own, persona.self.name)
  for (const term of terms) {
    const { positions, needed } = term
    const weight = names.has(term) ? nameItself * term.weight : term.weight
    each(positions, (seq) => {
      scores[seq - from] = (scores[seq - from] ?? 0) + weight
      if (needed) counts[seq - from] = (counts[seq - from] ?? 0) + 1
    })
    await maybeYield()
  }
  await weighLengths(index, scores, span)
  const needs = terms.filter(({ needed }) => needed).length
  let all = false
  each(there, (seq) => {
    if (needs > 0 && counts[seq - from] === needs) all = true
  })
  const least = question.by === 'sense' ? 0 : all ? needs : Math.min(1, needs)
  const order: Order = (act) => {
    const offer = (candidate: Candidate) => {
      if (candidate.score > 0 && (counts[candidate.seq - from] ?? 0) >= least) act(candidate)
    }
    if (!question.kinds || question.kinds.includes('said'))
      eachSaid(said, (seq, previous, next) => {
        const itself = scores[seq - from] ?? 0
        // Who gives a single word is told what stands beside it, and looks for nothing else.
        if (itself === 0 && (question.by === 'words' || needs < 2)) return
        const answers = previous !== undefined && has(asked, previous) ? ofQuestion : ofNeighbour
        const before = answers * (scores[(previous ?? to) - from] ?? 0)
        const behind = ofNeighbour * (scores[(next ?? to) - from] ?? 0)
        const score = itself + Math.max(before, behind)
        const named = speakers.has(has(own, seq) ? 'own' : 'theirs') ? namedSpeaker : 0
        offer({ seq, score: score && score + named, previous, next })
      })
    each(without(there, said), (seq) =>
      offer({ seq, score: ofOthers * (scores[seq - from] ?? 0), previous: undefined, next: undefined }),
    )
  }
  return { terms, order, all }
}

const without = (one: Positions, other: Positions): Positions => ({
  ...one,
  bits: one.bits.map((byte, n) => byte & ~(other.bits[n] ?? 0)),
})

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
const weighLengths = async (index: LifeIndex, scores: Float32Array, { from, to, maybeYield }: Span) => {
  for (let n = 0; n < lengthClasses; n++) {
    const factor =
      (1 + saturation) / (1 + saturation * (1 - byLength + (byLength * lengthOf(n)) / usualLength))
    each(await index.having([lengthMark(n)], false, from, to, maybeYield), (seq) => {
      scores[seq - from] = (scores[seq - from] ?? 0) * factor
    })
    await maybeYield()
  }
}

/** So many, in their order. */
const bestOf = (order: Order, most: number): readonly Candidate[] => {
  let best: Candidate[] = []
  let least = 0
  const cut = () => {
    const top = best.reduce((most, { score }) => Math.max(most, score), 0)
    const rankOf = ({ score }: Candidate) => Math.round(score / (close * top))
    best = best.sort((one, other) => rankOf(other) - rankOf(one) || other.seq - one.seq).slice(0, most)
    if (best.length === most) least = (best.at(-1)?.score ?? 0) - close * top
  }
  order((candidate) => {
    if (candidate.score < least) return
    best.push(candidate)
    if (best.length > 4 * most) cut()
  })
  cut()
  return best
}

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
