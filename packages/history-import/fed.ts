/** The conversations that were imported before, so that they are skipped when they come again. */
import type { Journal } from '../../facts/persona-journal.ts'
import { yielding } from '../kit/flow/yielding.ts'
import type { Conversation } from './imported-conversation.ts'

export interface FedBefore {
  has(conversation: Marked): boolean
  add(conversation: Marked): void
}

type Marked = Pick<Conversation, 'id' | 'updated' | 'hash'>

/**
 * Max marks that are added to those of the journal. Measured: 120 MB per million. Beyond that, duplicates
 * within a file are not found.
 */
const maxAdded = 1_000_000

export const readFed = async (journal: Journal): Promise<FedBefore> => {
  const marks = new Set<string>()
  for await (const { event } of yielding(journal.read({ kind: 'histories' })))
    if (event.type === 'HistoryFed') marks.add(toMark({ ...event, id: event.conversation }))
  const maxMarks = marks.size + maxAdded
  return {
    has: (conversation) => marks.has(toMark(conversation)),
    add: (conversation) => {
      if (marks.size < maxMarks) marks.add(toMark(conversation))
    },
  }
}

/**
 * A conversation that has changed since counts as another one. Without an id or a time, its hash identifies
 * it.
 */
const toMark = ({ id, updated, hash }: Marked): string => (id === null ? hash : `${id} ${updated ?? hash}`)
