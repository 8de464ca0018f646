/** What changes a persona takes turns, so that her facts and what her runtime knows of her stay the same. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'

/** Works once everything that came before it for this persona has ended, however it ended. Not to be called from within her turn. */
export type InTurn = <T>(id: PersonaId, work: () => Promise<T>) => Promise<T>

export const createTurns = (): InTurn => {
  const last = new Map<PersonaId, Promise<void>>()
  return async (id, work) => {
    const mine = (last.get(id) ?? Promise.resolve()).then(work)
    const ended = mine.then(
      () => {},
      () => {},
    )
    last.set(id, ended)
    try {
      return await mine
    } finally {
      if (last.get(id) === ended) last.delete(id)
    }
  }
}
