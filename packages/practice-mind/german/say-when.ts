/** Formats local time in German. */
import { capital, daysBetween, getWeekday, toDay, type Wall } from '../wall-clock.ts'

export const weekdays = 'montag dienstag mittwoch donnerstag freitag samstag sonntag'.split(' ')
export const months =
  'januar februar märz april mai juni juli august september oktober november dezember'.split(' ')

const monthName = (month: number) => capital(months[month - 1] ?? '')
const weekdayName = (wall: Wall) => capital(weekdays[getWeekday(wall)] ?? '')

const dateWords = (wall: Wall, now: Wall): string => {
  const { year, month, day } = toDay(wall)
  return `${day}. ${monthName(month)}${year === toDay(now).year ? '' : ` ${year}`}`
}

/** Formats a day: "morgen, Dienstag, 24. November". */
export const sayDay = (wall: Wall, now: Wall): string => {
  const days = daysBetween(now, wall)
  if (days === 0) return 'heute'
  if (days === -1) return 'gestern'
  const date = dateWords(wall, now)
  if (days === 1 || days === 2) return `${days === 1 ? '' : 'über'}morgen, ${weekdayName(wall)}, ${date}`
  return `am ${weekdayName(wall)}, ${date}`
}

/** Formats a time: "morgen, Dienstag, 24. November, um 09:00 Uhr", "jeden Montag um 09:00 Uhr". */
export const sayWhen = (wall: Wall, now: Wall, recurrence: string | null | undefined): string => {
  const time = `um ${wall.slice(11, 16)} Uhr`
  const day = sayDay(wall, now)
  const from =
    day === 'heute' ? 'ab heute' : day.startsWith('morgen') ? 'ab morgen' : `ab dem ${dateWords(wall, now)}`
  const { month, day: number } = toDay(wall)
  switch (recurrence) {
    case 'hourly':
      return `jede Stunde, zuerst ${day} ${time}`
    case 'daily':
      return `jeden Tag ${time}, ${from}`
    case 'weekly':
      return `jeden ${weekdayName(wall)} ${time}, ${from}`
    case 'monthly':
      return `jeden Monat am ${number}.${number > 28 ? ' (sonst am letzten Tag)' : ''} ${time}, ${from}`
    case 'yearly':
      return `jedes Jahr am ${number}. ${monthName(month)} ${time}, ${from}`
    default:
      return `${day}${day.includes(',') ? ',' : ''} ${time}`
  }
}

/** Formats a delay: "in 90 Minuten", "in 2 Stunden", "in 30 Sekunden". */
export const saySpan = (minutes: number): string => {
  const [unit, size] =
    minutes < 1
      ? (['Sekunde', 1 / 60] as const)
      : minutes >= 60 && minutes % 60 === 0
        ? (['Stunde', 60] as const)
        : (['Minute', 1] as const)
  const n = Math.round((minutes / size) * 10) / 10
  return n === 1 ? `in einer ${unit}` : `in ${String(n).replace('.', ',')} ${unit}n`
}
