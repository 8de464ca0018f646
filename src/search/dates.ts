/** Finds dates in a text in its languages: "in May", "7 May 2023", "letzte Woche", "on Monday". */
import { offsetAt } from '../../packages/kit/time/zone-offset.ts'
import type { QueryWord } from './query.ts'
import { isCommon, type Language, stemWord } from './word-stems.ts'
import { type Word, wordsIn } from './words.ts'

export interface DateQuery {
  /** Query for the facts of those days. */
  readonly marks: QueryWord
  /** The words of the date, normalized. */
  readonly words: readonly string[]
}

export interface DateContext {
  /** Epoch milliseconds. */
  readonly at: number
  readonly zone: string
}

/** Index marks of a day, and of that day in any year. Words never begin with a colon. */
export const dayMarks = (timeMs: number, offset: number): readonly string[] => {
  const day = isoDay(timeMs + offset * 60_000)
  return [`:${day}`, `:${day.slice(4)}`]
}

const isoDay = (local: number): string => new Date(local).toISOString().slice(0, 10)

export const datesIn = (
  text: string,
  languages: readonly Language[],
  now: DateContext,
): readonly DateQuery[] => {
  const words = [...wordsIn(text)]
  const dates = [
    ...writtenOut(text),
    ...relative(words, languages, now),
    ...months(text, words, languages),
    ...words.map(({ forms }) => forms[0] ?? '').flatMap((word) => (isYear(word) ? [toYear(word)] : [])),
  ]
  const weekdays = findWeekdays(words, languages, now)
  // "Monday 30 November" names one day.
  return dates.length > 0 ? dates.map((date) => withWords(date, weekdays)) : weekdays
}

const withWords = (date: DateQuery, others: readonly DateQuery[]): DateQuery => ({
  ...date,
  words: [...date.words, ...others.flatMap(({ words }) => words)],
})

const inFigures = [
  /(?<year>\d{4})-(?<month>\d{1,2})(?:-(?<day>\d{1,2}))?(?!\d)/g,
  /(?<!\d)(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})(?!\d)/g,
  /(?:(?<year>\d{4})年)?(?<month>\d{1,2})月(?:(?<day>\d{1,2})日)?/g,
]

const writtenOut = (text: string): readonly DateQuery[] =>
  inFigures.flatMap((form) =>
    [...text.matchAll(form)].map(({ 0: wholeMatch, groups: { year, month, day } = {} }) =>
      toDateQuery(
        year,
        Number(month),
        day,
        [...wordsIn(wholeMatch)].flatMap(({ forms }) => forms),
      ),
    ),
  )

/** A day, or all days of a month. Without a year, of any year. */
const toDateQuery = (
  year: string | undefined,
  month: number,
  day: string | undefined,
  words: readonly string[],
): DateQuery => {
  const start = `:${year ?? ''}-${padTwo(month)}-`
  return {
    marks: day ? marks([`${start}${padTwo(Number(day))}`]) : { ...marks([start]), isPrefix: true },
    words,
  }
}

const marks = (forms: readonly string[]): QueryWord => ({ forms, isPrefix: false, isLookedUp: true })
const padTwo = (n: number): string => String(n).padStart(2, '0')

const isYear = (word: string | undefined): word is string => /^(?:19|20|21)\d\d$/.test(word ?? '')
const toYear = (word: string): DateQuery => ({
  marks: { ...marks([`:${word}-`]), isPrefix: true },
  words: [],
})

const months = (text: string, words: readonly Word[], languages: readonly Language[]): readonly DateQuery[] =>
  words.flatMap((word, n): readonly DateQuery[] => {
    const name = getForm(word)
    const month = languages.flatMap((language) => getNames(language).months.get(name) ?? []).at(0)
    // A stop word like `may` is a month only with a capital letter.
    if (!month || (isCommon(name, languages) && !/\p{Lu}/u.test(text[word.at] ?? ''))) return []
    const [wordBefore, wordAfter, wordAfterNext] = [words[n - 1], words[n + 1], words[n + 2]].map(
      (word) => word && getForm(word),
    )
    const dayBefore = toDay(wordBefore)
    const day = dayBefore ?? toDay(wordAfter)
    const year = [wordAfter, wordAfterNext].find(isYear)
    return [
      toDateQuery(
        year,
        month,
        day,
        [name, dayBefore ? wordBefore : wordAfter, year].filter((word) => word !== undefined),
      ),
    ]
  })

const getForm = ({ forms }: Word): string => forms[0] ?? ''

