/** Formats the message about due reminders. */
import type { DuePlan } from '../models/prompt-data.ts'
import { toThem } from './pronouns.ts'
import type { Situation } from './situation.ts'
import { address } from './small-talk.ts'
import { sayWhen } from './wall-clock.ts'

export const formatReminder = (duePlans: readonly DuePlan[], situation: Situation): string =>
  duePlans
    .map(({ when, late, content }) => {
      const sentence = toThem(content).replace(/([^.!?])$/, '$1.')
      return late
        ? `This comes late${address(situation)}, I am sorry. It was planned for ${sayWhen(when, situation.now ?? when, null).replace(/^on /, '')}: ${sentence}`
        : `It is time${address(situation)}, as you asked: ${sentence}`
    })
    .join(' ')
