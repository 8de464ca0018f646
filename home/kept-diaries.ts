/** Stores a persona's diaries as `diaries/<id>/<time>-<position>-<recipient mark>.diary`. */
import { hash, randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
import { makeFolder, syncFolder, unlessAbsent, writeWhole } from '../journal/leveldb/durable-files.ts'
import { Unavailable } from '../journal/log/errors.ts'
import { isJournalId, mustBeJournalId } from '../journal/log/journal-id.ts'
import { orUnavailable, type Stopwatch } from '../journal/log/timeout.ts'

export interface KeptDiary {
  readonly path: string
  /** Epoch ms, with a resolution of one second. */
  readonly made: number
  /** Last position of the journal in it. */
  readonly seq: number
  readonly bytes: number
  /** Returns whether the diary is encrypted to this recipient. */
  isFor(recipient: string): boolean
}

export interface NewDiary {
  readonly made: number
  readonly seq: number
  readonly recipient: string
}

/** All methods throw Unavailable. Errors of `bytes` are passed on. */
export interface KeptDiaries {
  /**
   * Stores a diary durably, or not at all. Then deletes old ones: the newest seven within 2 GiB stay, and
   * always the new one.
   */
  keep(id: PersonaId, diary: NewDiary, bytes: AsyncIterable<Uint8Array>): Promise<KeptDiary>
  /** Newest first, by position, because clocks may jump. */
  list(id: PersonaId): Promise<readonly KeptDiary[]>
  /** Removes the diaries that are encrypted to another recipient. */
  removeOthers(id: PersonaId, recipient: string): Promise<void>
  drop(path: string): Promise<void>
  /** Makes the diary available at its path if any host of the cluster has it. */
  bring(path: string): Promise<void>
  removeAll(id: PersonaId): Promise<void>
  /** Marks a deleted persona, at `at` (epoch ms). Only its newest diary is kept. */
  retire(id: PersonaId, time: number): Promise<void>
  /** Removes files of unfinished writes after a crash. Call it only while no diary is being stored. */
  sweep(): Promise<void>
  /**
   * Returns deleted personas whose diary is still kept. Removes the mark of every persona for which `living`
   * returns true.
   */
  retired(isLiving: (id: PersonaId) => boolean): Promise<readonly Retired[]>
}

/** A deleted persona whose last diary is kept for some time. */
export interface Retired {
  readonly id: PersonaId
  /** Time of deletion, as written in the mark. */
  readonly since: string
}

interface Deps {
  readonly home: string
  readonly stopwatch: Stopwatch
  readonly maxCount?: number
  readonly maxBytes?: number
}

/** Bytes between syncs, so that the final sync is short. */
const syncEvery = 16 * 1024 * 1024

export const createKeptDiaries = ({
  home,
  stopwatch,
  maxCount = keptLimits.maxCount,
  maxBytes = keptLimits.maxBytes,
}: Deps): KeptDiaries => {
  const withTimeout = <T>(operation: Promise<T>, timeoutMessage: string): Promise<T> =>
    orUnavailable(
      stopwatch,
      operation.catch((cause: unknown) => {
        throw new Unavailable(timeoutMessage, { cause })
      }),
    )

  const storeDiary = async (
    id: PersonaId,
    diary: NewDiary,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<KeptDiary> => {
    const folder = diariesFolder(home, id)
    const name = toName(diary)
    const draft = join(folder, `${name}.${randomUUID()}.tmp`)
    try {
      await withTimeout(makeFolder(folder), storeTimeoutError)
      await write(draft, bytes)
      await withTimeout(rename(draft, join(folder, name)), storeTimeoutError)
      await withTimeout(syncFolder(folder), storeTimeoutError)
    } catch (error) {
      // Not awaited, because the disk may hang.
      void rm(draft, { force: true }).catch(ignoreError)
      throw error
    }
    // The new diary is stored, so a failed cleanup is not an error.
    await clear(id, name).catch(ignoreError)
    const diaries = await withTimeout(keptIn(folder, name), listTimeoutError)
    if (!diaries) throw new Unavailable(storeTimeoutError)
    return diaries
  }

  const write = async (path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
    const openingFile = open(path, 'wx', 0o600)
    try {
      const file = await withTimeout(openingFile, storeTimeoutError)
      let writtenBytes = 0
      let syncedBytes = 0
      for await (const piece of bytes) {
        await withTimeout(file.writeFile(piece), storeTimeoutError)
        writtenBytes += piece.length
        if (writtenBytes - syncedBytes < syncEvery) continue
        await withTimeout(file.sync(), storeTimeoutError)
        syncedBytes = writtenBytes
      }
      await withTimeout(file.sync(), storeTimeoutError)
    } finally {
      await openingFile.then((file) => withTimeout(file.close(), storeTimeoutError)).catch(ignoreError)
    }
  }

  /** Always keeps the newest one, because a clock jump may give it an old name. */
  const clear = async (id: PersonaId, newestName: string): Promise<void> => {
    for (const { path } of surplus(await list(id), newestName, { maxCount, maxBytes }))
      await withTimeout(rm(path, { force: true }), removalError)
  }

  const list = async (id: PersonaId): Promise<readonly KeptDiary[]> => {
    const folder = diariesFolder(home, id)
    const diaries = await Promise.all(
      (await namesIn(folder)).map((name) => withTimeout(keptIn(folder, name), listTimeoutError)),
    )
    return newestFirst(diaries.filter((diary) => diary !== undefined))
  }

  const removeAll = (id: PersonaId): Promise<void> =>
    withTimeout(rm(diariesFolder(home, id), { recursive: true, force: true }), removalError)

  const namesIn = (folder: string): Promise<readonly string[]> =>
    withTimeout(unlessAbsent(readdir(folder)), listTimeoutError).then((names) => names ?? [])

  return {
    keep: storeDiary,
    list,
    removeOthers: async (id, recipient) => {
      const old = (await list(id)).filter((diary) => !diary.isFor(recipient))
      await Promise.all(old.map(({ path }) => withTimeout(rm(path, { force: true }), removalError)))
    },
    drop: (path) => withTimeout(rm(path, { force: true }), removalError),
    bring: async () => {},
    removeAll,
    retire: async (id, time) => {
      const [last, ...olderDiaries] = await list(id)
      if (!last) return removeAll(id)
      await withTimeout(
        writeWhole(retiredMark(home, id), Buffer.from(`${new Date(time).toISOString()}\n`)),
        removalError,
      )
      await Promise.all(olderDiaries.map(({ path }) => withTimeout(rm(path, { force: true }), removalError)))
    },
    retired: async (isLiving) => {
      const retiredDiaries: Retired[] = []
      for (const id of (await namesIn(join(home, 'diaries'))).filter(isJournalId)) {
        // A persona without this mark is only unavailable, and its diaries may be all that is left of it.
        const retiredAt = await withTimeout(
          unlessAbsent(readFile(retiredMark(home, id), 'utf8')),
          listTimeoutError,
        )
        if (retiredAt === undefined) continue
        if (isLiving(id)) await withTimeout(rm(retiredMark(home, id), { force: true }), removalError)
        else retiredDiaries.push({ id, since: retiredAt.trim() })
      }
      return retiredDiaries
    },
    sweep: async () => {
      for (const id of (await namesIn(join(home, 'diaries'))).filter(isJournalId)) {
        const drafts = (await namesIn(diariesFolder(home, id))).filter((name) => draft.test(name))
        await Promise.all(
          drafts.map((name) =>
            withTimeout(rm(join(diariesFolder(home, id), name), { force: true }), removalError),
          ),
        )
      }
    },
  }
}

/** Sorts by position, because clocks may jump. */
export const newestFirst = (all: readonly KeptDiary[]): readonly KeptDiary[] =>
  [...all].sort((a, b) => b.seq - a.seq || b.made - a.made)

/** Max number of diaries, and max bytes of all of them. */
const keptLimits = { maxCount: 7, maxBytes: 2 * 1024 ** 3 } as const

/**
 * Returns the diaries to delete, given all of them from newest to oldest. `newest` is the name of the new
 * diary.
 */
export const surplus = (
  all: readonly KeptDiary[],
  newestName: string,
  { maxCount, maxBytes }: { readonly maxCount: number; readonly maxBytes: number } = keptLimits,
): readonly KeptDiary[] => {
  const isNewest = ({ path }: KeptDiary) => path.endsWith(newestName)
  let bytes = 0
  return [...all.filter(isNewest), ...all.filter((diary) => !isNewest(diary))].filter((diary, n) => {
    bytes += diary.bytes
    return n > 0 && (n >= maxCount || bytes > maxBytes)
  })
}

const storeTimeoutError = 'the diary cannot be stored'
const listTimeoutError = 'the diaries cannot be listed'
const removalError = 'the diary cannot be removed'

/** File that marks a deleted persona. It contains the time of deletion in ISO 8601. */
const retiredMark = (home: string, id: PersonaId): string => join(diariesFolder(home, id), 'deleted')

export const diariesFolder = (home: string, id: PersonaId): string =>
  join(home, 'diaries', mustBeJournalId(id))

/** Short hash that distinguishes recipients without revealing them. */
const recipientMark = (recipient: string): string => hash('sha256', recipient).slice(0, 8)

/** UTC, so that names sort by time. */
const toName = ({ made, seq, recipient }: NewDiary): string =>
  `${new Date(made).toISOString().slice(0, 19).replaceAll(':', '')}-${String(seq).padStart(12, '0')}-${recipientMark(recipient)}.diary`

const diaryName = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)-(\d{12,})-([0-9a-f]{8})\.diary$/

const draft = /\.diary\.[0-9a-f-]+\.tmp$/

/** Returns whether the daemon creates files with this name in a folder of diaries. */
export const isOfDiaries = (name: string): boolean =>
  diaryName.test(name) || draft.test(name) || name === 'deleted' || name === 'deleted.tmp'

/** Returns undefined if the file is not a diary or was deleted meanwhile. */
const keptIn = async (folder: string, name: string): Promise<KeptDiary | undefined> => {
  if (!diaryName.test(name)) return undefined
  const path = join(folder, name)
  const stats = await unlessAbsent(stat(path))
  return stats && diaryAt(path, stats.size)
}

/** Returns undefined if the name is not that of a diary. */
export const diaryAt = (path: string, bytes: number): KeptDiary | undefined => {
  const [, day, hour, minute, second, seq, mark] = diaryName.exec(basename(path)) ?? []
  if (mark === undefined) return undefined
  const madeMs = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
  return {
    path,
    made: madeMs,
    seq: Number(seq),
    bytes,
    isFor: (recipient) => recipientMark(recipient) === mark,
  }
}

const ignoreError = () => undefined