const toDay = (word: string | undefined): string | undefined => {
  const day = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? '')?.[1]
  return day && Number(day) >= 1 && Number(day) <= 31 ? day : undefined
}

const relative = (
  words: readonly Word[],
  languages: readonly Language[],
  now: DateContext,
): readonly DateQuery[] => {
  const dates: DateQuery[] = []
  for (let n = 0; n < words.length; n++)
    for (let length = 1; length <= 4 && n + length <= words.length; length++) {
      const forms = words.slice(n, n + length).map(getForm)
      const backOffset = languages
        .map((language) => getNames(language).back.get(forms.join(' ')))
        .find(Boolean)
      if (backOffset) dates.push({ marks: daysBack(backOffset, now), words: forms })
    }
  return dates
}

/** The last such day before today. */
const findWeekdays = (
  words: readonly Word[],
  languages: readonly Language[],
  now: DateContext,
): readonly DateQuery[] => {
  const today = new Date(now.at + offsetAt(now.at, now.zone) * 60_000).getUTCDay()
  const dates: DateQuery[] = []
  for (let n = 0; n < words.length; n++)
    for (let length = 1; length <= 2 && n + length <= words.length; length++) {
      const forms = words.slice(n, n + length).map(getForm)
      const weekday = languages
        .map((language) => getNames(language).weekdays.get(withoutCase(forms.join(' '), language)))
        .find((day) => day !== undefined)
      if (weekday === undefined) continue
      const count = (today - weekday + 7) % 7 || 7
      dates.push({ marks: daysBack([count, 'day'], now), words: forms })
    }
  return dates
}

/** Languages with cases. In others a different ending is another word, such as "Mondays". */
const withCases: ReadonlySet<Language> = new Set(['fi', 'hu', 'ru', 'tr'])

const withoutCase = (word: string, language: Language): string =>
  withCases.has(language) ? stemWord(word, language) : word

type Unit = 'day' | 'week' | 'month' | 'year'
type Back = readonly [count: number, unit: Unit]

/** Weeks begin on Monday. */
const daysBack = ([count, unit]: Back, { at, zone }: DateContext): QueryWord => {
  const local = new Date(at + offsetAt(at, zone) * 60_000)
  const year = local.getUTCFullYear()
  const month = local.getUTCMonth()
  const date = local.getUTCDate()
  const day = (n: number) => `:${isoDay(Date.UTC(year, month, n))}`
  if (unit === 'day') return marks([day(date - count)])
  if (unit === 'year') return { ...marks([`:${year - count}-`]), isPrefix: true }
  if (unit === 'month')
    return { ...marks([`:${isoDay(Date.UTC(year, month - count, 1)).slice(0, 8)}`]), isPrefix: true }
  const monday = date - ((local.getUTCDay() + 6) % 7) - 7 * count
  return marks(Array.from({ length: 7 }, (_, n) => day(monday + n)))
}

interface Names {
  /** From 1. */
  readonly months: ReadonlyMap<string, number>
  /** From 0 for Sunday. */
  readonly weekdays: ReadonlyMap<string, number>
  readonly back: ReadonlyMap<string, Back>
}

const namesByLanguage = new Map<Language, Names>()

const getNames = (language: Language): Names => {
  const names = namesByLanguage.get(language) ?? makeNames(language)
  namesByLanguage.set(language, names)
  return names
}

const maxCounts = { day: 14, week: 12, month: 12, year: 12 } as const

const makeNames = (language: Language): Names => {
  const months = new Map<string, number>()
  // Alone and with a day: some languages inflect month names.
  for (const options of [{ month: 'long' }, { month: 'long', day: 'numeric' }] as const) {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
    for (let month = 1; month <= 12; month++) {
      const parts = format.formatToParts(Date.UTC(2023, month - 1, 3))
      const name = asWords(parts.find(({ type }) => type === 'month')?.value ?? '')
      if (/^\p{L}+$/u.test(name)) months.set(name, month)
    }
  }
  const weekdays = new Map<string, number>()
  const dayFormat = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  // 2023-01-01 was a Sunday.
  for (let day = 0; day < 7; day++) {
    const name = asWords(dayFormat.format(Date.UTC(2023, 0, 1 + day)))
    weekdays.set(withoutCase(name, language), day)
  }
  const backByWords = new Map<string, Back>()
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  for (const unit of ['day', 'week', 'month', 'year'] as const)
    for (let count = 0; count <= maxCounts[unit]; count++)
      backByWords.set(asWords(format.format(-count, unit)), [count, unit])
  return { months, weekdays, back: backByWords }
}

const asWords = (text: string): string => [...wordsIn(text)].map(getForm).join(' ')
