/** Diaries of personas in a cluster: written to the home first, then stored on the servers. */
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import {
  diariesFolder,
  diaryAt,
  type KeptDiaries,
  type KeptDiary,
  newestFirst,
  type Retired,
  surplus,
} from '../../../journal/files/kept-diaries.ts'
import { isThere, present } from '../../../journal/files/moves.ts'
import { isPersonaId } from '../../../journal/log/persona-id.ts'
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
const marked = /^deleted-(\d+)$/

export const clusteredDiaries = ({ home, files, keys, fetch }: Deps, local: KeptDiaries): KeptDiaries => {
  const pathOf = (id: PersonaId, name: string) => join(diariesFolder(home, id), name)

  const list = async (id: PersonaId): Promise<readonly KeptDiary[]> => {
    const names = await files.names(id, 'diaries')
    const found = await Promise.all(
      names.map(async (name) => {
        const bytes = diaryAt(name, 0) && (await files.size(id, 'diaries', name))
        return bytes === undefined ? undefined : diaryAt(pathOf(id, name), bytes)
      }),
    )
    return newestFirst(found.filter((one) => one !== undefined))
  }
  const drop = async (path: string): Promise<void> => {
    await local.drop(path)
    await files.drop(basename(dirname(path)), 'diaries', basename(path))
  }
  const removeAll = async (id: PersonaId): Promise<void> => {
    await local.removeAll(id)
    await files.dropAll(id, 'diaries')
  }
  const marksOf = async (id: PersonaId): Promise<readonly string[]> =>
    (await files.names(id, 'diaries')).filter((name) => marked.test(name))

  return {
    keep: async (id, diary, bytes) => {
      const kept = await local.keep(id, diary, bytes)
      const name = basename(kept.path)
      try {
        await files.put(id, 'diaries', name, kept.path)
      } catch (error) {
        void drop(kept.path).catch(() => undefined)
        throw error
      }
      // The new diary is stored. A failure to remove old ones must not fail the call.
      for (const { path } of surplus(await list(id).catch(() => []), name))
        await drop(path).catch(() => undefined)
      await files.sweep(id, 'diaries').catch(() => undefined)
      return kept
    },
    list,
    removeOthers: async (id, recipient) => {
      for (const one of await list(id)) if (!one.isFor(recipient)) await drop(one.path)
    },
    drop,
    bring: async (path) => {
      if (await isThere(path)) return
      await fetch(basename(dirname(path)), 'diaries', basename(path), path)
    },
    removeAll,
    retire: async (id, at) => {
      const [last, ...older] = await list(id)
      if (!last) return removeAll(id)
      if ((await marksOf(id)).length === 0) await files.put(id, 'diaries', `deleted-${at}`)
      for (const { path } of older) await drop(path)
    },
    sweep: local.sweep,
    // Asks the cluster whether the persona exists again: another daemon may host it.
    retired: async () => {
      const all = await files.all('diaries')
      const retired: Retired[] = []
      for (const { id, name } of all.filter((one) => marked.test(one.name)))
        if (await keys.get(id)) await files.drop(id, 'diaries', name)
        else retired.push({ id, since: name })
      await dropCopies(home, new Set(all.map(({ id }) => id)))
      return retired
    },
  }
}

/** Removes local diaries of personas that have none on the servers any more. */
const dropCopies = async (home: string, kept: ReadonlySet<PersonaId>): Promise<void> => {
  const folders = ((await present(readdir(join(home, 'diaries')))) ?? []).filter(isPersonaId)
  for (const id of folders.filter((one) => !kept.has(one)))
    await rm(diariesFolder(home, id), { recursive: true, force: true })
}
