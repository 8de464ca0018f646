/** Finds a file of the conversation by its stored name or its original name. Returns the latest match. */
import type { Media, Seq } from '../../../facts/fact-values.ts'
import { listMedia } from '../prompt/heard-files.ts'
import { attribute } from '../prompt/marked-data.ts'
import type { ToolContext } from './tool.ts'

/** The error for a file whose bytes do not match its fact. */
export const damagedFile =
  'The file is damaged: what lies on the disk is not what came. Ask them to send it again.'

export const findFile = async (
  { journal, persona }: ToolContext,
  requestedName: string,
): Promise<{ readonly media: Media; readonly seq: Seq } | undefined> => {
  const name = requestedName.trim().toLowerCase()
  let match: { media: Media; seq: Seq } | undefined
  for await (const entry of journal.read({ kind: 'talk' })) {
    const media = persona.talk.hidden[entry.seq] ? null : listMedia(entry)
    // The prompt shows names in the form that `attribute` returns.
    if (
      media &&
      [media.filename, media.name, attribute(media.name)].some(
        (fileName) => fileName.trim().toLowerCase() === name,
      )
    )
      match = { media, seq: entry.seq }
  }
  return match
}
