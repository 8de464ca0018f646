/** A moment of a life that was: a position, or an instant; and the end of the commit it lies in. */
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { Head, Journal } from '../../journal/log/journal.ts'

/** `at`: epoch milliseconds. */
export type Moment = { readonly seq: number } | { readonly at: number }

type Reader = Pick<Journal, 'head' | 'read' | 'hashAt' | 'commits'>

/**
 * The end of the commit that a moment lies in: what was decided together stays together. Null is now, what
 * lies behind the head means the head; undefined before the first fact. `torn`: its end was lost, and with
 * that whether its last commit is whole, so that one does not count.
 */
export const headAt = async (
  journal: Reader,
  moment: Moment | null,
  torn: boolean,
): Promise<Head | undefined> => {
  const end = torn ? await beforeLastCommit(journal) : journal.head
  const asked = moment === null ? end.seq : 'seq' in moment ? moment.seq : await lastAt(journal, moment.at)
  if (end.seq < 1 || asked < 1) return undefined
  if (asked >= end.seq) return end
  for await (const { head } of journal.commits({ seq: asked - 1 })) return head
  return undefined
}

const [firstPage, longestPage] = [512, 16_384]

/** The last position of a fact at or before an instant. Clocks jump back, so all behind it are looked at. */
const lastAt = async (journal: Reader, instant: number): Promise<Seq | 0> => {
  for (let [end, page] = [journal.head.seq, firstPage]; end > 0; ) {
    let found = 0
    const after = Math.max(0, end - page)
    for await (const { seq, at } of journal.read({ after, upTo: end })) if (at <= instant) found = seq
    if (found > 0) return found
    ;[end, page] = [after, Math.min(2 * page, longestPage)]
  }
  return 0
}

const beforeLastCommit = async (journal: Reader): Promise<Head> => {
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
