import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../../facts/fact-values.ts'
import { isMediaName } from '../../../home/media.ts'
import { unlessAbsent } from '../../../journal/leveldb/durable-files.ts'
import type { RemoteFiles } from './remote-files.ts'

/**
 * Uploads the media of a persona from a folder. Skips files that the servers already have, because a file
 * name is never reused. Throws Unavailable.
 */
export const sendFolder = async (files: RemoteFiles, id: PersonaId, folder: string): Promise<void> => {
  const localNames = ((await unlessAbsent(readdir(folder))) ?? []).filter(isMediaName)
  if (localNames.length === 0) return
  const remoteNames = new Set(await files.names(id, 'media'))
  for (const name of localNames)
    if (!remoteNames.has(name)) await files.put(id, 'media', name, join(folder, name))
}
