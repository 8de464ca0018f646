/**
 * Its diaries as the daemon writes them: every night, at its birth, for a new phrase, and for whoever takes
 * one away.
 */
import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { ripe } from '../../journal/files/ages.ts'
import type { KeptDiaries, KeptDiary, Retired } from '../../journal/files/kept-diaries.ts'
import { isMediaName } from '../../journal/files/media.ts'
import { trashFolder } from '../../journal/files/places.ts'
import { clearParted, partedNames } from '../../journal/files/trash.ts'
import { Damaged, Unavailable } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/journal.ts'
import { createKeyedMutex } from '../flow/keyed-mutex.ts'
import { createSemaphore } from '../flow/semaphore.ts'
import type { Log } from '../log.ts'
import type { Personas, Reading } from '../persona/personas.ts'
import { JournalReplaced, JournalUnavailable } from '../persona/unavailable.ts'
import type { Clock } from '../time/clock.ts'
import { type OpenedDiary, openDiary, sealDiary } from './diary.ts'
import { format } from './format.ts'
import type { FileKind } from './unsealing.ts'

/** What is sealed, and how far its journal goes in it. */
export interface Sealed {
  readonly bytes: AsyncIterable<Buffer>
  readonly head: Head
}

/** All throw `persona_unknown`, JournalUnavailable, Damaged where its journal is, and the signal's reason. */
export interface Diaries {
  /** Writes one of it as it is now, for its own phrase, and the fact that says so. */
  write(id: PersonaId, signal?: AbortSignal): Promise<void>
  /** The same for a phrase that will be its own: the fact is for whoever asks. */
  writeFor(id: PersonaId, recipient: string, signal?: AbortSignal): Promise<KeptDiary>
  /** For whoever takes it away: no fact says so. Its journal is held open while `take` runs. */
  seal<T>(id: PersonaId, take: (sealed: Sealed) => Promise<T>, signal: AbortSignal): Promise<T>
  /** By its first bytes. */
  kindOf(path: string): Promise<FileKind>
  /** Unpacks one that came from anywhere. DiaryUnopened. */
  open(path: string, identity: string, signal: AbortSignal): Promise<OpenedDiary>
  /** Newest first. */
  list(id: PersonaId): Promise<readonly KeptDiary[]>
  /** By its first bytes. */
  kindOfKept(diary: KeptDiary): Promise<FileKind>
  /** Those that only another phrase than this one opens. */
  removeOthers(id: PersonaId, recipient: string): Promise<void>
  drop(diary: KeptDiary): Promise<void>
  /** Ends whatever is being sealed of it; resolves when nothing of it goes on. Never rejects. */
  cut(id: PersonaId): Promise<void>
  close(): Promise<void>
}

interface Deps {
  readonly home: string
  readonly personas: Personas
  /** Where they are kept. */
  readonly stored: KeptDiaries
  readonly clock: Clock
  readonly log: Log
}

/** Diaries that are taken away at once: each holds a journal open for as long as whoever takes it needs. */
const takenAtOnce = 4

const day = 24 * 60 * 60 * 1000

