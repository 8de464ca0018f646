/** Writes and manages diaries: after each sleep, at creation, for a new phrase, and for downloads. */

import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import type { KeptDiaries, KeptDiary, Retired } from '../../home/kept-diaries.ts'
import { isMediaName } from '../../home/media.ts'
import { trashFolder } from '../../home/places.ts'
import { ripe } from '../../home/retention.ts'
import { clearParted, partedNames } from '../../journal/leveldb/trash.ts'
import { Damaged, Unavailable } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import { createSemaphore } from '../../packages/kit/flow/keyed-pool.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { PersonaStore, Reading } from '../persona/persona-store.ts'
import { JournalReplaced, JournalUnavailable } from '../persona/refusals.ts'
import type { SignedHeads } from '../persona/signed-heads.ts'
import type { FileKind } from './decrypt-diary.ts'
import { type OpenedDiary, openDiary, sealDiary } from './diary.ts'
import { format } from './format.ts'

/** An encrypted diary and the head of its journal. */
export interface SealedDiary {
  readonly bytes: AsyncIterable<Buffer>
  readonly head: Head
}

/** All methods throw persona_unknown, JournalUnavailable, Damaged, or the signal's reason. */
export interface Diaries {
  /** Writes a diary for the current phrase, then the fact. */
  write(id: PersonaId, signal?: AbortSignal): Promise<void>
  /** Same for a future phrase. The caller writes the fact. */
  writeFor(id: PersonaId, recipient: string, signal?: AbortSignal): Promise<KeptDiary>
  /** For downloads: writes no fact. Keeps the journal open while `take` runs. */
  seal<T>(id: PersonaId, useSealed: (diary: SealedDiary) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Checks the first bytes. */
  getFileKind(path: string): Promise<FileKind>
  /** Unpacks a foreign diary. Throws DiaryUnopened. */
  open(path: string, identity: string, signal: AbortSignal): Promise<OpenedDiary>
  /** Newest first. */
  list(id: PersonaId): Promise<readonly KeptDiary[]>
  /** Checks the first bytes. */
  kindOfKept(diary: KeptDiary): Promise<FileKind>
  /** Deletes the diaries for other phrases. */
  removeOthers(id: PersonaId, recipient: string): Promise<void>
  drop(diary: KeptDiary): Promise<void>
  /** Cancels all sealing for a persona. Resolves when it has ended. Never rejects. */
  cut(id: PersonaId): Promise<void>
  close(): Promise<void>
}

interface Deps {
  readonly home: string
  readonly personas: PersonaStore
  readonly signedHeads: Pick<SignedHeads, 'store'>
  readonly storedDiaries: KeptDiaries
  readonly clock: Clock
  readonly log: Log
}

/** Max parallel downloads: each keeps a journal open while the client reads. */
const maxDownloads = 4

const dayMs = 24 * 60 * 60 * 1000

export const createDiaries = ({ home, personas, signedHeads, storedDiaries, clock, log }: Deps): Diaries => {
  const closing = new AbortController()
  /** Running seal operations per persona. */
  const busy = new Map<PersonaId, Set<AbortController>>()
  const downloads = createSemaphore(maxDownloads)
  /** One at a time per persona. */
  const writeMutex = createKeyedMutex()

  /** Time of the last purge, on a monotonic clock. */
  let lastPurge = performance.now()
  /** Purges files after their retention of 30 days. */
  const purgeExpired = async () => {
    try {
      const retiredDiaries = await storedDiaries.retired((id) => personas.getRow(id) !== undefined)
      const toName = ({ id, since }: Retired) => `diaries/${id} ${since}`
      const names = [...retiredDiaries.map(toName), ...(await partedNames(trashFolder(home)))]
      const elapsedMs = performance.now() - lastPurge
      const expiredNames = await ripe(home, { names, now: clock.now(), elapsed: elapsedMs })
      lastPurge = performance.now()
      for (const diary of retiredDiaries)
        if (expiredNames.has(toName(diary))) await storedDiaries.removeAll(diary.id)
      await clearParted(trashFolder(home), (name) => expiredNames.has(name))
    } catch (err) {
      log.warn({ err }, 'failed to purge expired files')
    }
  }
  /** Leftovers of a crash are removed before the next diary is written. */
  const sweepTask = storedDiaries
    .sweep()
    .catch((err: unknown) => log.warn({ err }, 'failed to remove unfinished diaries'))
  const firstPurge = Promise.all([sweepTask, personas.ready]).then(purgeExpired, () => undefined)
  const stopPurging = clock.every(dayMs, () => void purgeExpired())

  const cancelable = async <T>(
    id: PersonaId,
    signal: AbortSignal | undefined,
    act: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const controller = new AbortController()
    const all = busy.get(id) ?? new Set()
    busy.set(id, all.add(controller))
    try {
      return await act(AbortSignal.any([controller.signal, closing.signal, ...(signal ? [signal] : [])]))
    } finally {
      all.delete(controller)
      if (all.size === 0) busy.delete(id)
    }
  }

  /** A log that cannot be read does not prevent a diary. */
  const readHeads = async (id: PersonaId) => {
    try {
      return await signedHeads.store(id)
    } catch (err) {
      log.warn({ id, err }, 'the diary does not contain the log of signed heads')
      return null
    }
  }

  const startSealing = async (
    { persona: { self }, journal }: Reading,
    recipient: string,
    signal: AbortSignal,
  ): Promise<SealedDiary> => {
    const { head } = journal
    const { id, name, birthday } = self
    // Damage may be found only when the journal is opened. The part before it is not a complete diary.
    const troubleText = personas.getRow(id)?.trouble ?? null
    if (troubleText !== null) throw new Damaged(head.seq + 1, troubleText.replace(/^record \d+: /, ''))
    const createdAt = new Date(clock.now()).toISOString()
    const heads = await readHeads(id)
    const outline = {
      format,
      made: createdAt,
      product: 'daimon',
      persona: { id, name, birthday, recipient },
      head,
      records: head.seq,
      ...(heads && { heads }),
    } as const
    const media = await mediaIn(await personas.mediaFolder(id))
    const onDamaged = (count: number) =>
      log.warn({ id, count }, 'media files are damaged; the diary contains them as they are')
    return { head, bytes: sealDiary({ outline, records: journal.records(head), media, signal, onDamaged }) }
  }

  const seal: Diaries['seal'] = (id, useSealed, signal) => {
    const work = (endSignal: AbortSignal) =>
      mapUnavailable(
        personas.read(id, async (reading) =>
          useSealed(await startSealing(reading, reading.persona.self.recipient, endSignal)),
        ),
      )
    return downloads.run(() => cancelable(id, signal, work), signal)
  }

  const storeDiary = (
    id: PersonaId,
    recipient: string | null,
    signal: AbortSignal | undefined,
  ): Promise<KeptDiary> =>
    cancelable(id, signal, async (endSignal) => {
      await sweepTask
      const storeTask = personas.read(id, async (reading) => {
        const owner = recipient ?? reading.persona.self.recipient
        const { head, bytes } = await startSealing(reading, owner, endSignal)
        return storedDiaries.keep(id, { made: clock.now(), seq: head.seq, recipient: owner }, bytes)
      })
      return mapUnavailable(storeTask)
    })

  return {
    write: (id, signal) =>
      writeMutex.run(id, async () => {
        const { seq, bytes } = await storeDiary(id, null, signal)
        await personas.execute(id, { type: 'RecordDiary', upTo: seq, bytes }, 'host')
      }),
    writeFor: (id, recipient, signal) => writeMutex.run(id, () => storeDiary(id, recipient, signal)),
    seal,
    getFileKind: async (path) => {
      // Loaded late: the daemon needs no decryption code at start.
      const { fileKindOfPath: getFileKind } = await import('./decrypt-diary.ts')
      return mapUnavailable(getFileKind(path))
    },
    open: (path, identity, signal) => mapUnavailable(openDiary(path, identity, trashFolder(home), signal)),
    kindOfKept: async ({ path }) => {
      const { fileKindOfPath: getFileKind } = await import('./decrypt-diary.ts')
      return mapUnavailable(storedDiaries.bring(path).then(() => getFileKind(path)))
    },
    list: (id) => mapUnavailable(storedDiaries.list(id)),
    removeOthers: (id, recipient) => mapUnavailable(storedDiaries.removeOthers(id, recipient)),
    drop: ({ path }) => mapUnavailable(storedDiaries.drop(path)),
    cut: async (id) => {
      for (const controller of busy.get(id) ?? [])
        controller.abort(
          new JournalReplaced('the diary was cut off: the journal is being taken away or replaced'),
        )
      await writeMutex.run(id, async () => {})
    },
    close: async () => {
      stopPurging()
      closing.abort()
      await firstPurge
      await writeMutex.idle()
    },
  }
}

const mapUnavailable = async <T>(request: Promise<T>): Promise<T> => {
  try {
    return await request
  } catch (error) {
    throw error instanceof Unavailable ? new JournalUnavailable(error.message) : error
  }
}

/** Lists the media files of a folder, without anything else in it. */
const mediaIn = async (folder: string) => {
  const names = (await readdir(folder).catch(ifMissing([]))).filter(isMediaName)
  const diaryEntries = await Promise.all(
    names.map(async (filename) => {
      const path = join(folder, filename)
      const stats: Stats | undefined = await stat(path).catch(ifMissing(undefined))
      return stats?.isFile() ? [{ filename, path, bytes: stats.size }] : []
    }),
  )
  return diaryEntries.flat()
}

const ifMissing =
  <T>(fallback: T) =>
  (cause: unknown): T => {
    if ((cause as { code?: unknown }).code === 'ENOENT') return fallback
    throw new Unavailable('its files cannot be read', { cause })
  }
