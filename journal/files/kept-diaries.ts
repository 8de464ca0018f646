/** Where a persona's diaries stand: `diaries/<id>/<time>-<position>-<for whom>.diary`. */
import { hash, randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
import { Unavailable } from '../log/errors.ts'
import { isPersonaId, mustBePersonaId } from '../log/persona-id.ts'
import { orUnavailable, type Stopwatch } from '../log/timeout.ts'
import { present } from './moves.ts'
import { makeFolder, syncFolder, writeWhole } from './places.ts'

export interface KeptDiary {
  readonly path: string
  /** Epoch milliseconds, to the second. */
  readonly made: number
  /** How far its journal went. */
  readonly seq: number
  readonly bytes: number
  /** Whether it was sealed for this recipient. */
  isFor(recipient: string): boolean
}

export interface NewDiary {
  readonly made: number
  readonly seq: number
  readonly recipient: string
}

/** All throw Unavailable; what `bytes` throws is passed on. */
export interface KeptDiaries {
  /**
   * Durable when it resolves, or not there at all. Then old ones go: the last seven stay, within 2 GiB, and
   * the one that was just made in any case.
   */
  keep(id: PersonaId, diary: NewDiary, bytes: AsyncIterable<Uint8Array>): Promise<KeptDiary>
  /** Newest first: by how far they tell, since clocks jump. */
  list(id: PersonaId): Promise<readonly KeptDiary[]>
  /** Those that the phrase behind this recipient does not open. */
  removeOthers(id: PersonaId, recipient: string): Promise<void>
  drop(path: string): Promise<void>
  /** It lies at its path from then on, where there is one of that name anywhere. */
  bring(path: string): Promise<void>
  removeAll(id: PersonaId): Promise<void>
  /** It is deleted: only the newest stays, from `at` (epoch milliseconds) on. */
  retire(id: PersonaId, at: number): Promise<void>
  /** What was not finished before a crash: only while nothing is being kept. */
  sweep(): Promise<void>
  /** Those of the deleted. `living`: who is here again, and whose diaries are kept like anybody's. */
  retired(living: (id: PersonaId) => boolean): Promise<readonly Retired[]>
}

/** Whose last diary is kept for a while. */
export interface Retired {
  readonly id: PersonaId
  /** When it was deleted, as it was written then. */
  readonly since: string
}

interface Deps {
  readonly home: string
  readonly stopwatch: Stopwatch
  readonly most?: number
  readonly mostBytes?: number
}

/** Bytes after which what was written is brought to the disk: the last of them would wait for all. */
const syncEvery = 16 * 1024 * 1024

export const createKeptDiaries = ({
  home,
  stopwatch,
  most = mostKept.most,
  mostBytes = mostKept.mostBytes,
}: Deps): KeptDiaries => {
  const soon = <T>(asked: Promise<T>, otherwise: string): Promise<T> =>
    orUnavailable(
      stopwatch,
      asked.catch((cause: unknown) => {
        throw new Unavailable(otherwise, { cause })
      }),
    )

  const keep = async (
    id: PersonaId,
    diary: NewDiary,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<KeptDiary> => {
    const folder = diariesFolder(home, id)
    const name = nameOf(diary)
    const draft = join(folder, `${name}.${randomUUID()}.tmp`)
    try {
      await soon(makeFolder(folder), full)
      await write(draft, bytes)
      await soon(rename(draft, join(folder, name)), full)
      await soon(syncFolder(folder), full)
    } catch (error) {
      // Not waited for: a disk that hangs is let go.
      void rm(draft, { force: true }).catch(nothing)
      throw error
    }
    // What stays too long is no reason to say that the new one was not kept.
    await clear(id, name).catch(nothing)
    const kept = await soon(keptIn(folder, name), unread)
    if (!kept) throw new Unavailable(full)
    return kept
  }

  const write = async (path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
    const opening = open(path, 'wx', 0o600)
    try {
      const file = await soon(opening, full)
      let [written, lasting] = [0, 0]
      for await (const piece of bytes) {
        await soon(file.writeFile(piece), full)
        written += piece.length
        if (written - lasting < syncEvery) continue
        await soon(file.sync(), full)
        lasting = written
      }
      await soon(file.sync(), full)
    } finally {
      await opening.then((file) => soon(file.close(), full)).catch(nothing)
    }
  }

  /** The one just made stays, whatever a clock that jumps made of its name. */
  const clear = async (id: PersonaId, newest: string): Promise<void> => {
    for (const { path } of surplus(await list(id), newest, { most, mostBytes }))
      await soon(rm(path, { force: true }), stuck)
  }

  const list = async (id: PersonaId): Promise<readonly KeptDiary[]> => {
    const folder = diariesFolder(home, id)
    const found = await Promise.all((await namesIn(folder)).map((name) => soon(keptIn(folder, name), unread)))
    return newestFirst(found.filter((one) => one !== undefined))
  }

  const removeAll = (id: PersonaId): Promise<void> =>
    soon(rm(diariesFolder(home, id), { recursive: true, force: true }), stuck)

  const namesIn = (folder: string): Promise<readonly string[]> =>
    soon(present(readdir(folder)), unread).then((names) => names ?? [])

  return {
    keep,
    list,
    removeOthers: async (id, recipient) => {
      const old = (await list(id)).filter((one) => !one.isFor(recipient))
      await Promise.all(old.map(({ path }) => soon(rm(path, { force: true }), stuck)))
    },
    drop: (path) => soon(rm(path, { force: true }), stuck),
    bring: async () => {},
    removeAll,
    retire: async (id, at) => {
      const [last, ...older] = await list(id)
      if (!last) return removeAll(id)
      await soon(writeWhole(retiredMark(home, id), Buffer.from(`${new Date(at).toISOString()}\n`)), stuck)
      await Promise.all(older.map(({ path }) => soon(rm(path, { force: true }), stuck)))
    },
    retired: async (living) => {
      const retired: Retired[] = []
      for (const id of (await namesIn(join(home, 'diaries'))).filter(isPersonaId)) {
        // Who is only not to be found today was never deleted: its diaries may be all there is of it.
        const since = await soon(present(readFile(retiredMark(home, id), 'utf8')), unread)
        if (since === undefined) continue
        if (living(id)) await soon(rm(retiredMark(home, id), { force: true }), stuck)
        else retired.push({ id, since: since.trim() })
      }
      return retired
    },
    sweep: async () => {
      for (const id of (await namesIn(join(home, 'diaries'))).filter(isPersonaId)) {
        const left = (await namesIn(diariesFolder(home, id))).filter((name) => draft.test(name))
        await Promise.all(
          left.map((name) => soon(rm(join(diariesFolder(home, id), name), { force: true }), stuck)),
        )
      }
    },
  }
}

/** By how far they tell, since clocks jump. */
export const newestFirst = (all: readonly KeptDiary[]): readonly KeptDiary[] =>
  [...all].sort((one, other) => other.seq - one.seq || other.made - one.made)

/** Diaries that stay beside a new one, and bytes of all. */
const mostKept = { most: 7, mostBytes: 2 * 1024 ** 3 } as const

/** Those that are to go, newest first; `newest` is the name of the one that was just made. */
export const surplus = (
  all: readonly KeptDiary[],
  newest: string,
  { most, mostBytes }: { readonly most: number; readonly mostBytes: number } = mostKept,
): readonly KeptDiary[] => {
  const isNewest = ({ path }: KeptDiary) => path.endsWith(newest)
  let bytes = 0
  return [...all.filter(isNewest), ...all.filter((one) => !isNewest(one))].filter((diary, n) => {
    bytes += diary.bytes
    return n > 0 && (n >= most || bytes > mostBytes)
  })
}

const [full, unread, stuck] = [
  'the diary cannot be kept',
  'the diaries cannot be listed',
  'the diary cannot be removed',
]

/** Says that it was deleted, and when: an instant, ISO 8601. */
const retiredMark = (home: string, id: PersonaId): string => join(diariesFolder(home, id), 'deleted')

export const diariesFolder = (home: string, id: PersonaId): string =>
  join(home, 'diaries', mustBePersonaId(id))

/** Enough to tell two recipients apart, and no more of it. */
const markOf = (recipient: string): string => hash('sha256', recipient).slice(0, 8)

/** In UTC, so that names sort by time. */
const nameOf = ({ made, seq, recipient }: NewDiary): string =>
  `${new Date(made).toISOString().slice(0, 19).replaceAll(':', '')}-${String(seq).padStart(12, '0')}-${markOf(recipient)}.diary`

const named = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)-(\d{12,})-([0-9a-f]{8})\.diary$/

const draft = /\.diary\.[0-9a-f-]+\.tmp$/

/** Whether the daemon gave that name to something in a persona's folder of diaries. */
export const isOfDiaries = (name: string): boolean =>
  named.test(name) || draft.test(name) || name === 'deleted' || name === 'deleted.tmp'

/** Undefined for what is no diary of ours, or gone meanwhile. */
const keptIn = async (folder: string, name: string): Promise<KeptDiary | undefined> => {
  if (!named.test(name)) return undefined
  const path = join(folder, name)
  const found = await present(stat(path))
  return found && diaryAt(path, found.size)
}

/** Undefined for what is no diary of ours. */
export const diaryAt = (path: string, bytes: number): KeptDiary | undefined => {
  const [, day, hour, minute, second, seq, mark] = named.exec(basename(path)) ?? []
  if (mark === undefined) return undefined
  const made = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
  return { path, made, seq: Number(seq), bytes, isFor: (recipient) => markOf(recipient) === mark }
}

const nothing = () => undefined