export const createDiaries = ({ home, personas, stored, clock, log }: Deps): Diaries => {
  const closing = new AbortController()
  /** What is being sealed of whom. */
  const busy = new Map<PersonaId, Set<AbortController>>()
  const taking = createSemaphore(takenAtOnce)
  /** One at a time for each persona. */
  const writing = createKeyedMutex()

  /** When it was last looked at what is kept for a while, by a clock that nobody sets. */
  let looked = performance.now()
  /** What is kept for thirty days. */
  const clear = async () => {
    try {
      const retired = await stored.retired((id) => personas.listed(id) !== undefined)
      const nameOf = ({ id, since }: Retired) => `diaries/${id} ${since}`
      const things = [...retired.map(nameOf), ...(await partedNames(home))]
      const over = await ripe(home, { things, now: clock.now(), elapsed: performance.now() - looked })
      looked = performance.now()
      for (const one of retired) if (over.has(nameOf(one))) await stored.removeAll(one.id)
      await clearParted(home, (name) => over.has(name))
    } catch (err) {
      log.warn({ err }, 'what was kept for a while could not be cleared away')
    }
  }
  /** What a crash left goes before the next is written. */
  const swept = stored
    .sweep()
    .catch((err: unknown) => log.warn({ err }, 'unfinished diaries could not be cleared away'))
  const begun = Promise.all([swept, personas.ready]).then(clear, () => undefined)
  const stopClearing = clock.every(day, () => void clear())

  const cuttable = async <T>(
    id: PersonaId,
    signal: AbortSignal | undefined,
    act: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const cut = new AbortController()
    const all = busy.get(id) ?? new Set()
    busy.set(id, all.add(cut))
    try {
      return await act(AbortSignal.any([cut.signal, closing.signal, ...(signal ? [signal] : [])]))
    } finally {
      all.delete(cut)
      if (all.size === 0) busy.delete(id)
    }
  }

  const sealing = async (
    { persona: { self }, journal }: Reading,
    recipient: string,
    signal: AbortSignal,
  ): Promise<Sealed> => {
    const { head } = journal
    const { id, name, birthday } = self
    // That it is damaged may have shown only when it was opened; what lies before the damage is not all of
    // it.
    const trouble = personas.listed(id)?.trouble ?? null
    if (trouble !== null) throw new Damaged(head.seq + 1, trouble.replace(/^record \d+: /, ''))
    const made = new Date(clock.now()).toISOString()
    const outline = {
      format,
      made,
      product: 'daimon',
      persona: { id, name, birthday, recipient },
      head,
      records: head.seq,
    } as const
    const media = await mediaIn(await personas.mediaFolder(id))
    const onDamaged = (count: number) =>
      log.warn({ id, count }, 'files are damaged: they lie in the diary as they lie in the media folder')
    return { head, bytes: sealDiary({ outline, records: journal.records(head), media, signal, onDamaged }) }
  }

  const seal: Diaries['seal'] = (id, take, signal) => {
    const work = (ended: AbortSignal) =>
      told(
        personas.read(id, async (reading) =>
          take(await sealing(reading, reading.persona.self.recipient, ended)),
        ),
      )
    return taking.run(() => cuttable(id, signal, work), signal)
  }

  const keep = (
    id: PersonaId,
    recipient: string | null,
    signal: AbortSignal | undefined,
  ): Promise<KeptDiary> =>
    cuttable(id, signal, async (ended) => {
      await swept
      const kept = personas.read(id, async (reading) => {
        const whom = recipient ?? reading.persona.self.recipient
        const { head, bytes } = await sealing(reading, whom, ended)
        return stored.keep(id, { made: clock.now(), seq: head.seq, recipient: whom }, bytes)
      })
      return told(kept)
    })

  return {
    write: (id, signal) =>
      writing.run(id, async () => {
        const { seq, bytes } = await keep(id, null, signal)
        await personas.execute(id, { type: 'RecordDiary', upTo: seq, bytes }, 'host')
      }),
    writeFor: (id, recipient, signal) => writing.run(id, () => keep(id, recipient, signal)),
    seal,
    kindOf: async (path) => {
      // With what it takes to open one, which the daemon's start does without.
      const { kindOf } = await import('./unsealing.ts')
      return told(kindOf(path))
    },
    open: (path, identity, signal) => told(openDiary(path, identity, trashFolder(home), signal)),
    kindOfKept: async ({ path }) => {
      const { kindOf } = await import('./unsealing.ts')
      return told(stored.bring(path).then(() => kindOf(path)))
    },
    list: (id) => told(stored.list(id)),
    removeOthers: (id, recipient) => told(stored.removeOthers(id, recipient)),
    drop: ({ path }) => told(stored.drop(path)),
    cut: async (id) => {
      for (const cut of busy.get(id) ?? [])
        cut.abort(new JournalReplaced('the diary was cut off: the journal is being taken away or replaced'))
      await writing.run(id, async () => {})
    },
    close: async () => {
      stopClearing()
      closing.abort()
      await begun
      await writing.idle()
    },
  }
}

const told = async <T>(asked: Promise<T>): Promise<T> => {
  try {
    return await asked
  } catch (error) {
    throw error instanceof Unavailable ? new JournalUnavailable(error.message) : error
  }
}

/** Its files as they lie there now, by their names; nothing else that lies beside them. */
const mediaIn = async (folder: string) => {
  const names = (await readdir(folder).catch(orNothing([]))).filter(isMediaName)
  const found = await Promise.all(
    names.map(async (filename) => {
      const path = join(folder, filename)
      const stats: Stats | undefined = await stat(path).catch(orNothing(undefined))
      return stats?.isFile() ? [{ filename, path, bytes: stats.size }] : []
    }),
  )
  return found.flat()
}

const orNothing =
  <T>(nothing: T) =>
  (cause: unknown): T => {
    if ((cause as { code?: unknown }).code === 'ENOENT') return nothing
    throw new Unavailable('its files cannot be read', { cause })
  }
