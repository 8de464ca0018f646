/**
 * The folders of channels inside that of their persona. A folder belongs to one channel of this machine: no
 * diary, fork or backup of the journal contains it.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import { channelsFolder } from '../../home/places.ts'
import { makeFolder } from '../../journal/leveldb/durable-files.ts'

/**
 * Creates the folder, readable by the owner only. Also creates that of the persona, which does not exist in a
 * cluster, so the persona must be running. Rejects with the error of the file system.
 */
export const openChannelFolder = async (home: string, id: PersonaId, channel: string): Promise<string> => {
  if (!/^[\w-]{1,100}$/.test(channel)) throw new Error('the id of a channel cannot be the name of a folder')
  const folder = join(channelsFolder(home, id), channel)
  await makeFolder(folder)
  return folder
}

/** Removes the folders of all other channels. Rejects with the error of the file system. */
export const sweepChannelFolders = async (
  home: string,
  id: PersonaId,
  channels: ReadonlySet<string>,
): Promise<void> => {
  const parent = channelsFolder(home, id)
  for (const name of await readdir(parent).catch(() => []))
    if (!channels.has(name)) await rm(join(parent, name), { recursive: true, force: true })
}
