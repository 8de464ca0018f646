/** Its files as a turn sees them: kept, found again, and shown to a model beside words. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Media, Seq } from '../../../journal/facts/fact-values.ts'
import { isIn } from '../../../journal/facts/facts.ts'
import type { Entry } from '../../../journal/log/journal.ts'
import type { Shown } from '../../../packages/models/mind.ts'
import type { Seen } from './recent-talk.ts'

export interface Files {
  /** Where a file of its own lies, whether it is still there or not. JournalUnavailable. */
  path(filename: string): Promise<string>
  /** Whether it is still what the fact that names it says; also one that is gone. */
  isSound(media: Media): Promise<boolean>
  /** On disk when it resolves; no fact names it yet. JournalUnavailable. */
  keep(bytes: Uint8Array, extension: string): Promise<Pick<Media, 'filename' | 'bytes' | 'sha256'>>
  /** For one that no fact names. Never rejects. */
  drop(filename: string): Promise<void>
}

/** What was perceived of a file, by the message it came with. */
export type Perceived = ReadonlyMap<Seq, Seen>

export const mediaOf = ({ event }: Entry): Media | null => (isIn('talk', event) ? event.media : null)

/** As a model is shown it: read when it is sent, and then no other than the fact says. */
export const shown = (media: Media, files: Files): Shown => ({
  name: media.name,
  mime: media.mime,
  sha256: media.sha256 ?? '',
  bytes: async () => {
    const bytes = await readFile(await files.path(media.filename))
    if (media.sha256 !== null && hash('sha256', bytes) !== media.sha256)
      throw new Error(`the file ${media.filename} is not what it was`)
    return bytes
  },
})

/** The files that its Mind itself is shown in this turn, by the message they came with. */
export const filesOf = (
  heard: readonly Entry[],
  perceived: Perceived,
  files: Files,
): ReadonlyMap<Seq, Shown> =>
  new Map(
    heard.flatMap((entry) => {
      const media = mediaOf(entry)
      if (!media || perceived.get(entry.seq)?.outcome !== 'shown') return []
      // A picture that moves is a picture.
      const mime = media.mime === 'image/apng' ? 'image/png' : media.mime
      return [[entry.seq, shown({ ...media, mime }, files)] as const]
    }),
  )
