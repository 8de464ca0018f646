/** What became of a fact since: whether what it changed was changed again, or it was taken back already. */
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { Entry, Journal } from '../../journal/log/journal.ts'
import { yielding } from '../flow/yielding.ts'
import type { Refusal } from './refusals.ts'
import { mayTouch, type Thing, touchedBy } from './rules/undo-table.ts'

/** What one commit did to a thing; `undoes` where it takes something back. */
interface Change {
  readonly commit: string
  readonly seqs: Seq[]
  readonly undoes: Seq | undefined
}

/**
 * What was written by taking something back is taken back as a whole: all of that commit, else the fact
 * alone. Empty where there is none at that position.
 */
export const undoneWith = async (journal: Pick<Journal, 'read'>, seq: Seq): Promise<readonly Entry[]> => {
  const near: Entry[] = []
  for await (const entry of journal.read({
    after: Math.max(0, seq - mostAtOnce),
    upTo: seq + mostAtOnce - 1,
  }))
    near.push(entry)
  const fact = near.find((entry) => entry.seq === seq)
  if (fact?.cause.undoes === undefined) return fact ? [fact] : []
  return near.filter(({ commit }) => commit === fact.commit)
}
/** No undoing writes more facts. */
const mostAtOnce = 4

/**
 * Null where what these facts changed is as they left it: nothing has touched it since, or all of that was
 * taken back.
 */
export const changedSince = async (
  journal: Pick<Journal, 'read'>,
  facts: readonly Entry[],
  thing: Thing,
): Promise<Refusal | null> => {
  const changes: Change[] = [changeOf(facts)]
  for await (const entry of yielding(journal.read({ after: facts.at(-1)?.seq ?? 0 }))) {
    if (!mayTouch(entry.type) || !isSame(touchedBy(entry.event), thing)) continue
    const last = changes.at(-1)
    if (last?.commit === entry.commit) last.seqs.push(entry.seq)
    else changes.push(changeOf([entry]))
  }
  return told(changes)
}

/** The last change that still holds has to be taken back first. */
const told = (changes: readonly Change[]): Refusal | null => {
  const parentOf = ({ undoes }: Change) =>
    undoes === undefined ? undefined : changes.find(({ seqs }) => seqs.includes(undoes))
  const undoing = (change: Change): Change | undefined =>
    changes.find((other) => parentOf(other) === change && !undoing(other))
  const [own, ...later] = changes
  const newest = later.findLast((change) => !parentOf(change) && !undoing(change))
  if (newest) return { code: 'changed_since', at: newest.seqs[0] ?? 0 }
  const by = own && undoing(own)
  return by ? { code: 'undone_already', at: by.seqs[0] ?? 0 } : null
}

const changeOf = (facts: readonly Entry[]): Change => ({
  commit: facts[0]?.commit ?? '',
  seqs: facts.map(({ seq }) => seq),
  undoes: facts[0]?.cause.undoes,
})

const isSame = (one: Thing | null, other: Thing): boolean => one?.of === other.of && one.id === other.id
