import type { Questions } from '../moment.ts'

export const questions = {
  what: 'What shall I remind you of?',
  when: 'When shall I remind you?',
  time: 'At what time?',
  past: 'That lies in the past. When shall I remind you?',
  noDay: 'There is no such day. When shall I remind you?',
  rhythm:
    'I can repeat a reminder every hour, day, week, month or year, and in no other rhythm. When shall I remind you?',
} satisfies Questions
