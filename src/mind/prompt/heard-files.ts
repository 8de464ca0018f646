/** Stores the files of a talk, reads them, and attaches them to prompts. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Media, Seq } from '../../../facts/fact-values.ts'
import { isIn } from '../../../facts/facts.ts'
import type { Entry } from '../../../facts/persona-journal.ts'
import type { Shown } from '../../../packages/models/mind.ts'
import type { Perception } from './recent-talk.ts'
import type { TalkItem } from './talk-items.ts'

export interface Files {
  /** Returns the path of a file, even if the file is missing. Throws JournalUnavailable. */
  path(filename: string): Promise<string>
  /** Returns true if the file matches its fact, has no checksum, or is missing. */
  isSound(media: Media): Promise<boolean>
  /** Resolves when the file is on disk. No fact refers to it yet. Throws JournalUnavailable. */
  storeFile(bytes: Uint8Array, extension: string): Promise<Pick<Media, 'filename' | 'bytes' | 'sha256'>>
  /** Deletes a file that no fact refers to. Never rejects. */
  drop(filename: string): Promise<void>
}

/** Descriptions of files, by the message with the file. */
export type Perceptions = ReadonlyMap<Seq, Perception>

export const listMedia = ({ event }: Entry): Media | null => (isIn('talk', event) ? event.media : null)

/**
 * Returns the file for a prompt. Its bytes are read when the prompt is sent, and must match the hash in the
 * fact.
 */
export const toShownFile = (media: Media, files: Files): Shown => ({
  name: media.name,
  mime: media.mime,
  sha256: media.sha256 ?? '',
  bytes: async () => {
    const bytes = await readFile(await files.path(media.filename))
    if (media.sha256 !== null && hash('sha256', bytes) !== media.sha256)
      throw new Error(`the file ${media.filename} has changed on disk`)
    return bytes
  },
})

/** Bytes. A larger file is attached only in its own turn. */
const maxRepeatedBytes = 4 * 1024 * 1024

/**
 * Returns the files that the prompt of a turn attaches, by message: those of the turn, and the pictures of
 * earlier turns since the prompt's base, so that the same model sees the same prefix.
 */
export const listFiles = (
  items: readonly TalkItem[],
  { turn, since }: { readonly turn: Seq; readonly since: Seq },
  perceptions: Perceptions,
  files: Files,
): ReadonlyMap<Seq, Shown> =>
  new Map(
    items.flatMap((item) => {
      const media = item.kind === 'message' ? listMedia(item.entry) : null
      if (item.kind !== 'message' || !media || perceptions.get(item.entry.seq)?.outcome !== 'shown') return []
      const isRepeated =
        (item.turn ?? 0) >= since && media.mime.startsWith('image/') && (media.bytes ?? 0) <= maxRepeatedBytes
      if (item.turn !== turn && !isRepeated) return []
      // Models accept an APNG as a PNG.
      const mime = media.mime === 'image/apng' ? 'image/png' : media.mime
      return [[item.entry.seq, toShownFile({ ...media, mime }, files)] as const]
    }),
  )
