/** A moment of a life that was: a position, or an instant; and the end of the commit it lies in. */
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { Head, Journal } from '../../journal/log/journal.ts'
import { positionAt } from './instants.ts'

/** `at`: epoch milliseconds. */
export type Moment = { readonly seq: number } | { readonly at: number }

/**
 * The end of the commit that a moment lies in: what was decided together stays together. Null is now, what
 * lies behind the head means the head; undefined before the first fact. `torn`: its end was lost, and with
 * that whether its last commit is whole, so that one does not count.
 */
export const headAt = async (
  journal: Journal,
  moment: Moment | null,
  torn: boolean,
): Promise<Head | undefined> => {
  const end = torn ? await beforeLastCommit(journal) : journal.head
  const asked =
    moment === null ? end.seq : 'seq' in moment ? moment.seq : await positionAt(journal, moment.at)
  if (end.seq < 1 || asked < 1) return undefined
  if (asked >= end.seq) return end
  for await (const { head } of journal.commits({ seq: asked - 1 })) return head
  return undefined
}

/** The last position that counts: the head where the moment lies behind it, 0 before the first fact. */
export const positionOf = async (journal: Journal, moment: Moment, gone?: AbortSignal): Promise<Seq | 0> =>
  'seq' in moment ? Math.min(moment.seq, journal.head.seq) : positionAt(journal, moment.at, gone)

const firstPage = 512

const beforeLastCommit = async (journal: Journal): Promise<Head> => {
  const { head } = journal
  for (let page = firstPage; ; page *= 2) {
    const after = Math.max(0, head.seq - page)
    let last: { readonly commit: string; readonly seq: Seq } | undefined
    for await (const { commit, seq } of journal.read({ after, upTo: head.seq }))
      if (commit !== last?.commit) last = { commit, seq }
    const seq = (last?.seq ?? 1) - 1
    if (seq > after || after === 0) return { seq, hash: (await journal.hashAt(seq)) ?? '' }
  }
}
