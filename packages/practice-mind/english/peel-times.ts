/** English phrases of time. */
import type { Moment, Part } from '../moment.ts'
import { date, type Phrase, phrase, rhythm, setDay, setSpan, time } from '../phrase-builders.ts'
import { createPeel } from '../when.ts'
import { questions } from './questions.ts'
import { months, weekdays } from './say-when.ts'

const units =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tensWords = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ordinals =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  )

const numberWord = `(?:${tensWords.join('|')})(?:[ -](?:${units.slice(0, 9).join('|')}))?|${[...units].reverse().join('|')}`
const amount = `half an?|an?|a couple of|a few|${numberWord}|\\d{1,4}`
const hour = `${units.slice(0, 12).reverse().join('|')}|\\d{1,2}`
const monthNames = months
  .map((month) =>
    month === 'may'
      ? month
      : month === 'september'
        ? 'sept?(?:ember)?'
        : `${month.slice(0, 3)}(?:${month.slice(3)})?`,
  )
  .join('|')
const dayNumber = `\\d{1,2}(?:st|nd|rd|th)?|(?:twenty|thirty)[ -]first|twenty[ -](?:${ordinals.slice(1, 9).join('|')})|thirtieth|${[...ordinals].reverse().join('|')}`
const fullDays = weekdays.join('|')
const anyDay = `${fullDays}|mon|tues?|wed|thur?s?|fri|sat|sun`
const meridiem = '[ap]\\.?m\\.?'

const number = (text = ''): number => {
  const lowerText = text.toLowerCase().replace('-', ' ')
  if (/^\d/.test(lowerText)) return Number.parseInt(lowerText, 10)
  if (/^half/.test(lowerText)) return 0.5
  if (/^an?$/.test(lowerText)) return 1
  if (lowerText === 'a couple of') return 2
  if (lowerText === 'a few') return 3
  const [first = '', secondWord] = lowerText.split(' ')
  const tensDigit = tensWords.indexOf(first) + 2
  if (tensDigit > 1) return tensDigit * 10 + (secondWord ? number(secondWord) : 0)
  if (lowerText === 'thirtieth') return 30
  return Math.max(units.indexOf(first), ordinals.indexOf(first)) + 1
}
const weekday = (text = '') => weekdays.findIndex((day) => day.startsWith(text.toLowerCase().slice(0, 3)))
const month = (text = '') => months.findIndex((name) => name.startsWith(text.toLowerCase().slice(0, 3))) + 1

const setHour = (moment: Moment, hourText = '', minute = 0, ampm?: string): void => {
  moment.hour = number(hourText)
  moment.minute = minute
  if (ampm) {
    moment.hour = (moment.hour % 12) + (ampm.toLowerCase().startsWith('p') ? 12 : 0)
    moment.exact = true
  } else if (/^0\d|^\d\d$/.test(hourText) && hourText !== '10' && hourText !== '11' && hourText !== '12')
    moment.exact = true
}

const parts: Readonly<Record<string, Part>> = {
  morning: 'morning',
  afternoon: 'afternoon',
  evening: 'evening',
  night: 'night',
}

const unitNames = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const
/** "m" is a minute. */
const span = (moment: Moment, unit: string, n: number) => {
  const letters = unit.toLowerCase().slice(0, 2)
  setSpan(moment, unitNames.find((name) => name.startsWith(letters)) ?? 'hour', n)
}

const relative: readonly Phrase[] = [
  date(
    `(?:in|within|after) (?<n>${amount}) ?(?<unit>sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|h|days?|weeks?|months?|years?)(?<half> and a half)?(?: or so)?(?: from now)?`,
    (moment, { n, unit = '', half }) => span(moment, unit, number(n) + (half ? 0.5 : 0)),
  ),
  date(
    `(?<n>${amount}) (?<unit>sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|weeks?|months?) from (?:now|today)`,
    (moment, { n, unit = '' }) => span(moment, unit, number(n)),
  ),
  date(
    `in (?<n>${amount}) ?(?:hours?|hrs?|h) and (?<m>${amount}) ?min(?:ute)?s?`,
    (moment, { n, m }) => void Object.assign(moment, { minutes: number(n) * 60 + number(m) }),
  ),
  date('in (?:an|one) hour and a half', (moment) => void Object.assign(moment, { minutes: 90 })),
  date('in (?:a quarter of an|a quarter) hour', (moment) => void Object.assign(moment, { minutes: 15 })),
  date('in three quarters of an hour', (moment) => void Object.assign(moment, { minutes: 45 })),
  date('(?:right )?now|in a (?:moment|sec|second)', (moment) => void Object.assign(moment, { minutes: 0 })),
]

