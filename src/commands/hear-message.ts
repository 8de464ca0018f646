/** Receives a message on any channel: stores its files, then the fact that names them. */
import type { Channel, HeardMedia, PersonaId } from '../../journal/facts/fact-values.ts'
import type { Staged } from '../../journal/files/media.ts'
import { fittingCharset } from '../../packages/documents/declared-charset.ts'
import { extensionOf, typeOfClip, typeOfFile, unknownType } from '../../packages/documents/media-types.ts'
import type { Executed, Personas } from '../persona/personas.ts'
import type { Words } from '../persona/rules/talk.ts'

export interface Saying {
  readonly channel: Channel
  readonly words: Words
  readonly key: string | null
  /** Stores the file of the message. */
  readonly keep?: () => Promise<HeardMedia>
  /** Store further files of the message. All go into one commit. */
  readonly others?: readonly (() => Promise<HeardMedia>)[]
}

type Keeping = Pick<Personas, 'execute' | 'keepMedia' | 'dropMedia'>

/** Durable when it resolves. Removes files that no fact names. */
export const hearing = async (
  personas: Pick<Keeping, 'execute' | 'dropMedia'>,
  id: PersonaId,
  { channel, words, key, keep, others = [] }: Saying,
): Promise<Executed> => {
  const files: HeardMedia[] = []
  let named = false
  try {
    for (const one of keep ? [keep, ...others] : []) files.push(await one())
    const [media = null, ...rest] = files
    const command = { type: 'Hear', channel, ...words, media, others: rest, key } as const
    const executed = await personas.execute(id, command, 'person')
    named = executed.entries.length > 0
    return executed
  } finally {
    if (!named) for (const { filename } of files) await personas.dropMedia(id, filename)
  }
}

interface IncomingFile extends Pick<HeardMedia, 'name' | 'caption' | 'from' | 'by'> {
  readonly staged: Staged
  /** As its sender names it. */
  readonly charset?: string | null
}

/** Stores a file. Detects its type from its bytes. */
export const keepFile = async (
  personas: Pick<Keeping, 'keepMedia'>,
  id: PersonaId,
  { staged, charset: named = null, ...fields }: IncomingFile,
): Promise<HeardMedia> => {
  const { name } = fields
  const { mime, extension } = await typeOfFile(staged.path)
  // Short texts in old encodings are of no known type.
  const mayBeText = mime === 'text/plain' || mime === unknownType
  const charset = mayBeText && named ? await fittingCharset(staged.path, named) : null
  return {
    ...fields,
    ...(charset && { charset }),
    mime,
    voice: false,
    ...(await personas.keepMedia(id, staged, extensionOf(name) ?? extension)),
  }
}

/** Stores a voice message. The speaker is the person by default. */
export const keepVoice = async (
  personas: Pick<Keeping, 'keepMedia'>,
  id: PersonaId,
  { staged, charset: _, ...fields }: IncomingFile,
): Promise<HeardMedia> => {
  const { name } = fields
  const extension = extensionOf(name) ?? 'webm'
  const mime = await typeOfClip(staged.path, extension)
  return { ...fields, mime, voice: true, ...(await personas.keepMedia(id, staged, extension)) }
}
