/** Stores the files of an incoming message. If a file cannot be fetched, a note takes its place. */
import type { Channel, MessagePart, PersonaId } from '../../facts/fact-values.ts'
import type { Staged } from '../../home/media.ts'
import { plainName } from '../../packages/kit/files/file-name.ts'
import { toReadable } from '../../projections/message-parts.ts'
import { keepFile, keepVoice, receiveMessage } from '../commands/talk.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { isUnavailable } from '../persona/refusals.ts'
import { type IncomingFile, SendError } from './platform.ts'

/** The files and the text of one message. All of it is stored in one commit, under `key`. */
interface CameFiles {
  readonly id: PersonaId
  readonly channel: Channel
  readonly files: readonly IncomingFile[]
  readonly parts: readonly MessagePart[]
  readonly key: string
}

interface Deps {
  readonly personas: PersonaStore
  /** Max bytes of one file. */
  readonly limits: { readonly upload: number }
  readonly closing: AbortSignal
}

/** Max attempts to fetch a file. */
const maxTries = 3
/** Max files whose failed attempts are counted. */
const maxRemembered = 100

/**
 * The returned function resolves when the message is durable. It rejects if a file may be available later.
 */
export const createFileHearing = ({ personas, limits, closing }: Deps) => {
  /** Number of failed attempts by message key and file index. */
  const failures = new Map<string, number>()

  /**
   * Resolves to the staged file, or to a text that says why it is missing. Rejects if the file may be
   * available later.
   */
  const stageFile = async (file: IncomingFile, key: string) => {
    try {
      const stagedFile = await personas.stageMedia(limitBytes(file.bytes(closing), limits.upload))
      failures.delete(key)
      return stagedFile
    } catch (error) {
      // The local disk failed, not the platform. The platform sends the message again until the disk works.
      if (closing.aborted || (!(error instanceof SendError) && isUnavailable(error))) throw error
      const tries = (failures.get(key) ?? 0) + 1
      failures.set(key, tries)
      if (failures.size > maxRemembered) failures.delete([...failures.keys()][0] ?? '')
      if (!(error instanceof SendError && error.lasting) && tries < maxTries) throw error
      failures.delete(key)
      return error instanceof SendError ? error.message : 'It could not be fetched.'
    }
  }

  return async ({ id, channel, files, parts, key }: CameFiles): Promise<void> => {
    // The message may be stored already. Then its files need not be fetched again.
    if (await personas.read(id, async ({ journal }) => (await journal.findByKey(key)) !== undefined)) return
    const stagedFiles: { readonly file: IncomingFile; readonly staged: Staged }[] = []
    const notes: MessagePart[] = []
    try {
      for (const [n, file] of files.entries()) {
        const result = await stageFile(file, `${key}#${n}`)
        if (typeof result === 'string') notes.push(toNote(result))
        else stagedFiles.push({ file, staged: result })
      }
      const words = { parts: [...parts, ...notes] }
      const [keepFirst, ...otherFiles] = stagedFiles.map(({ file, staged: stagedFile }, n) => {
        const { name, voice, from, by } = file
        const caption = n === 0 ? toReadable(parts) : ''
        const arrival = { name: plainName(name), caption, from, by, staged: stagedFile }
        return () => (voice ? keepVoice(personas, id, arrival) : keepFile(personas, id, arrival))
      })
      await receiveMessage(personas, id, {
        channel,
        words,
        key,
        ...(keepFirst && { keepFile: keepFirst, keepOtherFiles: otherFiles }),
      })
    } finally {
      for (const item of stagedFiles) await item.staged.drop()
    }
  }
}

const toNote = (reason: string): MessagePart => ({
  from: 'daemon',
  by: null,
  text: `[A file came with this that could not be taken. ${reason}]`,
})

async function* limitBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > maxBytes)
      throw new SendError(`It is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB.`, { lasting: true })
    yield chunk
  }
}
