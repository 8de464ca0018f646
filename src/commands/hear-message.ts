/**
 * What is said to a persona on any channel: the file that came with it first, then the fact that names it.
 */
import type { Channel, HeardMedia, PersonaId } from '../../journal/facts/fact-values.ts'
import type { Staged } from '../../journal/files/media.ts'
import { extensionOf, typeOfClip, typeOfFile } from '../documents/media-types.ts'
import type { Executed, Personas } from '../persona/personas.ts'
import type { Words } from '../persona/rules/talk.ts'

export interface Saying {
  readonly channel: Channel
  readonly words: Words
  /** The dedupe key. */
  readonly key: string | null
  /** Keeps the file that came with it. */
  readonly keep?: () => Promise<HeardMedia>
  /** Keeps each of the files that came with that one: all are heard at once. */
  readonly others?: readonly (() => Promise<HeardMedia>)[]
}

type Keeping = Pick<Personas, 'execute' | 'keepMedia' | 'dropMedia'>

/** Durable when it resolves. A file that no fact names goes. */
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

interface Came extends Pick<HeardMedia, 'name' | 'caption' | 'from' | 'by'> {
  readonly staged: Staged
}

/** A file, whatever it is: told by its bytes. */
export const keepFile = async (
  personas: Pick<Keeping, 'keepMedia'>,
  id: PersonaId,
  { staged, ...came }: Came,
): Promise<HeardMedia> => {
  const { name } = came
  const { mime, extension } = await typeOfFile(staged.path)
  return {
    ...came,
    mime,
    voice: false,
    ...(await personas.keepMedia(id, staged, extensionOf(name) ?? extension)),
  }
}

/** Somebody speaking: the person themselves, where nothing else is said of it. */
export const keepVoice = async (
  personas: Pick<Keeping, 'keepMedia'>,
  id: PersonaId,
  { staged, ...came }: Came,
): Promise<HeardMedia> => {
  const { name } = came
  const extension = extensionOf(name) ?? 'webm'
  const mime = await typeOfClip(staged.path, extension)
  return { ...came, mime, voice: true, ...(await personas.keepMedia(id, staged, extension)) }
}
