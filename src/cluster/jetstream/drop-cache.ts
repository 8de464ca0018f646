/** A cache that goes, and is made anew from what the servers have. */
import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import { isThere } from '../../../journal/files/moves.ts'
import { journalFolder } from '../../../journal/files/places.ts'
import { discard } from '../../../journal/files/trash.ts'

/** Nobody has it open. The files beside it stay. */
export const dropCache = async (home: string, id: PersonaId): Promise<void> => {
  const place = journalFolder(home, id)
  if (await isThere(place)) await discard(home, place)
}
