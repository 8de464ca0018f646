/** Diaries of personas in a cluster: written to the home first, then stored on the servers. */
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { PersonaId } from '../../../facts/fact-values.ts'
import {
  diariesFolder,
  diaryAt,
  type KeptDiaries,
  type KeptDiary,
  newestFirst,
  type Retired,
  surplus,
} from '../../../home/kept-diaries.ts'
import { fileExists, unlessAbsent } from '../../../journal/leveldb/durable-files.ts'
import { isJournalId } from '../../../journal/log/journal-id.ts'
import type { Fetching } from './fetching.ts'
import type { Cluster } from './new-history.ts'

interface Deps extends Pick<Cluster, 'files' | 'keys'> {
  readonly home: string
  readonly fetch: Fetching
}

/**
 * Name of an empty file that marks a deleted persona. The number is the time of the deletion in epoch
 * milliseconds.
 */
const deletionMark = /^deleted-(\d+)$/

export const clusteredDiaries = ({ home, files, keys, fetch }: Deps, local: KeptDiaries): KeptDiaries => {
  const toPath = (id: PersonaId, name: string) => join(diariesFolder(home, id), name)

  const list = async (id: PersonaId): Promise<readonly KeptDiary[]> => {
    const names = await files.names(id, 'diaries')
    const diaries = await Promise.all(
      names.map(async (name) => {
        const bytes = diaryAt(name, 0) && (await files.size(id, 'diaries', name))
        return bytes === undefined ? undefined : diaryAt(toPath(id, name), bytes)
      }),
    )
    return newestFirst(diaries.filter((diary) => diary !== undefined))
  }
  const drop = async (path: string): Promise<void> => {
    await local.drop(path)
    await files.drop(basename(dirname(path)), 'diaries', basename(path))
  }
  const removeAll = async (id: PersonaId): Promise<void> => {
    await local.removeAll(id)
    await files.dropAll(id, 'diaries')
  }
  const listMarks = async (id: PersonaId): Promise<readonly string[]> =>
    (await files.names(id, 'diaries')).filter((name) => deletionMark.test(name))

  return {
    keep: async (id, diary, bytes) => {
      const keptDiary = await local.keep(id, diary, bytes)
      const name = basename(keptDiary.path)
      try {
        await files.put(id, 'diaries', name, keptDiary.path)
      } catch (error) {
        void drop(keptDiary.path).catch(() => undefined)
        throw error
      }
      // The new diary is stored. A failure to remove old ones must not fail the call.
      for (const { path } of surplus(await list(id).catch(() => []), name))
        await drop(path).catch(() => undefined)
      await files.sweep(id, 'diaries').catch(() => undefined)
      return keptDiary
    },
    list,
    removeOthers: async (id, recipient) => {
      for (const diary of await list(id)) if (!diary.isFor(recipient)) await drop(diary.path)
    },
    drop,
    bring: async (path) => {
      if (await fileExists(path)) return
      await fetch(basename(dirname(path)), 'diaries', basename(path), path)
    },
    removeAll,
    retire: async (id, time) => {
      const [last, ...olderDiaries] = await list(id)
      if (!last) return removeAll(id)
      if ((await listMarks(id)).length === 0) await files.put(id, 'diaries', `deleted-${time}`)
      for (const { path } of olderDiaries) await drop(path)
    },
    sweep: local.sweep,
    // Asks the cluster whether the persona exists again: another daemon may host it.
    retired: async () => {
      const all = await files.all('diaries')
      const deletedPersonas: Retired[] = []
      for (const { id, name } of all.filter((file) => deletionMark.test(file.name)))
        if (await keys.get(id)) await files.drop(id, 'diaries', name)
        else deletedPersonas.push({ id, since: name })
      await dropCopies(home, new Set(all.map(({ id }) => id)))
      return deletedPersonas
    },
  }
}

/** Removes local diaries of personas that have none on the servers any more. */
const dropCopies = async (home: string, idsToKeep: ReadonlySet<PersonaId>): Promise<void> => {
  const folders = ((await unlessAbsent(readdir(join(home, 'diaries')))) ?? []).filter(isJournalId)
  for (const id of folders.filter((id) => !idsToKeep.has(id)))
    await rm(diariesFolder(home, id), { recursive: true, force: true })
}
