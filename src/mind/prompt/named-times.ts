/** Recognizes days and times in text, in the languages most users write. */
import { toPlainText } from '../../../projections/knowledge.ts'

const languages = [
  ...['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'nb', 'da', 'fi', 'pl', 'cs', 'sk', 'hu', 'ro', 'hr'],
  ...['ru', 'uk', 'bg', 'el', 'tr', 'ar', 'he', 'fa', 'hi', 'th', 'vi', 'id', 'zh', 'ja', 'ko'],
]

interface NamedTime {
  /** Normalized names of the seven days, Sunday first. */
  readonly weekdays: readonly ReadonlySet<string>[]
  readonly months: readonly ReadonlySet<string>[]
  readonly all: ReadonlySet<string>
}

/** Measured: creating a formatter takes 0.2 ms, so one formatter serves all forms of a field. */
const buildNames = (): NamedTime => {
  const collectForms = (field: 'weekday' | 'month', times: readonly number[]) => {
    const forms = times.map(() => new Set<string>())
    // Beside a day a month has another ending in some languages.
    const besides = field === 'month' ? [{}, { day: 'numeric' } as const] : [{}]
    for (const language of languages)
      for (const length of ['long', 'short'] as const)
        for (const extraForm of besides) {
          const options = { [field]: length, ...extraForm, timeZone: 'UTC' }
          const format = new Intl.DateTimeFormat(language, options)
          for (const [n, time] of times.entries())
            for (const { type, value } of format.formatToParts(time)) {
              const form = toPlainText(value)
              if (type === field && form.length > 1 && !/^\p{N}/u.test(form)) forms[n]?.add(form)
            }
        }
    return forms
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)
  // 2023-01-01 was a Sunday.
  const weekdays = collectForms(
    'weekday',
    upTo(7).map((n) => Date.UTC(2023, 0, 1 + n)),
  )
  const months = collectForms(
    'month',
    upTo(12).map((n) => Date.UTC(2023, n, 15)),
  )
  return { weekdays, months, all: new Set([...weekdays, ...months].flatMap((forms) => [...forms])) }
}

let names: NamedTime | undefined
const allNames = (): NamedTime => {
  names ??= buildNames()
  return names
}

/** Returns true for a number, a weekday or a month. These words count as neither the user's nor others'. */
export const isDateWord = (word: string): boolean => {
  if (/^\p{N}/u.test(word)) return true
  return allNames().all.has(word)
}

const days: readonly (readonly [ahead: number, words: RegExp])[] = [
  [
    0,
    /(?<!\p{L})(?:today|tonight|heute|aujourd['’]?hui|ce soir|hoy|esta noche|hoje|oggi|stasera|vandaag|idag|i dag|tanaan|dzis\p{L}*|dnes|ma este|сегодня|сьогодні|bugun)(?!\p{L})|今天|今晚|今日|今夜|오늘/u,
  ],
  [
    1,
    /(?<!\p{L})(?:tomorrow|morgen|demain|manana|amanha|domani|imorgon|i morgen|huomenna|jutro|zitra|holnap|maine|завтра|утре|yarin|αυριο|besok)(?!\p{L})|明天|明日|あした|내일|พรุ่งนี้/u,
  ],
  [
    2,
    /(?<!\p{L})(?:ubermorgen|apres-?demain|pasado manana|dopodomani|overmorgen|послезавтра|pojutrze)(?!\p{L})|后天|後天|明後日|모레/u,
  ],
]

/** A clock: `9:30`, `21h`, `at 9`, `9 pm`, `um 9`, `9 Uhr`, `9時`. */
const clock =
  /(?<![\p{L}\p{N}])(?:at|by|around|um|gegen|à|a las?|às?|alle|om|kl|о|в|у|w|o)\s{1,3}(\p{N}{1,2})(?![\p{L}\p{N}])|(?<!\p{N})(\p{N}{1,2})(?:[:.h]\p{N}{2}(?!\p{N})|\s{0,2}(?:am|pm|a\.m|p\.m|uhr|h|heures|horas|ore|uur|час\p{L}{0,3}|годин\p{L}?|o['’]clock)(?!\p{L})|\s{0,2}[時时点點시])/giu

/** Returns the ISO number of the weekday with this name, 1 for Monday; null for other words. */
export const findWeekday = (name: string): number | null => {
  const matchingDays = allNames().weekdays.flatMap((forms, day) => (forms.has(name) ? day || 7 : []))
  return matchingDays.length === 1 ? (matchingDays[0] ?? null) : null
}

/** Returns 1 for "tomorrow"; null for words that name no such day, or more than it. */
export const findDaysAhead = (name: string): number | null => {
  const matchingDay = days.find(([, words]) => name.replace(words, '') === '' && name !== '')
  return matchingDay?.[0] ?? null
}

/** Returns true for a text with a day that depends on its own date, such as today or next week. */
export const namesRelativeDay = (text: string): boolean => {
  const plain = toPlainText(text).replace(mornings, '')
  const lower = text.normalize('NFKC').toLowerCase()
  return days.some(([, words]) => words.test(plain) || unspacedDay.test(lower)) || relativePeriod.test(plain)
}

/** The same words as for tomorrow. */
const mornings = /(?<!\p{L})(?:jeden|am|guten|la|da|de) (?:morgen|manana|manha)(?!\p{L})/gu
const unspacedDay = /今天|今晚|今日|今夜|오늘|明天|明日|あした|내일/u
const relativePeriod =
  /(?<!\p{L})(?:yesterday|gestern|hier|ayer|ieri|ontem|gisteren|wczoraj|вчера|(?:this|next|last) (?:week|weekend|month|year)|(?:diese|nachste|letzte|kommende)[nrs]? (?:woche|wochenende|monat|jahr)|(?:semaine|mois) prochaine?|(?:proxima|proximo|prossima|prossimo) (?:semana|mes|settimana|mese))(?!\p{L})|昨天|昨日|어제/u

export interface PlannedTime {
  /** Local time, `2026-11-24T09:00:00`. */
  readonly wall: string
  /** The current local date, `2026-11-23`. */
  readonly today: string
  /** Minutes from now, if the plan was requested that way. */
  readonly minutes: number | null
}

/**
 * Returns true if the text names the day or the time of the plan. If it names a weekday or a day such as
 * "tomorrow", that day must match. Otherwise a date, a clock time, or a number of minutes or hours must
 * match.
 */
export const namesTime = (words: string, { wall, today, minutes }: PlannedTime): boolean => {
  const plain = toPlainText(words)
  const lowerWords = words.normalize('NFKC').toLowerCase()
  const runs = new Set(plain.split(' '))
  const [date = '', time = ''] = wall.split('T')
  const dateMs = Date.parse(`${date}T00:00Z`)
  const { weekdays, months } = allNames()
  const isNamed = (forms: ReadonlySet<string>) =>
    [...forms].some((form) =>
      spacedScript.test(form) ? runs.has(form) : form.length > 1 && plain.includes(form),
    )
  const namedDays = weekdays.flatMap((forms, day) => (isNamed(forms) ? day : []))
  const daysAhead = days.flatMap(([count, forms]) =>
    forms.test(plain) || forms.test(lowerWords) ? count : [],
  )
  const isAhead = daysAhead.some((count) => dateMs === Date.parse(`${today}T00:00Z`) + count * aDay)
  if (namedDays.length + daysAhead.length > 0)
    return isAhead || namedDays.includes(new Date(dateMs).getUTCDay())
  const numbers = [...lowerWords.matchAll(/\p{Nd}+/gu)].map(([digits]) => Number(digits))
  const inMonth = months.some((forms, month) => isNamed(forms) && month === new Date(dateMs).getUTCMonth())
  if (inMonth && numbers.includes(new Date(dateMs).getUTCDate())) return true
  if (lowerWords.includes(date)) return true
  if (minutes !== null) return numbers.some((number) => [1, 60, 1440].includes(minutes / number))
  const hour = Number(time.slice(0, 2))
  return [...lowerWords.matchAll(clock)].some(
    ([, hourBefore, hourAfter]) =>
      Number(hourBefore ?? hourAfter) === hour ||
      Number(hourBefore ?? hourAfter) === hour % 12 ||
      (Number(hourBefore ?? hourAfter) === 12 && hour === 0),
  )
}

const aDay = 24 * 60 * 60_000
/** Scripts that separate words with spaces. */
const spacedScript = /^[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Arab}\p{sc=Hebr}\p{sc=Deva}\p{M} .]+$/u
