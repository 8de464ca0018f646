import type { PersonaId } from '../../../facts/fact-values.ts'
import { journalFolder, trashFolder } from '../../../home/places.ts'
import { fileExists } from '../../../journal/leveldb/durable-files.ts'
import { discard } from '../../../journal/leveldb/trash.ts'

/**
 * Removes a cache, so that it is rebuilt from the servers. It must not be open. The persona's other files
 * stay.
 */
export const dropCache = async (home: string, id: PersonaId): Promise<void> => {
  const place = journalFolder(home, id)
  if (await fileExists(place)) await discard(trashFolder(home), place)
}
