/** Resolves a moment (a position or an instant) to a head of the journal. */
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { Head, Journal } from '../../journal/log/journal.ts'
import { positionAt } from './instants.ts'

/** `at`: epoch milliseconds. */
export type Moment = { readonly seq: number } | { readonly at: number }

/**
 * Returns the end of the commit at a moment, so that commits stay whole. Null and moments after the head give
 * the head; undefined before the first fact. `torn`: the end of the journal was lost. Then its last commit
 * may be incomplete and is skipped.
 */
export const headAt = async (
  journal: Journal,
  moment: Moment | null,
  torn: boolean,
): Promise<Head | undefined> => {
  const end = torn ? await beforeLastCommit(journal) : journal.head
  const seq = moment === null ? end.seq : 'seq' in moment ? moment.seq : await positionAt(journal, moment.at)
  if (end.seq < 1 || seq < 1) return undefined
  if (seq >= end.seq) return end
  for await (const { head } of journal.commits({ seq: seq - 1 })) return head
  return undefined
}

/** Returns the last position at or before a moment; 0 before the first fact. */
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
