/** Files of the cluster, brought to their places under a home. */
import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import { makeFolder, syncFolder, trashFolder } from '../../../journal/files/places.ts'
import { Unavailable } from '../../../journal/log/errors.ts'
import type { Cluster } from './new-history.ts'
import type { FileKind } from './places-in-cluster.ts'

/** Brings a file to its path, whole and durable; false where the servers have none. Unavailable. */
export type Fetching = (id: PersonaId, kind: FileKind, name: string, path: string) => Promise<boolean>

/** Of those who want the same, one fetches it. */
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
      throw cause instanceof Unavailable
        ? cause
        : new Unavailable('the file cannot be brought here', { cause })
    }
  }
  return (id, kind, name, path) => {
    const fetching = underWay.get(path) ?? fetch(id, kind, name, path)
    underWay.set(path, fetching)
    return fetching.finally(() => underWay.delete(path))
  }
}
