/**
 * Writers of a cluster that append until they have had so many acknowledged, whatever happens to the servers.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Conflict, InDoubt, Unavailable } from '../../journal/log/errors.ts'
import type { Journal, Journals } from '../../journal/log/journal.ts'
import { born, draft, renamed } from '../journal/facts.ts'

export interface Written {
  readonly id: string
  /** Acknowledged, or found there when it was settled. */
  readonly names: readonly string[]
  readonly doubts: number
  readonly conflicts: number
}

/** In doubt it settles, and takes for acknowledged what proves to be there. */
export const write = async (
  journals: Journals,
  id: string,
  count: number,
  acknowledged: () => void,
): Promise<Written> => {
  const journal = await untilThere(() => journals.create(id, draft(born)))
  const names: string[] = []
  let [doubts, conflicts] = [0, 0]
  for (let n = 0; names.length < count; n++) {
    const name = `${id} ${n}`
    const before = journal.head
    try {
      await journal.append([draft(renamed(name))], before)
      names.push(name)
      acknowledged()
    } catch (error) {
      if (!isPassing(error)) throw error
      if (error instanceof Conflict) conflicts++
      else doubts++
      const head = await untilThere(() => journal.settle())
      if (head.seq > before.seq) names.push(name)
    }
  }
  await journal.close()
  return { id, names, doubts, conflicts }
}

/** All names it has, in their order. */
export const namesIn = async (journal: Journal): Promise<readonly string[]> => {
  const names: string[] = []
  for await (const { event } of journal.read({})) if (event.type === 'Renamed') names.push(event.name)
  return names
}

const isPassing = (error: unknown): boolean =>
  error instanceof InDoubt || error instanceof Unavailable || error instanceof Conflict

export const untilThere = async <T>(act: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!isPassing(error)) throw error
      await delay(100)
    }
  }
}