const dates: readonly Phrase[] = [
  date('today', (moment) => void Object.assign(moment, { days: 0 })),
  date(
    '(?:tomorrow|tomorow|tommorow|tommorrow|tmrw|tmw)',
    (moment) => void Object.assign(moment, { days: 1 }),
  ),
  date('(?:the )?day after tomorrow', (moment) => void Object.assign(moment, { days: 2 })),
  date('(?:tonight|tonite)', (moment) => void Object.assign(moment, { days: 0, part: 'night' })),
  date(
    '(?:later )?this (?<part>morning|afternoon|evening)',
    (moment, { part = '' }) => void Object.assign(moment, { days: 0, part: parts[part.toLowerCase()] }),
  ),
  date(
    'yesterday|last (?:week|month|year)',
    (moment) => void Object.assign(moment, { unclear: questions.past }),
  ),
  date('(?:sometime )?next week', (moment) => void Object.assign(moment, { days: 7 })),
  date('next month', (moment) => void Object.assign(moment, { months: 1 })),
  date('next year', (moment) => void Object.assign(moment, { months: 12 })),
  date('(?:at|on|over) the weekend|this weekend', (moment) => void Object.assign(moment, { weekday: 5 })),
  date(
    `(?:on )?(?<day>${fullDays})`,
    (moment, { day }) => void Object.assign(moment, { weekday: weekday(day) }),
  ),
  date(
    `(?:on |this |this coming |on the coming |coming )(?<day>${anyDay})`,
    (moment, { day }) => void Object.assign(moment, { weekday: weekday(day) }),
  ),
  date(
    `(?:on )?(?<day>${fullDays})(?: of)? next week|next week(?: on)? (?<other>${fullDays})`,
    (moment, { day, other }) => void Object.assign(moment, { weekday: weekday(day ?? other), next: true }),
  ),
  date(
    '(?<day>mon|tues?|thur?s?|fri)',
    (moment, { day }) => void Object.assign(moment, { weekday: weekday(day) }),
  ),
  date(
    `(?:on |on the )?next (?<day>${anyDay})`,
    (moment, { day }) => void Object.assign(moment, { weekday: weekday(day), next: true }),
  ),
  date(
    '(?:on )?(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})',
    (moment, { day, month: monthText, year }) => setDay(moment, number(day), Number(monthText), year),
  ),
  date(
    `(?:on )?(?:the )?(?<day>${dayNumber})(?: of)? (?<month>${monthNames})(?:,? (?<year>\\d{4}))?`,
    (moment, { day, month: monthName, year }) => setDay(moment, number(day), month(monthName), year),
  ),
  date(
    `(?:on )?(?<month>${monthNames}) (?:the )?(?<day>${dayNumber})(?:,? (?<year>\\d{4}))?`,
    (moment, { day, month: monthName, year }) => setDay(moment, number(day), month(monthName), year),
  ),
  date(
    `(?:on |by )?the (?<day>\\d{1,2}(?:st|nd|rd|th)|${ordinals.slice(3).join('|')})|on the (?<low>first|second|third)`,
    (moment, { day, low }) => void Object.assign(moment, { dayOfMonth: number(day ?? low) }),
  ),
  date(
    '(?:on )?(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d{4})?',
    (moment, { day, month: monthName, year }) => setDay(moment, number(day), Number(monthName), year),
  ),
  date(
    '(?:on )?(?<a>\\d{1,2})/(?<b>\\d{1,2})(?:/(?<year>\\d{4}|\\d{2}))?',
    (moment, { a = '', b = '', year }) => {
      const firstNumber = Number(a)
      const secondNumber = Number(b)
      if (firstNumber <= 12 && secondNumber <= 12 && firstNumber !== secondNumber) {
        const choice = [`${firstNumber} ${name(secondNumber)}`, `${secondNumber} ${name(firstNumber)}`]
        moment.unclear = `Do you mean ${choice[0]} or ${choice[1]}?`
      } else
        setDay(
          moment,
          secondNumber > 12 ? secondNumber : firstNumber,
          secondNumber > 12 ? firstNumber : secondNumber,
          year,
        )
    },
  ),
]

const name = (month: number) => (months[month - 1] ?? '').replace(/^./, (letter) => letter.toUpperCase())

