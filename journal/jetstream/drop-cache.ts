/** A cache that goes, and is made anew from what the servers have. */
import type { PersonaId } from '../facts/fact-values.ts'
import { isThere } from '../files/moves.ts'
import { journalFolder } from '../files/places.ts'
import { discard } from '../files/trash.ts'

/** Nobody has it open. The files beside it stay. */
export const dropCache = async (home: string, id: PersonaId): Promise<void> => {
  const place = journalFolder(home, id)
  if (await isThere(place)) await discard(home, place)
}
