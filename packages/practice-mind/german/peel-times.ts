/** German phrases of time. */
import type { Moment, Part } from '../moment.ts'
import { date, type Phrase, phrase, rhythm, setDay, setSpan, time } from '../phrase-builders.ts'
import { createPeel } from '../when.ts'
import { questions } from './questions.ts'
import { months, weekdays } from './say-when.ts'

const units =
  'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig'.split(
    ' ',
  )
const tensNumbers = { dreißig: 30, vierzig: 40, fünfzig: 50, fünfundvierzig: 45, neunzig: 90 } as const
const numberWord = `${[...units].reverse().join('|')}|${Object.keys(tensNumbers).join('|')}`
const amount = `einer halben|eine halbe|ein(?:er|em|e)?|ein paar|anderthalb|eineinhalb|${numberWord}|\\d{1,4}`
const hour = `${units.slice(0, 12).reverse().join('|')}|ein|\\d{1,2}`
const monthNames = months
  .map((month) =>
    month.length <= 4 ? month.replace('ä', '(?:ä|ae)') : `${month.slice(0, 3)}(?:${month.slice(3)}|\\.)?`,
  )
  .join('|')
const anyDay = weekdays.map((day) => day.replace('samstag', '(?:samstag|sonnabend)')).join('|')
const shortDay = 'mo|di|mi|do|fr|sa|so'
const ordinals =
  'ersten zweiten dritten vierten fünften sechsten siebten achten neunten zehnten elften zwölften'.split(' ')
const dayNumber = `\\d{1,2}\\.?|${[...ordinals].reverse().join('|')}`
const parts: Readonly<Record<string, Part>> = {
  früh: 'morning',
  morgen: 'morning',
  vormittag: 'morning',
  mittag: 'afternoon',
  nachmittag: 'afternoon',
  abend: 'evening',
  nacht: 'night',
}
const partName = 'früh|morgen|vormittag|nachmittag|abend|nacht'
const toPart = (text = ''): Part => parts[text.toLowerCase().replace(/s$/, '')] ?? 'morning'

const number = (text = ''): number => {
  const word = text.toLowerCase()
  if (/^\d/.test(word)) return Number.parseInt(word, 10)
  if (/halb/.test(word) && /^eine/.test(word) && !/^eineinhalb/.test(word)) return 0.5
  if (/^(?:anderthalb|eineinhalb)$/.test(word)) return 1.5
  if (word === 'ein paar') return 3
  if (/^ein/.test(word)) return 1
  const ten = Object.entries(tensNumbers).find(([name]) => name === word)?.[1]
  return ten ?? Math.max(units.indexOf(word), ordinals.indexOf(word)) + 1
}
const weekday = (text = '') => {
  const start = text.toLowerCase().replace('sonnabend', 'samstag').slice(0, 2)
  return weekdays.findIndex((day) => day.startsWith(start))
}
const month = (text = '') =>
  months.findIndex((name) => name.startsWith(text.toLowerCase().replace('ae', 'ä').slice(0, 3))) + 1

/** Hours are on a 24-hour clock if they have two digits or pass 12. */
const setHour = (moment: Moment, hourText = '', minute = 0): void => {
  moment.hour = number(hourText)
  moment.minute = minute
  if (/^0\d|^\d\d$/.test(hourText) && !['10', '11', '12'].includes(hourText)) moment.exact = true
}

const unitNames = {
  sek: 'second',
  min: 'minute',
  stu: 'hour',
  h: 'hour',
  std: 'hour',
  tag: 'day',
  woc: 'week',
  mon: 'month',
  jah: 'year',
} as const
const span = (moment: Moment, unit: string, n: number) => {
  const name = Object.entries(unitNames).find(([start]) => unit.toLowerCase().startsWith(start))?.[1]
  setSpan(moment, name ?? 'hour', n)
}

const relative: readonly Phrase[] = [
  date(
    `(?:in|nach) (?<n>${amount}) ?(?<unit>sekunden?|sek|minuten?|min|stunden?|std|h|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?)\\.?`,
    (moment, { n, unit = '' }) => span(moment, unit, number(n)),
  ),
  date(
    `in (?<n>${amount}) (?:stunden?|std|h) und (?<m>${amount}) ?min(?:uten?)?`,
    (moment, { n, m }) => void Object.assign(moment, { minutes: number(n) * 60 + number(m) }),
  ),
  date(
    'in (?:einer )?viertelstunde|in einer viertel stunde',
    (moment) => void Object.assign(moment, { minutes: 15 }),
  ),
  date('in (?:einer )?dreiviertelstunde', (moment) => void Object.assign(moment, { minutes: 45 })),
  date('(?:jetzt )?(?:sofort|gleich)|jetzt', (moment) => void Object.assign(moment, { minutes: 0 })),
]

