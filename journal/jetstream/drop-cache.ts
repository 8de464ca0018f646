/** A cache that goes, and is made anew from what the servers have. */
import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
import { isThere } from '../files/moves.ts'
import { journalFolder, makeFolder, trashFolder } from '../files/places.ts'

/** Nobody has it open. The files beside it stay. */
export const dropCache = async (home: string, id: PersonaId): Promise<void> => {
  const place = journalFolder(home, id)
  if (!(await isThere(place))) return
  const doomed = join(trashFolder(home), randomUUID())
  await makeFolder(trashFolder(home))
  await rename(place, doomed)
  await rm(doomed, { recursive: true, force: true })
}
