/** A time under construction, and the questions that the persona asks if it is incomplete. */

export type Part = 'morning' | 'afternoon' | 'evening' | 'night'

/** A time that is collected phrase by phrase. */
export interface Moment {
  /** Minutes from now. May be a fraction. */
  minutes?: number
  days?: number
  months?: number
  day?: { readonly month: number; readonly day: number; readonly year: number | undefined }
  dayOfMonth?: number
  weekday?: number
  next?: boolean
  hour?: number
  minute?: number
  /** The hour is on a 24-hour clock, or am/pm is already applied. */
  exact?: boolean
  /** The user wrote minutes, as in 6:30. */
  written?: boolean
  /** The midnight at the end of the day. */
  midnight?: boolean
  part?: Part
  recurrence?: string
  /** The question to ask if the words are ambiguous. */
  unclear?: string
}

export const questions = {
  what: 'What shall I remind you of?',
  when: 'When shall I remind you?',
  time: 'At what time?',
  past: 'That lies in the past. When shall I remind you?',
  noDay: 'There is no such day. When shall I remind you?',
  rhythm:
    'I can repeat a reminder every hour, day, week, month or year, and in no other rhythm. When shall I remind you?',
} as const
