/** Looks for a secret in everything a daemon leaves behind, in every spelling that would give it away. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openCatalog } from '../../journal/leveldb/catalog.ts'
import { openLevelStores } from '../../journal/leveldb/level-stores.ts'
import { openJournals } from '../../journal/log/journals.ts'
import { partsNamedBy } from '../../journal/log/parts.ts'
import { walk } from '../process/daemon.ts'

export interface Secret {
  readonly name: string
  readonly spellings: readonly Buffer[]
}

export const secretOf = (name: string, value: string | Uint8Array): Secret => {
  const bytes = Buffer.from(value)
  // Base64 of a text that it stands in the middle of: three ways, without the letters its neighbours change.
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

export const isIn = ({ spellings }: Secret, where: string | Buffer): boolean => {
  const bytes = Buffer.from(where)
  return spellings.some((spelling) => bytes.includes(spelling))
}

/** Paths of the files that hold it, relative to the home. */
export const filesWith = async (secret: Secret, home: string): Promise<readonly string[]> => {
  const found = await Promise.all(
    (await walk(home)).map(async ({ path, folder }) => {
      const bytes = folder ? Buffer.alloc(0) : await readFile(join(home, path)).catch(() => Buffer.alloc(0))
      return isIn(secret, path) || isIn(secret, bytes) ? [path] : []
    }),
  )
  return found.flat().sort()
}

/** Decodes the base64 texts in opaque data. */
const decodedIn = (text: string): readonly string[] =>
  (text.match(/[\w+/-]{8,}={0,2}/g) ?? []).map((letters) => Buffer.from(letters, 'base64').toString())

/**
 * All that the journals of a closed home say: tables and parts are packed, so their files alone would not
 * show it.
 */
export const wordsOfHome = async (home: string): Promise<readonly string[]> => {
  const catalog = await openCatalog(home)
  const words = [JSON.stringify([...catalog.all()])]
  const journals = openJournals({
    stores: await openLevelStores(home),
    witness: async (id) => catalog.get(id)?.head,
  })
  for (const id of await journals.ids()) {
    const journal = await journals.open(id, 'reader')
    for await (const { event } of journal.read({})) {
      words.push(JSON.stringify(event))
      if (event.type !== 'ModelAnswered') continue
      for (const part of partsNamedBy(event)) {
        const text = Buffer.from((await journal.part(part)) ?? []).toString()
        words.push(text, ...(part === event.opaque ? decodedIn(text) : []))
      }
    }
    await journal.close()
  }
  await catalog.close()
  return words
}
