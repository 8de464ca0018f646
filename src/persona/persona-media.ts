/**
 * The files of all personas, on a disk that may refuse, or hang: kept before the fact that names them,
 * dropped where none does.
 */
import { basename, join } from 'node:path'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { isIn } from '../../journal/facts/facts.ts'
import { type MediaStore, stageMedia } from '../../journal/files/media.ts'
import { mediaFolder } from '../../journal/files/places.ts'
import { Damaged, Unavailable, Unknown } from '../../journal/log/errors.ts'
import type { Journal } from '../../journal/log/journal.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { Log } from '../log.ts'
import type { JournalPool } from './journal-pool.ts'
import { gateOf, personaOf } from './opened.ts'
import type { Personas } from './personas.ts'
import { Refused } from './refusals.ts'
import type { Roster } from './roster.ts'
import type { SoundMedia } from './sound-media.ts'
import { JournalUnavailable } from './unavailable.ts'

interface Deps {
  readonly home: string
  readonly roster: Roster
  readonly pool: JournalPool
  readonly sound: SoundMedia
  readonly media: MediaStore
  readonly stopwatch: Stopwatch
  readonly log: Log
  /** Refused: persona_unknown. */
  readonly known: (id: PersonaId) => Promise<void>
}

type PersonaMedia = Pick<
  Personas,
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
  known,
}: Deps): PersonaMedia => ({
  mediaFolder: async (id) => {
    await orRefused(media.bringAll(id))
    return mediaFolder(home, id)
  },
  mediaPath: async (id, filename) => {
    await orRefused(media.bring(id, filename))
    return join(mediaFolder(home, id), basename(filename))
  },
  stageMedia: (chunks) => orRefused(stageMedia(home, chunks, stopwatch)),
  keepMedia: async (id, from, extension) => {
    await known(id)
    return orRefused(media.keep(id, from, extension))
  },
  dropMedia: async (id, filename) => {
    if (!roster.get(id)) return
    const unnamed = pool.use(id, async (opened) => {
      // Healed first: the fact that names it may have been kept after all.
      await gateOf(opened).write(async () => {})
      const isSkill = personaOf(opened).skills.some(({ pack }) => pack.filename === filename)
      if (!isSkill && !(await isNamed(opened.journal, filename))) await media.drop(id, filename)
    })
    await unnamed.catch((err: unknown) =>
      log.warn({ id, err }, 'a file that no fact names could not be removed'),
    )
  },
  isSound: (id, named) => orRefused(sound.isSound(id, named)),
  isSoundFile: async (id, filename) => {
    await known(id)
    const vouched = await pool
      .use(id, ({ journal }) => sound.named(id, filename, journal))
      .catch((error: unknown) => {
        // Up to the damage nobody named it, and nobody can say who does behind it.
        if (error instanceof Damaged) return undefined
        throw error
      })
    return !vouched || orRefused(sound.isSound(id, vouched))
  },
})

const orRefused = async <T>(asked: Promise<T>): Promise<T> => {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Unknown) throw new Refused({ code: 'persona_unknown' })
    throw error instanceof Unavailable ? new JournalUnavailable(error.message) : error
  }
}

/** More than can be on their way to the disk at once: a fact that was in doubt is among the last. */
const mostInDoubt = 1000

/** Whether one of the last facts names the file. */
const isNamed = async (journal: Journal, filename: string): Promise<boolean> => {
  for await (const { event } of journal.read({ kind: 'talk', last: mostInDoubt })) {
    if (isIn('talk', event) && event.media?.filename === filename) return true
  }
  return false
}
