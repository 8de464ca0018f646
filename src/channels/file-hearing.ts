/** A file that comes with a message of a platform: fetched once, or told of in its place. */
import type { Channel, MessagePart, PersonaId } from '../../journal/facts/fact-values.ts'
import type { Staged } from '../../journal/files/media.ts'
import { plainName } from '../../packages/kit/files/file-name.ts'
import { readableOf } from '../../projections/message-parts.ts'
import { hearing, keepFile, keepVoice } from '../commands/talk.ts'
import type { Personas } from '../persona/persona-store.ts'
import { isUnavailable } from '../persona/refusals.ts'
import { type HeardFile, SendError } from './platform.ts'

/** What came, and the words beside it; the key that all of it is heard under, in one commit. */
interface CameFiles {
  readonly id: PersonaId
  readonly channel: Channel
  readonly files: readonly HeardFile[]
  readonly parts: readonly MessagePart[]
  readonly key: string
}

interface Deps {
  readonly personas: Personas
  /** Bytes of one file. */
  readonly limits: { readonly upload: number }
  readonly closing: AbortSignal
}

/** As often as a file is asked for that does not come. */
const mostTries = 3
/** Messages whose files are remembered not to have come. */
const mostRemembered = 100

/** What it makes is durable when it resolves, and rejects where the file may come later. */
export const createFileHearing = ({ personas, limits, closing }: Deps) => {
  /** How often a file did not come, by the key it would be heard under. */
  const failures = new Map<string, number>()

  /** A file that will not come is told of in its place. Rejects where it may come later. */
  const staged = async (file: HeardFile, key: string) => {
    try {
      const got = await personas.stageMedia(within(file.bytes(closing), limits.upload))
      failures.delete(key)
      return got
    } catch (error) {
      // The disk's, not the platform's: told again later, for as long as it takes.
      if (closing.aborted || (!(error instanceof SendError) && isUnavailable(error))) throw error
      const tries = (failures.get(key) ?? 0) + 1
      failures.set(key, tries)
      if (failures.size > mostRemembered) failures.delete([...failures.keys()][0] ?? '')
      if (!(error instanceof SendError && error.lasting) && tries < mostTries) throw error
      failures.delete(key)
      return error instanceof SendError ? error.message : 'It could not be fetched.'
    }
  }

  return async ({ id, channel, files, parts, key }: CameFiles): Promise<void> => {
    // Fetched once: what was heard is heard.
    if (await personas.read(id, async ({ journal }) => (await journal.heard(key)) !== undefined)) return
    const got: { readonly file: HeardFile; readonly staged: Staged }[] = []
    const notes: MessagePart[] = []
    try {
      for (const [n, file] of files.entries()) {
        const one = await staged(file, `${key}#${n}`)
        if (typeof one === 'string') notes.push(lost(one))
        else got.push({ file, staged: one })
      }
      const words = { parts: [...parts, ...notes] }
      const [keep, ...others] = got.map(({ file, staged: taken }, n) => {
        const { name, voice, from, by } = file
        const caption = n === 0 ? readableOf(parts) : ''
        const came = { name: plainName(name), caption, from, by, staged: taken }
        return () => (voice ? keepVoice(personas, id, came) : keepFile(personas, id, came))
      })
      await hearing(personas, id, { channel, words, key, ...(keep && { keep, others }) })
    } finally {
      for (const one of got) await one.staged.drop()
    }
  }
}

const lost = (why: string): MessagePart => ({
  from: 'daemon',
  by: null,
  text: `[A file came with this that could not be taken. ${why}]`,
})

async function* within(chunks: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > most)
      throw new SendError(`It is larger than ${Math.floor(most / 1024 / 1024)} MiB.`, { lasting: true })
    yield chunk
  }
}
