/** Reports a change that the user made outside of the talk, such as an edit on the page. */

import type { Entry } from '../../../journal/log/journal.ts'
import { shortLocalTime } from '../../../packages/kit/time/local-time.ts'
import { via } from './origin.ts'
import { plainLine } from './persona-prompt.ts'
import type { ToldPart } from './prompt-part.ts'
import { joinLines, type TalkMessage } from './talk-messages.ts'
import type { Change } from './talk-window.ts'

/** A removed statement is not repeated. */
export const toChangeMessage = ({ seq, event }: Entry, time: string): readonly TalkMessage[] => {
  const change = event as Change
  const content = joinLines(time, `[note] ${describeChange(change)}`)
  const others: ToldPart['others'] =
    'via' in change && change.via
      ? [{ text: content, via: change.via, place: 'earlier' }]
      : 'origin' in change && change.origin === 'history'
        ? [{ text: content, via: via('history', null), place: 'earlier' }]
        : []
  return [{ message: { role: 'user', content }, data: null, parts: [{ text: content, from: seq, others }] }]
}

const describeChange = (change: Change): string => {
  switch (change.type) {
    case 'MemoryKept':
    case 'MemoryRestored':
      return `The user added to what you know, under ${change.document}: [${change.id}] ${plainLine(change.text)}`
    case 'MemoryRevised':
      return `The user corrected what you know: [${change.id}] ${plainLine(change.text)}`
    case 'MemoryForgotten':
      return `The user removed [${change.id}] from what you know. Do not use it.`
    case 'InstructionLearned':
      return `The user added the instruction [${change.id}] ${plainLine(change.intention)}`
    case 'InstructionRevised':
      return `The user changed the instruction [${change.id}].`
    case 'InstructionRemoved':
      return `The user removed the instruction [${change.id}].`
    case 'EntryPlanned':
    case 'EntryMoved':
      return `The user ${change.type === 'EntryMoved' ? 'moved' : 'added'} the ${change.kind} [${change.id}] ${shortLocalTime(change.wall)} (${change.zone})${change.recurrence ? `, ${change.recurrence}` : ''}: ${plainLine(change.content)}`
    case 'EntryCancelled':
      return `The user cancelled the plan [${change.id}].`
  }
}
