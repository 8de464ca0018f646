import type { Questions } from '../moment.ts'

export const questions = {
  what: 'Woran soll ich dich erinnern?',
  when: 'Wann soll ich dich erinnern?',
  time: 'Um wie viel Uhr?',
  past: 'Das ist schon vorbei. Wann soll ich dich erinnern?',
  noDay: 'Diesen Tag gibt es nicht. Wann soll ich dich erinnern?',
  rhythm:
    'Ich kann jede Stunde, jeden Tag, jede Woche, jeden Monat oder jedes Jahr erinnern, in einem anderen Rhythmus nicht. Wann soll ich dich erinnern?',
} satisfies Questions
