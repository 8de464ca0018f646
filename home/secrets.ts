/**
 * Stores a persona's keys and tokens by reference in one small file. The file is always rewritten as a whole,
 * so that a removed key leaves the disk immediately.
 */
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Decoder, Encoder } from '@msgpack/msgpack'
import pLimit from 'p-limit'
import * as z from 'zod'
import type { PersonaId } from '../facts/fact-values.ts'
import { makeFolder, writeWhole } from '../journal/leveldb/durable-files.ts'
import { addChecksum, checkChecksum } from '../journal/log/checksummed-value.ts'
import { Unavailable } from '../journal/log/errors.ts'
import { uuid } from '../journal/log/journal-id.ts'
import { personaFolder, personaFolders } from './places.ts'

const encoder = new Encoder()
const decoder = new Decoder()

const name = Buffer.from('secrets')
const format = 1
// Pairs instead of a map, because the decoder rejects some names as keys.
const File = z.tuple([z.literal(format), z.array(z.tuple([z.string(), z.string()]))])

export interface Secrets {
  /** The file was damaged when it was opened: the user must enter the secrets again. */
  readonly damaged: boolean
  /** Durable when it resolves. Call it before writing the fact that refers to the key. Throws Unavailable. */
  put(ref: string, value: string): Promise<void>
  get(ref: string): string | undefined
  /** Removes all other keys from the file. Throws Unavailable. */
  sweep(refs: Iterable<string>): Promise<void>
}

/** The secrets of all personas. */
export interface SecretStore {
  /** Throws Unavailable. */
  open(id: PersonaId): Promise<Secrets>
  /** Removes the secrets of a persona whose creation failed. */
  discard(id: PersonaId): Promise<void>
  /** Removes folders of interrupted creations, which may hold a key but no persona. */
  sweepOrphans(livingIds: ReadonlySet<PersonaId>): Promise<void>
}

/** Creates a store that uses only the home's file system. */
export const createSecretStore = (home: string): SecretStore => ({
  open: (id) => openSecrets(home, id),
  discard: async (id) => {
    await removeOrphan(home, id)
    await rmdir(personaFolder(home, id)).catch(() => undefined)
  },
  sweepOrphans: async (livingIds) => {
    const folders = await personaFolders(home).catch(() => [])
    for (const id of folders.filter((folder) => !livingIds.has(folder))) await removeOrphan(home, id)
  },
})

/**
 * Removes the folder of an interrupted creation if it contains only secrets, or is empty and has a generated
 * name. Other folders may belong to the user.
 */
const removeOrphan = async (home: string, id: PersonaId): Promise<void> => {
  const folder = personaFolder(home, id)
  const names = await readdir(folder).catch(() => null)
  if (!names?.every((name) => ofKeys.test(name))) return
  if (names.length > 0) await rm(folder, { recursive: true, force: true })
  // Fails if a file was added meanwhile.
  else if (madeUp.test(id)) await rmdir(folder).catch(() => undefined)
}

const madeUp = new RegExp(`^${uuid}$`)
const ofKeys = /^secrets(?:\.tmp|\.[0-9a-f-]{36})?$/

/** Returns all secrets by reference; none if the file is damaged. Throws Unavailable. */
export const readSecrets = async (home: string, id: PersonaId): Promise<ReadonlyMap<string, string>> => {
  const bytes = await contents(join(personaFolder(home, id), 'secrets'))
  return (bytes && parse(bytes)) ?? new Map()
}

export const openSecrets = async (home: string, id: PersonaId): Promise<Secrets> => {
  const folder = personaFolder(home, id)
  const path = join(folder, 'secrets')
  // A temporary file that a crash left may hold removed keys.
  await rm(`${path}.tmp`, { force: true })
  const bytes = await contents(path)
  const read = bytes && parse(bytes)
  let values: ReadonlyMap<string, string> = read ?? new Map()

  const limit = pLimit(1)
  const change = (make: () => ReadonlyMap<string, string>): Promise<void> =>
    limit(async () => {
      const next = make()
      if (next === values) return
      await save(folder, path, next)
      values = next
    })

  return {
    damaged: bytes !== undefined && read === undefined,
    get: (ref) => values.get(ref),
    put: (ref, value) => change(() => (values.get(ref) === value ? values : new Map(values).set(ref, value))),
    sweep: (refs) =>
      change(() => {
        const keptRefs = new Set(refs)
        const keptValues = new Map([...values].filter(([ref]) => keptRefs.has(ref)))
        return keptValues.size === values.size ? values : keptValues
      }),
  }
}

const contents = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path)
  } catch (cause) {
    const { code } = cause as { code?: unknown }
    if (code === 'ENOENT') return undefined
    if (code === 'EISDIR') return readStray(path)
    // Do not treat an unreadable file as empty: the next put would overwrite its keys.
    throw new Unavailable('the secrets cannot be read', { cause })
  }
}

/** A folder at the path would prevent all writes. It is renamed, and the secrets count as damaged. */
const readStray = async (path: string): Promise<Buffer> => {
  try {
    await rename(path, `${path}.${randomUUID()}`)
  } catch (cause) {
    throw new Unavailable('the secrets cannot be read', { cause })
  }
  return Buffer.alloc(0)
}

const parse = (bytes: Buffer): ReadonlyMap<string, string> | undefined => {
  const value = checkChecksum(name, bytes)
  const file = value && File.safeParse(decoder.decode(value))
  return file?.success ? new Map(file.data[1]) : undefined
}

const save = async (folder: string, path: string, values: ReadonlyMap<string, string>): Promise<void> => {
  try {
    await makeFolder(folder)
    await writeWhole(path, addChecksum(name, encoder.encode([format, [...values]])))
  } catch (cause) {
    throw new Unavailable('the secrets cannot be written', { cause })
  }
}
