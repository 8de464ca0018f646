/** Finds out whether a fact's effect was changed or undone later. */
import type { Seq } from '../../facts/fact-values.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { yielding } from '../../packages/kit/flow/yielding.ts'
import type { Refusal } from './refusals.ts'
import { mayTouch, type Thing, touchedBy } from './rules/undo-table.ts'

/** A change of a thing by one commit; `undoes` is the fact that it undid. */
interface Change {
  readonly commit: string
  readonly seqs: Seq[]
  readonly undoes: Seq | undefined
}

/**
 * Returns the facts to undo together: the whole commit if it was an undo, else the fact alone. Empty if there
 * is no fact at this position.
 */
export const undoneWith = async (journal: Pick<Journal, 'read'>, seq: Seq): Promise<readonly Entry[]> => {
  const nearEntries: Entry[] = []
  for await (const entry of journal.read({
    after: Math.max(0, seq - maxUndoFacts),
    upTo: seq + maxUndoFacts - 1,
  }))
    nearEntries.push(entry)
  const fact = nearEntries.find((entry) => entry.seq === seq)
  if (fact?.cause.undoes === undefined) return fact ? [fact] : []
  return nearEntries.filter(({ commit }) => commit === fact.commit)
}

/** No undo writes more facts. */
const maxUndoFacts = 4

/** Returns null if nothing touched the thing since these facts, or if every later change was undone. */
export const changedSince = async (
  journal: Pick<Journal, 'read'>,
  facts: readonly Entry[],
  touchedThing: Thing,
): Promise<Refusal | null> => {
  const changes: Change[] = [toChange(facts)]
  for await (const entry of yielding(journal.read({ after: facts.at(-1)?.seq ?? 0 }))) {
    if (!mayTouch(entry.type) || !isSame(touchedBy(entry.event), touchedThing)) continue
    const last = changes.at(-1)
    if (last?.commit === entry.commit) last.seqs.push(entry.seq)
    else changes.push(toChange([entry]))
  }
  return judge(changes)
}

/** The last change still in effect must be undone first. */
const judge = (changes: readonly Change[]): Refusal | null => {
  const getParent = ({ undoes }: Change) =>
    undoes === undefined ? undefined : changes.find(({ seqs }) => seqs.includes(undoes))
  const findUndoing = (change: Change): Change | undefined =>
    changes.find((candidate) => getParent(candidate) === change && !findUndoing(candidate))
  const [ownChange, ...laterChanges] = changes
  const newestChange = laterChanges.findLast((change) => !getParent(change) && !findUndoing(change))
  if (newestChange) return { code: 'changed_since', at: newestChange.seqs[0] ?? 0 }
  const undoing = ownChange && findUndoing(ownChange)
  return undoing ? { code: 'undone_already', at: undoing.seqs[0] ?? 0 } : null
}

const toChange = (facts: readonly Entry[]): Change => ({
  commit: facts[0]?.commit ?? '',
  seqs: facts.map(({ seq }) => seq),
  undoes: facts[0]?.cause.undoes,
})

const isSame = (first: Thing | null, second: Thing): boolean =>
  first?.of === second.of && first.id === second.id
