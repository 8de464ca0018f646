/** Reports a change outside of the talk: an edit by the user, or what a consolidation has noted. */
import type { Entry } from '../../../facts/persona-journal.ts'
import { shortLocalTime } from '../../../packages/kit/time/local-time.ts'
import { type OthersWords, via } from './origin.ts'
import { plainLine } from './persona-prompt.ts'
import type { Change } from './talk-items.ts'
import { joinLines, quoteRepeated, type TalkMessage } from './talk-messages.ts'

/** A removed statement is not repeated. */
export const toChangeMessage = ({ seq, event, cause }: Entry, time: string): readonly TalkMessage[] => {
  const change = event as Change
  const text = describeChange(change, cause.by === 'person' ? 'The user' : 'You')
  if (text === null) return []
  const content = joinLines(time, `[note] ${text}`)
  return [
    {
      message: { role: 'user', content },
      data: null,
      parts: [{ text: content, from: seq, others: findOthers(change, content) }],
    },
  ]
}

const findOthers = (change: Change, content: string): readonly OthersWords[] => {
  if (change.type === 'ContextCarried') return quoteRepeated(change.borrowed)
  if ('via' in change && change.via) return [{ text: content, via: change.via, place: 'earlier' }]
  return 'origin' in change && change.origin === 'history'
    ? [{ text: content, via: via('history', null), place: 'earlier' }]
    : []
}

/** Returns null for a change without text. */
const describeChange = (change: Change, author: string): string | null => {
  switch (change.type) {
    case 'MemoryKept':
    case 'MemoryRestored':
      return `${author} added to what you know, under ${change.document}: [${change.id}] ${plainLine(change.text)}`
    case 'MemoryRevised':
      return `${author} corrected what you know: [${change.id}] ${plainLine(change.text)}`
    case 'MemoryForgotten':
      if (change.into !== undefined) return `${author} merged [${change.id}] into [${change.into}].`
      return `${author} removed [${change.id}] from what you know. Do not use it.`
    case 'InstructionLearned':
      return `${author} added the instruction [${change.id}] ${plainLine(change.intention)}`
    case 'InstructionRevised':
      return `${author} changed the instruction [${change.id}].`
    case 'InstructionRemoved':
      return `${author} removed the instruction [${change.id}].`
    case 'EntryPlanned':
    case 'EntryMoved':
      return `${author} ${change.type === 'EntryMoved' ? 'moved' : 'added'} the ${change.kind} [${change.id}] ${shortLocalTime(change.wall)} (${change.zone})${change.recurrence ? `, ${change.recurrence}` : ''}: ${plainLine(change.content)}`
    case 'EntryCancelled':
      return `${author} cancelled the plan [${change.id}].`
    case 'ContextCarried':
      return change.carry === '' ? null : `Your notes of earlier conversations: ${plainLine(change.carry)}`
  }
}
