/** The files of all personas on a disk that may refuse, or hang. */

import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { isIn } from '../../journal/facts/facts.ts'
import { dropMedia, type KeptMedia, keepMedia, type MediaSource, type Staged, stageMedia } from '../../journal/files/media.ts'
import { Unavailable, Unknown } from '../../journal/log/errors.ts'
import type { Journal } from '../../journal/log/journal.ts'
import { orUnavailable, type Stopwatch } from '../../journal/log/timeout.ts'
import { Refused } from './refusals.ts'
import { JournalUnavailable } from './unavailable.ts'

/** All throw JournalUnavailable. */
export interface MediaKeeper {
  stage(chunks: AsyncIterable<Uint8Array>): Promise<Staged>
  /** Refused: persona_unknown. */
  keep(id: PersonaId, from: MediaSource, extension: string): Promise<KeptMedia>
  drop(id: PersonaId, filename: string): Promise<void>
}

export const createMediaKeeper = (home: string, stopwatch: Stopwatch): MediaKeeper => ({
  stage: (chunks) => told(stageMedia(home, chunks, stopwatch)),
  keep: async (id, from, extension) => {
    const keeping = keepMedia(home, id, from, extension)
    try {
      return await told(orUnavailable(stopwatch, keeping))
    } catch (error) {
      // Where the disk still takes it, it goes when it is there: nobody was told its name.
      keeping.then(({ filename }) => dropMedia(home, id, filename)).catch(() => undefined)
      throw error
    }
  },
  drop: (id, filename) => told(orUnavailable(stopwatch, dropMedia(home, id, filename))),
})

const told = async <T>(asked: Promise<T>): Promise<T> => {
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
export const isNamed = async (journal: Journal, filename: string): Promise<boolean> => {
  for await (const { event } of journal.read({ kind: 'talk', last: mostInDoubt })) {
    if (isIn('talk', event) && event.media?.filename === filename) return true
  }
  return false
}
