/** File stores of a cluster: files are stored on the servers, and copied into the home when they are used. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../../facts/fact-values.ts'
import { type FileStores, openFileStores } from '../../../home/file-stores.ts'
import { isMediaName, type MediaStore } from '../../../home/media.ts'
import { mediaFolder } from '../../../home/places.ts'
import { fileExists, unlessAbsent } from '../../../journal/leveldb/durable-files.ts'
import type { Stopwatch } from '../../../journal/log/timeout.ts'
import { clusteredDiaries } from './clustered-diaries.ts'
import { createFetching, type Fetching } from './fetching.ts'
import type { Cluster } from './new-history.ts'

export const besideInCluster = (cluster: Cluster, home: string, stopwatch: Stopwatch): FileStores => {
  const { files, keys, secrets } = cluster
  const local = openFileStores(home, stopwatch)
  const fetch = createFetching(cluster, home)
  return {
    media: clusteredMedia({ home, files, fetch }, local.media),
    diaries: clusteredDiaries({ home, files, keys, fetch }, local.diaries),
    secrets: {
      open: secrets.open,
      discard: secrets.drop,
      // Not possible here: another daemon may be creating the persona at this moment.
      sweepOrphans: async () => {},
    },
  }
}

type Places = Pick<Cluster, 'files'> & { readonly home: string; readonly fetch: Fetching }

/** Milliseconds within which a local file may still be on its way to the servers. */
const underWay = 60 * 60 * 1000

const clusteredMedia = ({ home, files, fetch }: Places, local: MediaStore): MediaStore => {
  const toPath = (id: PersonaId, filename: string) => join(mediaFolder(home, id), filename)
  const bringFile = async (id: PersonaId, filename: string) => {
    if (!isMediaName(filename) || (await fileExists(toPath(id, filename)))) return
    await fetch(id, 'media', filename, toPath(id, filename))
  }
  /** Removes local files that another host has dropped, and files of interrupted uploads. */
  const sweep = async (id: PersonaId, keptNames: readonly string[]) => {
    const localNames = ((await unlessAbsent(readdir(mediaFolder(home, id)))) ?? []).filter(isMediaName)
    for (const name of localNames.filter((name) => !keptNames.includes(name))) {
      const { ctimeMs } = await stat(toPath(id, name))
      if (Date.now() - ctimeMs > underWay) await local.drop(id, name)
    }
    await files.sweep(id, 'media')
  }
  return {
    keep: async (id, from, extension) => {
      const media = await local.keep(id, from, extension)
      try {
        await files.put(id, 'media', media.filename, toPath(id, media.filename))
        return media
      } catch (error) {
        // No caller knows the file name yet, so the file can be dropped.
        void local.drop(id, media.filename).catch(() => undefined)
        void files.drop(id, 'media', media.filename).catch(() => undefined)
        throw error
      }
    },
    drop: async (id, filename) => {
      await local.drop(id, filename)
      await files.drop(id, 'media', filename)
    },
    bring: bringFile,
    bringAll: async (id) => {
      const names = await files.names(id, 'media')
      for (const name of names) await bringFile(id, name)
      await sweep(id, names)
    },
    replaceFile: async (id, filename) =>
      isMediaName(filename) && fetch(id, 'media', filename, toPath(id, filename)),
  }
}
