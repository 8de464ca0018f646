/** Formats local time in English. */
import { capital, daysBetween, getWeekday, toDay, type Wall } from '../wall-clock.ts'

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export const months =
  'january february march april may june july august september october november december'.split(' ')

const ordinal = (n: number) =>
  `${n}${n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`

const dateWords = (wall: Wall, now: Wall): string => {
  const { year, month, day } = toDay(wall)
  return `${day} ${capital(months[month - 1] ?? '')}${year === toDay(now).year ? '' : ` ${year}`}`
}

const weekdayWords = (wall: Wall) => capital(weekdays[getWeekday(wall)] ?? '')

/** Formats a day: "tomorrow, Tuesday, 24 November". */
export const sayDay = (wall: Wall, now: Wall): string => {
  const days = daysBetween(now, wall)
  if (days === 0) return 'today'
  if (days === -1) return 'yesterday'
  const date = `${weekdayWords(wall)}, ${dateWords(wall, now)}`
  return days === 1 ? `tomorrow, ${date}` : `on ${date}`
}

/**
 * Formats a time: "tomorrow, Tuesday, 24 November, at 09:00", "every Monday at 09:00, from 30 November on".
 */
export const sayWhen = (wall: Wall, now: Wall, recurrence: string | null | undefined): string => {
  const time = wall.slice(11, 16)
  const day = sayDay(wall, now)
  const from =
    day === 'today'
      ? 'from today on'
      : day.startsWith('tomorrow')
        ? 'from tomorrow on'
        : `from ${dateWords(wall, now)} on`
  const { month, day: number } = toDay(wall)
  switch (recurrence) {
    case 'hourly':
      return `every hour, first ${day} at ${time}`
    case 'daily':
      return `every day at ${time}, ${from}`
    case 'weekly':
      return `every ${weekdayWords(wall)} at ${time}, ${from}`
    case 'monthly':
      return `every month on the ${ordinal(number)}${number > 28 ? ' (on the last day where there is none)' : ''} at ${time}, ${from}`
    case 'yearly':
      return `every year on ${number} ${capital(months[month - 1] ?? '')} at ${time}, ${from}`
    default:
      return `${day}${day.includes(',') ? ',' : ''} at ${time}`
  }
}

/** Formats a delay: "in 90 minutes", "in 2 hours", "in 30 seconds". */
export const saySpan = (minutes: number): string => {
  const [unit, size] =
    minutes < 1
      ? (['second', 1 / 60] as const)
      : minutes >= 60 && minutes % 60 === 0
        ? (['hour', 60] as const)
        : (['minute', 1] as const)
  const n = Math.round((minutes / size) * 10) / 10
  return `in ${n} ${unit}${n === 1 ? '' : 's'}`
}