const times: readonly Phrase[] = [
  time(
    `(?:at |by |around |about |@ ?)?(?<h>\\d{1,2})[:h](?<m>\\d{2}) ?(?<half>${meridiem})?`,
    (moment, { h, m, half: ampm }) => {
      setHour(moment, h, Number(m), ampm)
      moment.written = true
    },
  ),
  time(
    `(?:at|by|around|about) (?<h>\\d{1,2})\\.(?<m>\\d{2}) ?(?<half>${meridiem})?`,
    (moment, { h, m, half: ampm }) => setHour(moment, h, Number(m), ampm),
  ),
  time(`(?:at |by |around |about |@ ?)?(?<h>${hour}) ?(?<half>${meridiem})`, (moment, { h, half: ampm }) =>
    setHour(moment, h, 0, ampm),
  ),
  time(`(?:at|by|around|about|@) ?(?<h>${hour})(?: o'?clock)?(?: sharp)?`, (moment, { h }) =>
    setHour(moment, h),
  ),
  time(
    `(?:at )?(?<h>${hour}) (?:in the|at) (?<part>morning|afternoon|evening|night)`,
    (moment, { h, part = '' }) => {
      setHour(moment, h)
      moment.part ??= parts[part.toLowerCase()] as Part
    },
  ),
  time(`(?<h>${hour}) o'?clock`, (moment, { h }) => setHour(moment, h)),
  time(`(?:at )?half(?: past)? (?<h>${hour})`, (moment, { h }) => setHour(moment, h, 30)),
  time(
    `(?:at )?(?:a )?(?<m>quarter|${numberWord}|\\d{1,2})(?: minutes)? (?<way>past|after|to|before) (?<h>${hour})`,
    (moment, { m = '', way, h }) => {
      const minutes = /quarter/i.test(m) ? 15 : number(m)
      const isPast = /past|after/i.test(way ?? '')
      setHour(
        moment,
        isPast ? h : String(number(h) === 1 ? 12 : number(h) - 1),
        isPast ? minutes : 60 - minutes,
      )
    },
  ),
  time(`at (?<h>${units.slice(0, 12).reverse().join('|')}) (?<m>${numberWord})`, (moment, { h, m }) =>
    setHour(moment, h, number(m)),
  ),
  time(
    'at (?<h>[01]\\d|2[0-3])(?<m>[0-5]\\d)(?: hours)?',
    (moment, { h, m }) => void Object.assign(moment, { hour: Number(h), minute: Number(m), exact: true }),
  ),
  time(
    '(?:at )?(?:12 |twelve )?(?:noon|midday)|at lunch(?:time)?',
    (moment) => void Object.assign(moment, { hour: 12, minute: 0, exact: true }),
  ),
  time(
    '(?:at )?(?:12 |twelve )?midnight',
    (moment) => void Object.assign(moment, { hour: 0, minute: 0, exact: true, midnight: true }),
  ),
  phrase('time', 'first thing(?: in the morning)?', (moment) => {
    if (moment.part) return false
    moment.part = 'morning'
    return true
  }),
  phrase(
    'time',
    '(?:early |late )?(?:in the |at )?(?<part>morning|afternoon|evening|night)',
    (moment, { part = '' }) => {
      if (moment.part) return false
      moment.part = parts[part.toLowerCase()] as Part
      return true
    },
  ),
]

const rhythms: readonly Phrase[] = [
  rhythm(
    '(?:every|each) hour|hourly|once an hour',
    (moment) => void Object.assign(moment, { recurrence: 'hourly' }),
  ),
  rhythm(
    '(?:every|each) (?:single )?day|everyday|daily|once a day',
    (moment) => void Object.assign(moment, { recurrence: 'daily' }),
  ),
  rhythm(
    '(?:every|each) (?<part>morning|afternoon|evening|night)',
    (moment, { part = '' }) =>
      void Object.assign(moment, { recurrence: 'daily', part: parts[part.toLowerCase()] }),
  ),
  rhythm(
    '(?:every|each) week|weekly|once a week',
    (moment) => void Object.assign(moment, { recurrence: 'weekly' }),
  ),
  rhythm(
    '(?:every|each) month|monthly|once a month',
    (moment) => void Object.assign(moment, { recurrence: 'monthly' }),
  ),
  rhythm(
    '(?:every|each) year|yearly|annually|once a year',
    (moment) => void Object.assign(moment, { recurrence: 'yearly' }),
  ),
  rhythm(
    `(?:on )?(?:every|each) (?<day>${anyDay})s?(?: (?<part>morning|afternoon|evening|night))?`,
    (moment, { day, part }) => {
      Object.assign(moment, {
        recurrence: 'weekly',
        weekday: weekday(day),
        ...(part ? { part: parts[part.toLowerCase()] } : {}),
      })
    },
  ),
  rhythm(
    `on (?<day>${fullDays})s`,
    (moment, { day }) => void Object.assign(moment, { recurrence: 'weekly', weekday: weekday(day) }),
  ),
  rhythm(
    `(?:on )?(?:every|each) (?<day>${dayNumber})(?: of)? (?<month>${monthNames})`,
    (moment, { day, month: monthName }) => {
      moment.recurrence = 'yearly'
      setDay(moment, number(day), month(monthName), undefined)
    },
  ),
  rhythm(
    `(?:on )?(?:the )?(?<day>${dayNumber}) (?:day )?(?:of )?(?:every|each|the) month|(?:on )?(?:every|each) (?<other>${dayNumber})(?: (?:day )?of the month)?`,
    (moment, { day, other }) =>
      void Object.assign(moment, { recurrence: 'monthly', dayOfMonth: number(day ?? other) }),
  ),
  rhythm(
    `(?:every|each) (?:other|second|third|few|${numberWord}|\\d+) (?:minutes?|hours?|days?|weeks?|months?|years?|${fullDays})|(?:every|each) (?:minute|weekday|week day|working day|workday|weekend|quarter)|on weekdays|(?:twice|three times) an? \\w+`,
    (moment) => void Object.assign(moment, { recurrence: 'none', unclear: questions.rhythm }),
  ),
]

export const peel = createPeel(
  [...relative, ...dates, ...times, ...rhythms],
  /(?:^|[\s,])(?:at|on|by|for|from|starting|start|please|then|and|again|,)$/i,
)
