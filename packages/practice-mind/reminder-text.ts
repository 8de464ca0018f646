/** Formats the message about due reminders. */
import type { DuePlan } from '../models/prompt-data.ts'
import { address } from './address.ts'
import type { Situation } from './situation.ts'
import { wordsOf } from './words.ts'

export const formatReminder = (duePlans: readonly DuePlan[], situation: Situation): string => {
  const { toThem, sayWhen, reminder } = wordsOf(situation)
  return duePlans
    .map(({ when, late, content }) => {
      const sentence = toThem(content).replace(/([^.!?])$/, '$1.')
      return late
        ? reminder.late(address(situation), sayWhen(when, situation.now ?? when, null), sentence)
        : reminder.due(address(situation), sentence)
    })
    .join(' ')
}
