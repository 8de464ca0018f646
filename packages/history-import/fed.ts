/**
 * Which conversations of others it has gone over already, so that none is taken for new when it comes again.
 */
import type { Journal } from '../../journal/log/journal.ts'
import { yielding } from '../kit/flow/yielding.ts'
import type { Conversation } from './imported-conversation.ts'

export interface FedBefore {
  has(conversation: Marked): boolean
  add(conversation: Marked): void
}

type Marked = Pick<Conversation, 'id' | 'updated' | 'hash'>

/**
 * Marks that are added to those of the journal. ⏱ 120 MB a million. Of more in one file, the same one twice
 * is no longer seen.
 */
const mostAdded = 1_000_000

export const readFed = async (journal: Journal): Promise<FedBefore> => {
  const marks = new Set<string>()
  for await (const { event } of yielding(journal.read({ kind: 'histories' })))
    if (event.type === 'HistoryFed') marks.add(markOf({ ...event, id: event.conversation }))
  const most = marks.size + mostAdded
  return {
    has: (conversation) => marks.has(markOf(conversation)),
    add: (conversation) => {
      if (marks.size < most) marks.add(markOf(conversation))
    },
  }
}

/** One that went on since is another. Where nobody tells when it changed, or which it is, its words do. */
const markOf = ({ id, updated, hash }: Marked): string => (id === null ? hash : `${id} ${updated ?? hash}`)