const dates: readonly Phrase[] = [
  date('heute', (moment) => void Object.assign(moment, { days: 0 })),
  date('morgen', (moment) => void Object.assign(moment, { days: 1 })),
  date('übermorgen|uebermorgen', (moment) => void Object.assign(moment, { days: 2 })),
  date(
    `heute (?:am )?(?<part>${partName})`,
    (moment, { part }) => void Object.assign(moment, { days: 0, part: toPart(part) }),
  ),
  date('heute mittag', (moment) => void Object.assign(moment, { days: 0, hour: 12, minute: 0, exact: true })),
  date(
    `(?<day>morgen|übermorgen) (?:am )?(?<part>früh|vormittag|nachmittag|abend|nacht)`,
    (moment, { day = '', part }) =>
      void Object.assign(moment, { days: /^über/i.test(day) ? 2 : 1, part: toPart(part) }),
  ),
  date(
    'morgen mittag',
    (moment) => void Object.assign(moment, { days: 1, hour: 12, minute: 0, exact: true }),
  ),
  date(
    'gestern|(?:letzte|vorige)[nsr]? (?:woche|monat|jahr)',
    (moment) => void Object.assign(moment, { unclear: questions.past }),
  ),
  date('nächste woche|kommende woche', (moment) => void Object.assign(moment, { days: 7 })),
  date('nächsten monat|im nächsten monat', (moment) => void Object.assign(moment, { months: 1 })),
  date('nächstes jahr|im nächsten jahr', (moment) => void Object.assign(moment, { months: 12 })),
  date('(?:am|übers) wochenende', (moment) => void Object.assign(moment, { weekday: 5 })),
  date(
    `(?:am |diesen |kommenden |am kommenden )?(?<day>${anyDay})(?: ?(?<part>früh|morgen|vormittag|nachmittag|abend))?`,
    (moment, { day, part }) =>
      void Object.assign(moment, { weekday: weekday(day), ...(part ? { part: toPart(part) } : {}) }),
  ),
  date(`am (?<day>${shortDay})`, (moment, { day }) => void Object.assign(moment, { weekday: weekday(day) })),
  date(
    `(?:am )?nächsten? (?<day>${anyDay})|(?:am )?(?<other>${anyDay}) nächste(?:r)? woche|nächste woche (?:am )?(?<third>${anyDay})`,
    (moment, { day, other, third }) =>
      void Object.assign(moment, { weekday: weekday(day ?? other ?? third), next: true }),
  ),
  date(
    '(?:am )?(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})',
    (moment, { day, month: monthText, year }) => setDay(moment, number(day), Number(monthText), year),
  ),
  date(
    `(?:(?:am|den|zum) )?(?<day>${dayNumber}) (?<month>${monthNames})(?:,? (?<year>\\d{4}))?`,
    (moment, { day, month: name, year }) => setDay(moment, number(day), month(name), year),
  ),
  date(
    '(?:am |den |zum )?(?<day>\\d{1,2})[./] ?(?<month>\\d{1,2})(?:[./](?: ?(?<year>\\d{4}|\\d{2}))?)?',
    (moment, { day, month: name, year }) => setDay(moment, number(day), Number(name), year),
  ),
  date(
    `(?:am |den |zum )(?<day>\\d{1,2}\\.|${ordinals.join('|')})`,
    (moment, { day }) => void Object.assign(moment, { dayOfMonth: number(day) }),
  ),
]

