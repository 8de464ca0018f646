/**
 * What models were sent is kept for so long: the parts that only older calls name are removed. Answers stay,
 * and so does what a younger call names too.
 */
import type { Seq, Sha256 } from '../../journal/facts/fact-values.ts'
import type { Entry, Journal } from '../../journal/log/journal.ts'
import { partsNamedBy } from '../../journal/log/parts.ts'
import { createYielding } from '../flow/yielding.ts'

interface Deps {
  readonly journal: Journal
  readonly write: <T>(act: (journal: Journal) => Promise<T>) => Promise<T>
}

/** Parts that are removed at once. */
const mostAtOnce = 500

/**
 * Calls from before an instant (epoch milliseconds). Cut off, it is done again the next time: how far it came
 * is written last. Rejects with the signal's reason. JournalUnavailable.
 */
export const pruneCalls = async (
  { journal, write }: Deps,
  before: number,
  signal: AbortSignal,
): Promise<void> => {
  const pruning = journal.pruning()
  try {
    const { old, upTo } = await oldParts(journal, await pruning.begun(), before, signal)
    const parts = [...old]
    for (let n = 0; n < parts.length; n += mostAtOnce) {
      signal.throwIfAborted()
      await write(() => pruning.drop(parts.slice(n, n + mostAtOnce)))
    }
    if (upTo !== null) await write(() => pruning.done(upTo))
  } finally {
    pruning.end()
  }
}

/** Order is position: from the first young call on nothing is old, whatever the clock said since. */
const oldParts = async (
  journal: Journal,
  after: Seq | 0,
  before: number,
  signal: AbortSignal,
): Promise<{ readonly old: ReadonlySet<Sha256>; readonly upTo: Seq | null }> => {
  const old = new Set<Sha256>()
  let [upTo, young]: [Seq | null, boolean] = [null, false]
  const maybeYield = createYielding(signal)
  for await (const entry of journal.read({ kind: 'calls', after })) {
    young ||= entry.at >= before
    if (young && old.size === 0) break
    if (!young) upTo = entry.seq
    for (const part of sentIn(entry, !young)) {
      if (young) old.delete(part)
      else old.add(part)
    }
    await maybeYield()
  }
  return { old, upTo }
}

/** Of an old call, without its answer. */
const sentIn = ({ type, event }: Entry, isOld: boolean): readonly Sha256[] => {
  if (type !== 'ModelAnswered' || event.type !== 'ModelAnswered') return []
  return partsNamedBy(isOld ? { ...event, answer: null } : event)
}
