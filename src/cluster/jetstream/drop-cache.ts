import type { PersonaId } from '../../../facts/fact-values.ts'
import { fileExists } from '../../../journal/files/moves.ts'
import { journalFolder } from '../../../journal/files/places.ts'
import { discard } from '../../../journal/files/trash.ts'

/**
 * Removes a cache, so that it is rebuilt from the servers. It must not be open. The persona's other files
 * stay.
 */
export const dropCache = async (home: string, id: PersonaId): Promise<void> => {
  const place = journalFolder(home, id)
  if (await fileExists(place)) await discard(home, place)
}
