/** Stores media files: before the fact that names them, and removes them if no fact does. */
import { basename, join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import { isIn } from '../../facts/facts.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { type MediaStore, stageMedia } from '../../home/media.ts'
import { mediaFolder } from '../../home/places.ts'
import { Damaged, Unavailable, Unknown } from '../../journal/log/errors.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { Log } from '../../packages/kit/log.ts'
import { committedPersona, requireGate } from './journal-handle.ts'
import type { JournalPool } from './journal-pool.ts'
import type { MediaIntegrity } from './media-integrity.ts'
import type { PersonaStore } from './persona-store.ts'
import { JournalUnavailable, Refused } from './refusals.ts'
import type { Roster } from './roster.ts'

interface Deps {
  readonly home: string
  readonly roster: Roster
  readonly pool: JournalPool
  readonly sound: MediaIntegrity
  readonly media: MediaStore
  readonly stopwatch: Stopwatch
  readonly log: Log
  /** Throws Refused: persona_unknown. */
  readonly assertKnown: (id: PersonaId) => Promise<void>
}

type PersonaMedia = Pick<
  PersonaStore,
  'mediaFolder' | 'mediaPath' | 'stageMedia' | 'keepMedia' | 'dropMedia' | 'isSound' | 'isSoundFile'
>

export const createPersonaMedia = ({
  home,
  roster,
  pool,
  sound,
  media,
  stopwatch,
  log,
  assertKnown,
}: Deps): PersonaMedia => ({
  mediaFolder: async (id) => {
    await mapStoreErrors(media.bringAll(id))
    return mediaFolder(home, id)
  },
  mediaPath: async (id, filename) => {
    await mapStoreErrors(media.bring(id, filename))
    return join(mediaFolder(home, id), basename(filename))
  },
  stageMedia: (chunks) => mapStoreErrors(stageMedia(home, chunks, stopwatch)),
  keepMedia: async (id, from, extension) => {
    await assertKnown(id)
    return mapStoreErrors(media.keep(id, from, extension))
  },
  dropMedia: async (id, filename) => {
    if (!roster.get(id)) return
    const dropTask = pool.use(id, async (handle) => {
      // Settles a write in doubt first: the fact that names the file may be on disk.
      await requireGate(handle).write(async () => {})
      const { self, skills } = committedPersona(handle)
      const isSkill = skills.some(({ pack }) => pack.filename === filename)
      const isPortrait = self.portrait?.filename === filename
      if (!isSkill && !isPortrait && !(await isNamed(handle.journal, filename)))
        await media.drop(id, filename)
    })
    await dropTask.catch((err: unknown) => log.warn({ id, err }, 'failed to remove an unused file'))
  },
  isSound: (id, media) => mapStoreErrors(sound.isSound(id, media)),
  isSoundFile: async (id, filename) => {
    await assertKnown(id)
    const checksum = await pool
      .use(id, ({ journal }) => sound.findNamed(id, filename, journal))
      .catch((error: unknown) => {
        // No readable fact names it, and later ones cannot be read.
        if (error instanceof Damaged) return undefined
        throw error
      })
    return !checksum || mapStoreErrors(sound.isSound(id, checksum))
  },
})

const mapStoreErrors = async <T>(request: Promise<T>): Promise<T> => {
  try {
    return await request
  } catch (error) {
    if (error instanceof Unknown) throw new Refused({ code: 'persona_unknown' })
    throw error instanceof Unavailable ? new JournalUnavailable(error.message) : error
  }
}

/** Exceeds the writes in flight: a fact in doubt is among the last ones. */
const maxInDoubt = 1000

/** Whether one of the last facts names the file. */
const isNamed = async (journal: Journal, filename: string): Promise<boolean> => {
  for await (const { event } of journal.read({ kind: 'talk', last: maxInDoubt })) {
    if (isIn('talk', event) && event.media?.filename === filename) return true
  }
  return false
}
