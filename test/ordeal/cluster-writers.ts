/**
 * Writers of a cluster that append until a number of appends is acknowledged, even while the servers fail.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Journal, Journals } from '../../facts/persona-journal.ts'
import { Conflict, InDoubt, Unavailable } from '../../journal/log/errors.ts'
import { born, draft, renamed } from '../journal/facts.ts'

export interface WrittenCounts {
  readonly id: string
  /** Names that were acknowledged, or found in the journal after a doubt was settled. */
  readonly names: readonly string[]
  readonly doubts: number
  readonly conflicts: number
}

/** Appends names. After an append in doubt it settles; a name that was stored counts as acknowledged. */
export const write = async (
  journals: Journals,
  id: string,
  count: number,
  onAcknowledged: () => void,
): Promise<WrittenCounts> => {
  const journal = await retryUntilThere(() => journals.create(id, draft(born)))
  const names: string[] = []
  let doubts = 0
  let conflicts = 0
  for (let n = 0; names.length < count; n++) {
    const name = `${id} ${n}`
    const headBefore = journal.head
    try {
      await journal.append([draft(renamed(name))], headBefore)
      names.push(name)
      onAcknowledged()
    } catch (error) {
      if (!isPassing(error)) throw error
      if (error instanceof Conflict) conflicts++
      else doubts++
      const head = await retryUntilThere(() => journal.settle())
      if (head.seq > headBefore.seq) names.push(name)
    }
  }
  await journal.close()
  return { id, names, doubts, conflicts }
}

/** Returns all names in the journal, in order. */
export const readNames = async (journal: Journal): Promise<readonly string[]> => {
  const names: string[] = []
  for await (const { event } of journal.read({})) if (event.type === 'Renamed') names.push(event.name)
  return names
}

const isPassing = (error: unknown): boolean =>
  error instanceof InDoubt || error instanceof Unavailable || error instanceof Conflict

export const retryUntilThere = async <T>(act: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!isPassing(error)) throw error
      await delay(100)
    }
  }
}
