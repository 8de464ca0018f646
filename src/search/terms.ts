/** Splits a question into terms: meaningful words with their inflections, and dates. */
import type { SearchKind } from '../../facts/fact.ts'
import type { Seq } from '../../facts/fact-values.ts'
import { type DateContext, datesIn } from './dates.ts'
import { findTogether, type Span } from './find.ts'
import { type LifeIndex, languageMark } from './life-index.ts'
import { countPositions, intersect, type Positions } from './positions.ts'
import { type Group, minPrefixLength, parseQuery, type QueryWord } from './query.ts'
import { detectLanguage, isCommon, isOfQuestions, type Language, Languages, stemWord } from './word-stems.ts'
import { wordsIn } from './words.ts'

export interface Question {
  readonly text: string
  /** For relative dates. */
  readonly now: DateContext
  /** Only facts before this position. */
  readonly before: Seq
  readonly limit: number
  /** Default: all kinds. */
  readonly kinds?: readonly SearchKind[]
  /**
   * `words`: all meaningful words must occur; some of them if nothing has all. `sense`: some words suffice,
   * and their neighbours count too.
   */
  readonly by: 'words' | 'sense'
  /** By words: facts with some of the words count even if others have all. */
  readonly isPartial?: boolean
  /** Facts that are left out. */
  readonly ignored?: readonly Seq[]
  /** `newest`: only facts with all meaningful words; any messages if it has no such word. */
  readonly order?: 'best' | 'newest'
}

/** A part of a question and its positions. */
export interface Term {
  readonly group: Group
  readonly positions: Positions
  readonly weight: number
  /** Required for a complete match. */
  readonly isNeeded: boolean
  /** A date, or a word of one. */
  readonly isOfDate: boolean
}

/** The facts of the days that a question names. */
export interface NamedDays {
  readonly positions: Positions
  readonly isOneDay: boolean
}

/** Only facts in `there`. Throws Unusable. */
export const findTerms = async (
  index: LifeIndex,
  question: Question,
  searchablePositions: Positions,
  span: Span,
): Promise<{ readonly terms: readonly Term[]; readonly days: NamedDays | null }> => {
  const { text, now, by } = question
  const query = parseQuery(text, by === 'words' ? 'last' : 'none')
  const words = [...wordsIn(text)].map(({ forms }) => forms[0] ?? '')
  const languages = await getLanguages(index, words, span)
  const dates = datesIn(text, languages, now)
  const dateWords = new Set(dates.flatMap((date) => date.words))
  const saysNothing = (group: Group) =>
    isWord(group) &&
    (isCommon(firstPlace(group), languages) ||
      (by === 'sense' && isOfQuestions(firstPlace(group), languages)))
  const meaningfulGroups = query.filter((group) => !saysNothing(group))
  const all = countPositions(searchablePositions)
  const terms: Term[] = []
  const add = async (group: Group, isNeeded: boolean, { weightShare = 1, isOfDate = false } = {}) => {
    const positions = intersect(await findTogether(index, group, span), searchablePositions)
    const count = countPositions(positions)
    if (count > 0 || isNeeded)
      terms.push({
        group,
        positions,
        weight: weightShare * Math.log(1 + (all - count + 0.5) / (count + 0.5)),
        isNeeded,
        isOfDate,
      })
    return positions
  }
  const saysSomething = meaningfulGroups.length > 0 || dates.length > 0
  for (const group of saysSomething || question.order === 'newest' ? meaningfulGroups : query) {
    const { wide, inflected } = isWord(group)
      ? await widenWord(index, group[0], languages, question, span)
      : { wide: group, inflected: group }
    const isOfDate = isWord(group) && dateWords.has(firstPlace(group))
    await add(wide, !isOfDate, { isOfDate })
    // An inflection of the word itself counts more than a relative of it.
    if (inflected !== wide) await add(inflected, false, { weightShare: 0.5, isOfDate })
    // Exact matches of a prefix, and parts of a phrase, count a little extra.
    if (isWord(group) && wide[0]?.isPrefix)
      await add([{ ...group[0], isPrefix: false }], false, { weightShare: 0.3, isOfDate })
    if (group.length > 1)
      for (const word of group)
        if (word.isLookedUp && !saysNothing([word])) await add([word], false, { weightShare: 0.5 })
  }
  const ofDates: Positions[] = []
  for (const { marks } of dates) ofDates.push(await add([marks], false, { isOfDate: true }))
  return {
    terms: terms.filter(({ positions, isNeeded }) => isNeeded || countPositions(positions) > 0),
    days:
      ofDates.length > 0
        ? { positions: ofDates.reduce(intersect), isOneDay: dates.some(({ marks }) => isOneDay(marks)) }
        : null,
  }
}

