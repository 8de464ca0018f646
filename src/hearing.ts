/** What is said to her on any channel: the file that came with it first, then the fact that names it. */
import type { Channel, Media, PersonaId } from '../journal/events.ts'
import type { Staged } from '../journal/media.ts'
import { extensionOf, typeOfClip, typeOfFile } from './media-types.ts'
import type { Executed, Personas } from './persona/personas.ts'

export interface Saying {
  readonly channel: Channel
  readonly content: string
  /** The dedupe key. */
  readonly key: string | null
  /** Makes the file hers that came with it. */
  readonly keep?: () => Promise<Media>
}

type Keeping = Pick<Personas, 'execute' | 'keepMedia' | 'dropMedia'>

/** Durable when it resolves. A file that no fact names goes. */
export const hearing = async (
  personas: Pick<Keeping, 'execute' | 'dropMedia'>,
  id: PersonaId,
  { channel, content, key, keep }: Saying,
): Promise<Executed> => {
  const media = keep ? await keep() : null
  let named = false
  try {
    const executed = await personas.execute(id, { type: 'Hear', channel, content, media, key }, 'person')
    named = executed.entries.length > 0
    return executed
  } finally {
    if (media && !named) await personas.dropMedia(id, media.filename)
  }
}

interface Came {
  /** As it was called where it came from. */
  readonly name: string
  readonly caption: string
  readonly staged: Staged
}

/** A file, whatever it is: told by its bytes. */
export const keepFile = async (personas: Pick<Keeping, 'keepMedia'>, id: PersonaId, { name, caption, staged }: Came): Promise<Media> => {
  const { mime, extension } = await typeOfFile(staged.path)
  return { name, mime, caption, voice: false, ...(await personas.keepMedia(id, staged, extensionOf(name) ?? extension)) }
}

/** The person's own words as they spoke them. */
export const keepVoice = async (personas: Pick<Keeping, 'keepMedia'>, id: PersonaId, { name, caption, staged }: Came): Promise<Media> => {
  const extension = extensionOf(name) ?? 'webm'
  const mime = await typeOfClip(staged.path, extension)
  return { name, mime, caption, voice: true, ...(await personas.keepMedia(id, staged, extension)) }
}
