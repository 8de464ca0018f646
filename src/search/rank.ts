/** Ranks facts by how rare the matching words are, combined with the nearest by meaning. */
import { SearchKinds } from '../../journal/facts/fact.ts'
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import type { Reading } from '../persona/persona-store.ts'
import { type Candidate, findBest, type Parts } from './best-of.ts'
import { type Hit, hitAt, type Span } from './find.ts'
import { kindMark, type LifeIndex, ownMark, questionMark } from './life-index.ts'
import { countPositions, has, intersect, type Positions, unite } from './positions.ts'
import { findTerms, firstPlace, isWord, type Question, type Term } from './terms.ts'
import { wordsIn } from './words.ts'

export interface Answer extends Hit {
  /** Contains all meaningful words. */
  readonly whole: boolean
  /** The messages directly before and after it, on any channel; only for messages. */
  readonly previous: Seq | undefined
  readonly next: Seq | undefined
}

/** Best first; the newest among about equal ones. `more`: there are others. */
export interface Answers {
  readonly hits: readonly Answer[]
  readonly more: boolean
}

/** Returns those of `there` with about the same meaning as the question, nearest first. */
export type Nearest = (there: Positions) => Promise<readonly Seq[]>

const noneNear: Nearest = async () => []

/** Whether to search by meaning too. Not for quotes and stars, which require exact words. */
const usesMeaning = ({ text, by }: Question): boolean =>
  !/["“”„«»*]/.test(text) && (by === 'sense' || /[?？؟]\s*$/.test(text))

/** Throws Unusable. */
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
  const near = usesMeaning(question) ? await nearest(life.there) : []
  const answers = (least: number, besides = near) =>
    verified(index, reading, question, { ...life, least, near: besides }, maybeYield)
  if (question.by === 'sense' || needed < 2) return answers(few)
  const whole = await answers(needed, [])
  if (whole.hits.length === 0) return answers(few)
  return near.length > 0 ? answers(needed) : whole
}

interface Wish extends Parts {
  /** Min number of the needed words. */
  readonly least: number
  /** Found by meaning, regardless of words. */
  readonly near: readonly Seq[]
}

/** Checks the candidates against the facts themselves. */
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
    const best = await findBest(life, { least, most }, maybeYield)
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

/** Flattens the ranks, so that being high in both orders counts most. */
const rankConstant = 60

/** Merges two orders by reciprocal rank fusion. */
const fused = (best: readonly Candidate[], near: readonly Candidate[]): Candidate[] => {
  if (near.length === 0) return [...best]
  const scores = new Map<Seq, number>()
  for (const order of [best, near])
    for (const [n, { seq }] of order.entries())
      scores.set(seq, (scores.get(seq) ?? 0) + 1 / (rankConstant + n + 1))
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

const partsOf = async (
  index: LifeIndex,
  { persona }: Reading,
  question: Question,
  span: Span,
): Promise<Parts> => {
  const marks = await index.marks(span.to, span.maybeYield)
  const there = (question.kinds ?? SearchKinds).map((kind) => marks.positions(kindMark(kind))).reduce(unite)
  const terms = await findTerms(index, question, there, span)
  const said = intersect(marks.positions(kindMark('said')), there)
  const own = marks.positions(ownMark)
  const asked = marks.positions(questionMark)
  return {
    terms,
    there,
    said,
    own,
    asked,
    lengths: marks.lengths,
    by: question.by,
    ...speakersOf(terms, said, own, persona.self.name),
  }
}

/** Finds the speakers named in a question: a name that one speaker uses often and the other hardly ever. */
const speakersOf = (
  terms: readonly Term[],
  said: Positions,
  own: Positions,
  name: string,
): { readonly speakers: ReadonlySet<'own' | 'theirs'>; readonly names: ReadonlySet<Term> } => {
  const speakers = new Set<'own' | 'theirs'>()
  const names = new Set<Term>()
  const talk = countPositions(said)
  const itself = countPositions(own)
  const called = new Set([...wordsIn(name)].map(({ forms }) => forms[0]))
  for (const term of terms) {
    if (!isWord(term.group)) continue
    const byItself = countPositions(intersect(term.positions, own))
    const byThem = countPositions(intersect(term.positions, said)) - byItself
    const whom =
      called.has(firstPlace(term.group)) || isCalled(byThem, byItself, talk - itself)
        ? 'own'
        : isCalled(byItself, byThem, itself) && 'theirs'
    if (!whom) continue
    speakers.add(whom)
    names.add(term)
  }
  return { speakers, names }
}

/** In a twentieth of the messages of one, and rarely in those of the other. */
const isCalled = (by: number, byOther: number, of: number): boolean =>
  by >= Math.max(5, of / 20) && byOther <= by / 20
