/** Searches all output of a daemon for a secret, in every encoding that would reveal it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { personaVocabulary } from '../../facts/facts.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { walk } from '../process/daemon.ts'

export interface Secret {
  readonly name: string
  readonly spellings: readonly Buffer[]
}

export const createSecret = (name: string, value: string | Uint8Array): Secret => {
  const bytes = Buffer.from(value)
  // Base64 of a text that contains it: three alignments, without the letters that depend on neighbours.
  const inside = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  )
  const texts = [
    ...inside,
    ...inside.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    bytes.toString('hex'),
  ]
  return { name, spellings: [bytes, ...texts.map((text) => Buffer.from(text))] }
}

export const isIn = ({ spellings }: Secret, content: string | Buffer): boolean => {
  const bytes = Buffer.from(content)
  return spellings.some((spelling) => bytes.includes(spelling))
}

/** Returns paths of the files that contain it, relative to the home. */
export const filesWith = async (secret: Secret, home: string): Promise<readonly string[]> => {
  const leakedPaths = await Promise.all(
    (await walk(home)).map(async ({ path, folder }) => {
      const bytes = folder ? Buffer.alloc(0) : await readFile(join(home, path)).catch(() => Buffer.alloc(0))
      return isIn(secret, path) || isIn(secret, bytes) ? [path] : []
    }),
  )
  return leakedPaths.flat().sort()
}

/** Decodes the base64 texts in opaque data. */
const decodeParts = (text: string): readonly string[] =>
  (text.match(/[\w+/-]{8,}={0,2}/g) ?? []).map((letters) => Buffer.from(letters, 'base64').toString())

/**
 * Returns all texts in the journals of a closed home. Tables and parts are compressed, so a search of the
 * files is not enough.
 */
export const wordsOfHome = async (home: string): Promise<readonly string[]> => {
  const catalog = await openCatalog(home)
  const texts = [JSON.stringify([...catalog.all()])]
  const journals = openPersonaJournals({
    stores: await openHomeStores(home),
    witness: async (id) => catalog.get(id)?.head,
  })
  for (const id of await journals.ids()) {
    const journal = await journals.open(id, 'reader')
    for await (const { event } of journal.read({})) {
      texts.push(JSON.stringify(event))
      if (event.type !== 'ModelAnswered') continue
      for (const part of personaVocabulary.partsIn(event.type, event)) {
        const text = Buffer.from((await journal.part(part)) ?? []).toString()
        texts.push(text, ...(part === event.opaque ? decodeParts(text) : []))
      }
    }
    await journal.close()
  }
  await catalog.close()
  return texts
}
