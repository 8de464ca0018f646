/** What has been said of a time, piece by piece, and what is asked back where that does not suffice. */

export type Part = 'morning' | 'afternoon' | 'evening' | 'night'

/** What has been said of a time so far, piece by piece. */
export interface Moment {
  /** From now, to the second. */
  minutes?: number
  days?: number
  months?: number
  day?: { readonly month: number; readonly day: number; readonly year: number | undefined }
  dayOfMonth?: number
  weekday?: number
  next?: boolean
  hour?: number
  minute?: number
  /** The hour is as on a clock of 24 hours, or has its am or pm worked in. */
  exact?: boolean
  /** With its minutes, as on a clock: 6:30. */
  written?: boolean
  /** The midnight a day ends with. */
  midnight?: boolean
  part?: Part
  recurrence?: string
  /** What cannot be told from the words: a question to ask back. */
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