const isOneDay = ({ forms, isPrefix }: QueryWord): boolean => forms.length === 1 && !isPrefix

export const isWord = (group: Group): group is readonly [QueryWord] => group.length === 1
export const firstPlace = (group: Group): string => group[0]?.forms[0] ?? ''

/** In facts. */
const recentFacts = 2 ** 15

/** The language of the words; if unclear, those of at least a tenth of recent messages. */
const getLanguages = async (
  index: LifeIndex,
  words: readonly string[],
  { to, maybeYield }: Span,
): Promise<readonly Language[]> => {
  const language = detectLanguage(words)
  if (language) return [language]
  const from = Math.max(1, to - recentFacts)
  const counts: (readonly [Language, number])[] = []
  for (const language of Languages)
    counts.push([
      language,
      countPositions(await index.findHaving([languageMark(language)], false, from, to, maybeYield)),
    ])
  const all = counts.reduce((sum, [, count]) => sum + count, 0)
  return counts.filter(([, count]) => count > all / 10).map(([language]) => language)
}

/** Max inflections per stem. */
const maxForms = 256

interface WidenedWord {
  /** With its inflections and its relatives. A word without a match becomes a prefix. */
  readonly wide: Group
  /** With its inflections only; the same object if there are no relatives. */
  readonly inflected: Group
}

const widenWord = async (
  index: LifeIndex,
  queryWord: QueryWord,
  languages: readonly Language[],
  { by }: Question,
  { from, to, maybeYield }: Span,
): Promise<WidenedWord> => {
  const inflections = new Set(queryWord.forms)
  const relatives = new Set<string>()
  const [word = ''] = queryWord.forms
  for (const language of /^\p{L}{3,}$/u.test(word) ? languages : []) {
    const stem = stemWord(word, language)
    const root = toRoot(stem)
    const start = root.length >= minRoot ? root : stem.slice(0, Math.max(minPrefixLength, stem.length - 1))
    if (stem.length < minPrefixLength || !word.startsWith(start)) continue
    const otherForms = (await index.beginning(start, 1000)).filter(({ length }) => length <= stem.length + 7)
    for (const otherForm of otherForms.slice(0, maxForms)) {
      const otherStem = stemWord(otherForm, language)
      if (otherStem === stem) inflections.add(otherForm)
      else if (by === 'sense' && isRelated(root, toRoot(otherStem))) relatives.add(otherForm)
      await maybeYield()
    }
  }
  const inflectedWords = [{ ...queryWord, forms: [...inflections] }] as const
  const wideWords = [{ ...queryWord, forms: [...new Set([...inflections, ...relatives])] }] as const
  if (queryWord.isPrefix || by === 'words' || word.length < minPrefixLength)
    return { wide: inflectedWords, inflected: inflectedWords }
  const matches = await index.findHaving(wideWords[0].forms, false, from, to, maybeYield)
  if (countPositions(matches) === 0) {
    const prefix = [{ ...wideWords[0], isPrefix: true }]
    return { wide: prefix, inflected: prefix }
  }
  return wideWords[0].forms.length > inflectedWords[0].forms.length
    ? { wide: wideWords, inflected: inflectedWords }
    : { wide: inflectedWords, inflected: inflectedWords }
}

// A stemmer removes inflections, but not all endings that derive a word: "allergy" becomes "allergi" and
// "allergic" becomes "allerg". Two stems are related if one is the other with a short ending.

/** Min letters. Shorter words have too many strangers that begin with them. */
const minRoot = 5
const maxEnding = 3

/** Removes the final vowels of a stem. */
const toRoot = (stem: string): string => stem.replace(/[aeiouy]{1,2}$/, '')

const isRelated = (first: string, second: string): boolean => {
  const [shortWord, longWord] = first.length <= second.length ? [first, second] : [second, first]
  return (
    shortWord.length >= minRoot &&
    longWord.startsWith(shortWord) &&
    longWord.length - shortWord.length <= maxEnding
  )
}
