/** Parses times of chats and logs that were written for people. A time without a zone counts as UTC. */
import { toTime } from './loose-values.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const timeForms = [
  // SillyTavern, older versions: 2023-6-7 @21h 33m 5s 123ms
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2}) ?@ ?(?<hour>\d{1,2})h ?(?<minute>\d{1,2})m ?(?<second>\d{1,2})s(?: ?\d{1,3}ms)?$/,
  // SillyTavern: June 7, 2023 9:33pm
  /^(?<name>[a-z]{3,9}) (?<day>\d{1,2}), (?<year>\d{4}) (?<hour>\d{1,2}):(?<minute>\d\d) ?(?<half>[ap]m)$/i,
  // LoCoMo: 1:56 pm on 8 May, 2023
  /^(?<hour>\d{1,2}):(?<minute>\d\d) ?(?<half>[ap]m) on (?<day>\d{1,2}) (?<name>[a-z]{3,9}),? (?<year>\d{4})$/i,
  /^(?<day>\d{1,2}) (?<name>[a-z]{3,9}),? (?<year>\d{4})$/i,
]

/** Milliseconds; of these, of ISO 8601 and of numbers. */
export const writtenTime = (value: unknown): number | null => {
  if (typeof value !== 'string' || value.length > 60) return toTime(value)
  const text = value.trim()
  for (const form of timeForms) {
    const { groups } = form.exec(text) ?? {}
    if (groups) return toMoment(groups)
  }
  return toTime(text)
}

const toMoment = ({
  year,
  month,
  name,
  day,
  hour,
  half,
  minute,
  second,
}: Readonly<Record<string, string>>) => {
  const monthIndex = name === undefined ? Number(month) - 1 : months.indexOf(name.slice(0, 3).toLowerCase())
  const clock = Number(hour ?? 0)
  const hours = half === undefined ? clock : (clock % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const ms = Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute ?? 0), Number(second ?? 0))
  return monthIndex >= 0 && monthIndex < 12 && Number(day) <= 31 && hours < 24 ? toTime(ms) : null
}
