/** Finds a file of the conversation by its stored name or its original name. Returns the latest match. */
import type { Media, Seq } from '../../../journal/facts/fact-values.ts'
import { mediaOf } from '../prompt/heard-files.ts'
import { attribute } from '../prompt/marked-data.ts'
import type { ToolContext } from './tool.ts'

/** The error for a file whose bytes do not match its fact. */
export const damagedFile =
  'The file is damaged: what lies on the disk is not what came. Ask them to send it again.'

export const findFile = async (
  { journal }: ToolContext,
  wanted: string,
): Promise<{ readonly media: Media; readonly seq: Seq } | undefined> => {
  const name = wanted.trim().toLowerCase()
  let found: { media: Media; seq: Seq } | undefined
  for await (const entry of journal.read({ kind: 'talk' })) {
    const media = mediaOf(entry)
    // The prompt shows names in the form that `attribute` returns.
    if (
      media &&
      [media.filename, media.name, attribute(media.name)].some((one) => one.trim().toLowerCase() === name)
    )
      found = { media, seq: entry.seq }
  }
  return found
}