const times: readonly Phrase[] = [
  time('(?:um |gegen |ab |@ ?)?(?<h>\\d{1,2}):(?<m>\\d{2})(?: ?uhr)?', (moment, { h, m }) => {
    setHour(moment, h, Number(m))
    moment.written = true
  }),
  time('(?:um|gegen|ab) (?<h>\\d{1,2})[.h](?<m>\\d{2})(?: ?uhr)?', (moment, { h, m }) => {
    setHour(moment, h, Number(m))
    moment.written = true
  }),
  time(`(?:um |gegen |ab )?(?<h>${hour}) ?uhr(?: (?<m>\\d{1,2}|${numberWord}))?`, (moment, { h, m }) =>
    setHour(moment, h, m ? number(m) : 0),
  ),
  time(`(?:um|gegen|ab) (?<h>${hour})`, (moment, { h }) => setHour(moment, h)),
  time(
    `(?:um |gegen )?(?<h>${hour})(?: uhr)? (?:(?:am|in der) )?(?<part>früh|morgens?|vormittags?|mittags?|nachmittags?|abends?|nachts?)`,
    (moment, { h, part }) => {
      setHour(moment, h)
      moment.part ??= toPart(part)
    },
  ),
  time(`(?:um )?halb (?<h>${hour})`, (moment, { h }) =>
    setHour(moment, String(number(h) === 1 ? 12 : number(h) - 1), 30),
  ),
  time(
    `(?:um )?(?<m>viertel|${numberWord}|\\d{1,2})(?: minuten)? (?<way>nach|vor) (?<h>${hour})`,
    (moment, { m = '', way, h }) => {
      const minutes = /viertel/i.test(m) ? 15 : number(m)
      const isPast = /nach/i.test(way ?? '')
      setHour(
        moment,
        isPast ? h : String(number(h) === 1 ? 12 : number(h) - 1),
        isPast ? minutes : 60 - minutes,
      )
    },
  ),
  time(
    '(?:um )?(?:12 uhr )?mittags?|am mittag|zu mittag',
    (moment) => void Object.assign(moment, { hour: 12, minute: 0, exact: true }),
  ),
  time(
    '(?:um )?mitternacht',
    (moment) => void Object.assign(moment, { hour: 0, minute: 0, exact: true, midnight: true }),
  ),
  phrase(
    'time',
    `(?:(?:am|in der)(?: frühen| späten)? (?<part>morgen|früh|vormittag|nachmittag|abend|nacht)|(?<adverb>morgens|vormittags|nachmittags|abends|nachts|früh))`,
    (moment, { part, adverb }) => {
      if (moment.part) return false
      moment.part = toPart(part ?? adverb)
      return true
    },
  ),
]

const rhythms: readonly Phrase[] = [
  rhythm(
    '(?:zu )?jeder? (?:volle[rn]? )?stunde|stündlich',
    (moment) => void Object.assign(moment, { recurrence: 'hourly' }),
  ),
  rhythm(
    'jeden (?:einzelnen )?tag|täglich|tagtäglich',
    (moment) => void Object.assign(moment, { recurrence: 'daily' }),
  ),
  rhythm(
    `jeden (?<part>morgen|vormittag|nachmittag|abend)|jede (?<night>nacht)`,
    (moment, { part, night }) =>
      void Object.assign(moment, { recurrence: 'daily', part: toPart(part ?? night) }),
  ),
  rhythm(
    'jede woche|wöchentlich|einmal (?:pro|die|in der) woche',
    (moment) => void Object.assign(moment, { recurrence: 'weekly' }),
  ),
  rhythm(
    'jeden monat|monatlich|einmal (?:pro|im) monat',
    (moment) => void Object.assign(moment, { recurrence: 'monthly' }),
  ),
  rhythm(
    'jedes jahr|jährlich|einmal (?:pro|im) jahr',
    (moment) => void Object.assign(moment, { recurrence: 'yearly' }),
  ),
  rhythm(
    `(?:immer )?jeden (?<day>${anyDay})(?: ?(?<part>früh|morgen|vormittag|nachmittag|abend))?|(?:immer )?(?<plural>${anyDay})s`,
    (moment, { day, part, plural }) =>
      void Object.assign(moment, {
        recurrence: 'weekly',
        weekday: weekday(day ?? plural),
        ...(part ? { part: toPart(part) } : {}),
      }),
  ),
  rhythm(`jedes jahr am (?<day>${dayNumber}) (?<month>${monthNames})`, (moment, { day, month: name }) => {
    moment.recurrence = 'yearly'
    setDay(moment, number(day), month(name), undefined)
  }),
  rhythm(
    `(?:jeden monat am (?<day>${dayNumber})|(?:immer )?am (?<other>${dayNumber}) (?:jedes|eines jeden|des|im) monats?|(?:an )?jedem (?<third>${dayNumber})(?: des monats)?)`,
    (moment, { day, other, third }) =>
      void Object.assign(moment, { recurrence: 'monthly', dayOfMonth: number(day ?? other ?? third) }),
  ),
  rhythm(
    `alle (?:${numberWord}|paar|\\d+) (?:minuten|stunden|tage|wochen|monate|jahre)|jede(?:n|s)? zweiten? (?:tag|woche|monat|jahr|${anyDay})|jeden werktag|werktags|unter der woche|jedes wochenende|(?:zweimal|dreimal) (?:am|pro|in der|die) \\w+`,
    (moment) => void Object.assign(moment, { recurrence: 'none', unclear: questions.rhythm }),
  ),
]

export const peel = createPeel(
  [...relative, ...dates, ...times, ...rhythms],
  /(?:^|[\s,])(?:um|am|ab|für|bitte|dann|und|nochmal|noch mal|,)$/i,
)
