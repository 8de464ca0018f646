/** Downloads files of the cluster into a home. */
import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PersonaId } from '../../../facts/fact-values.ts'
import { trashFolder } from '../../../home/places.ts'
import { makeFolder, syncFolder } from '../../../journal/leveldb/durable-files.ts'
import { Unavailable } from '../../../journal/log/errors.ts'
import type { Cluster } from './new-history.ts'
import type { FileKind } from './places-in-cluster.ts'

/**
 * Downloads a file to `path`, complete and synced. Resolves to false if the servers do not have the file.
 * Rejects with Unavailable.
 */
export type Fetching = (id: PersonaId, kind: FileKind, name: string, path: string) => Promise<boolean>

/** Concurrent requests for the same path share one download. */
export const createFetching = ({ files }: Pick<Cluster, 'files'>, home: string): Fetching => {
  const underWay = new Map<string, Promise<boolean>>()

  const fetch = async (id: PersonaId, kind: FileKind, name: string, path: string): Promise<boolean> => {
    const draft = join(trashFolder(home), `${kind}-${randomUUID()}`)
    try {
      await makeFolder(trashFolder(home))
      if (!(await files.fetch(id, kind, name, draft))) return false
      await makeFolder(dirname(path))
      await rename(draft, path)
      await syncFolder(dirname(path))
      return true
    } catch (cause) {
      await rm(draft, { force: true }).catch(() => undefined)
      throw cause instanceof Unavailable ? cause : new Unavailable('the file cannot be downloaded', { cause })
    }
  }
  return (id, kind, name, path) => {
    const fetchTask = underWay.get(path) ?? fetch(id, kind, name, path)
    underWay.set(path, fetchTask)
    return fetchTask.finally(() => underWay.delete(path))
  }
}
