/**
 * A question as the parts it is looked for by: its words, bar those that say nothing, with the others of
 * their stems, and the days it speaks of.
 */
import type { SearchKind } from '../../journal/facts/fact.ts'
import type { Seq } from '../../journal/facts/fact-values.ts'
import { datesIn, type Now } from './dates.ts'
import { type Span, together } from './find.ts'
import { type LifeIndex, languageMark } from './life-index.ts'
import { countOf, intersect, type Positions } from './postings.ts'
import { enough, type Group, queryOf, type Wanted } from './query.ts'
import { isCommon, type Language, Languages, languageOf, stemOf } from './word-stems.ts'
import { wordsOf } from './words.ts'

export interface Question {
  readonly text: string
  /** For what it says of days. */
  readonly now: Now
  /** Only facts with a smaller position. */
  readonly before: Seq
  readonly limit: number
  /** Any where none is named. */
  readonly kinds?: readonly SearchKind[]
  /**
   * `words`: all words have to be there, bar those that say nothing; where nothing has all, some of them.
   * `sense`: some always do, and what was said right before or behind them may be it.
   */
  readonly by: 'words' | 'sense'
}

/** A part of a question, and where it stands. */
export interface Term {
  readonly group: Group
  readonly positions: Positions
  readonly weight: number
  /** What has not got it is not whole. */
  readonly needed: boolean
}

/** Of facts that are `there` to be found. Unusable. */
export const termsOf = async (
  index: LifeIndex,
  question: Question,
  there: Positions,
  span: Span,
): Promise<readonly Term[]> => {
  const { text, now, by } = question
  const query = queryOf(text, by === 'words' ? 'last' : 'none')
  const words = [...wordsOf(text)].map(({ forms }) => forms[0] ?? '')
  const languages = await languagesOf(index, words, span)
  const dates = datesIn(text, languages, now)
  const dated = new Set(dates.flatMap((one) => one.words))
  const saysNothing = (group: Group) => isWord(group) && isCommon(firstOf(group), languages)
  const telling = query.filter((group) => !saysNothing(group))
  const all = countOf(there)
  const terms: Term[] = []
  const add = async (group: Group, needed: boolean, share = 1) => {
    const positions = intersect(await together(index, group, span), there)
    const count = countOf(positions)
    if (count > 0 || needed)
      terms.push({
        group,
        positions,
        weight: share * Math.log(1 + (all - count + 0.5) / (count + 0.5)),
        needed,
      })
  }
  for (const group of telling.length > 0 || dates.length > 0 ? telling : query) {
    const wide = isWord(group) ? await widened(index, group[0], languages, question, span) : group
    await add(wide, !(isWord(group) && dated.has(firstOf(group))))
    // What is only begun, or stands side by side: better where it stands as it is, worth something by parts.
    if (isWord(group) && wide[0]?.begins) await add([{ ...group[0], begins: false }], false, 0.3)
    if (group.length > 1)
      for (const wanted of group) if (wanted.looked && !saysNothing([wanted])) await add([wanted], false, 0.5)
  }
  for (const { marks } of dates) await add([marks], false)
  return terms.filter(({ positions, needed }) => needed || countOf(positions) > 0)
}

export const isWord = (group: Group): group is readonly [Wanted] => group.length === 1
export const firstOf = (group: Group): string => group[0]?.forms[0] ?? ''

/** Facts. */
const lately = 2 ** 15

/** That of its words; else those that much of what was said lately is in. */
const languagesOf = async (
  index: LifeIndex,
  words: readonly string[],
  { to, maybeYield }: Span,
): Promise<readonly Language[]> => {
  const language = languageOf(words)
  if (language) return [language]
  const from = Math.max(1, to - lately)
  const counts: (readonly [Language, number])[] = []
  for (const one of Languages)
    counts.push([one, countOf(await index.having([languageMark(one)], false, from, to, maybeYield))])
  const all = counts.reduce((sum, [, count]) => sum + count, 0)
  return counts.filter(([, count]) => count > all / 10).map(([one]) => one)
}

/** Words of one stem that are asked for together. */
const mostForms = 256

/** With the other words of its stem. What nothing has may be the beginning of something. */
const widened = async (
  index: LifeIndex,
  wanted: Wanted,
  languages: readonly Language[],
  { by }: Question,
  { from, to, maybeYield }: Span,
): Promise<Group> => {
  const forms = new Set(wanted.forms)
  const [word = ''] = wanted.forms
  for (const language of /^\p{L}{3,}$/u.test(word) ? languages : []) {
    const stem = stemOf(word, language)
    const start = stem.slice(0, Math.max(enough, stem.length - 1))
    if (stem.length < enough || !word.startsWith(start)) continue
    const others = (await index.beginning(start, 1000)).filter(({ length }) => length <= stem.length + 7)
    for (const other of others.slice(0, mostForms)) {
      if (stemOf(other, language) === stem) forms.add(other)
      await maybeYield()
    }
  }
  const wide = { ...wanted, forms: [...forms] }
  if (wanted.begins || by === 'words' || word.length < enough) return [wide]
  const found = await index.having(wide.forms, false, from, to, maybeYield)
  return [countOf(found) > 0 ? wide : { ...wide, begins: true }]
}
