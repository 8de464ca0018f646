/**
 * A persona's keys and tokens by reference: one small file, written whole, so that a key that is swept is
 * gone at once.
 */
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Decoder, Encoder } from '@msgpack/msgpack'
import pLimit from 'p-limit'
import * as z from 'zod'
import type { PersonaId } from '../facts/fact-values.ts'
import { Unavailable } from '../log/errors.ts'
import { uuid } from '../log/persona-id.ts'
import { seal, unseal } from '../log/seal.ts'
import { personaFolders } from './persona-folders.ts'
import { makeFolder, personaFolder, writeWhole } from './places.ts'

const encoder = new Encoder()
const decoder = new Decoder()

const name = Buffer.from('secrets')
const format = 1
// Pairs, no map: a decoder refuses some names as keys.
const File = z.tuple([z.literal(format), z.array(z.tuple([z.string(), z.string()]))])

export interface Secrets {
  /** The file could not be trusted when it was opened: what it held has to be entered again. */
  readonly damaged: boolean
  /** On disk when it resolves, so put it before the fact that refers to it. Unavailable. */
  put(ref: string, value: string): Promise<void>
  get(ref: string): string | undefined
  /** Forgets all but these; their bytes are out of the file when it resolves. Unavailable. */
  sweep(kept: Iterable<string>): Promise<void>
}

/** The keys of all personas. */
export interface SecretStore {
  /** Unavailable. */
  open(id: PersonaId): Promise<Secrets>
  /** A creation failed: what was kept for it goes. */
  discard(id: PersonaId): Promise<void>
  /** A creation that was cut off may have left a folder, and a key in it, without a persona. */
  sweepOrphans(living: ReadonlySet<PersonaId>): Promise<void>
}

/** Those of a home alone. */
export const createSecretStore = (home: string): SecretStore => ({
  open: (id) => openSecrets(home, id),
  discard: async (id) => {
    await removeOrphan(home, id)
    await rmdir(personaFolder(home, id)).catch(() => undefined)
  },
  sweepOrphans: async (living) => {
    const folders = await personaFolders(home).catch(() => [])
    for (const id of folders.filter((one) => !living.has(one))) await removeOrphan(home, id)
  },
})

/**
 * Removes the folder of a creation that was cut off: only keys are in it, or nothing yet under a name that
 * the daemon makes up. Any other folder is not ours to remove.
 */
const removeOrphan = async (home: string, id: PersonaId): Promise<void> => {
  const folder = personaFolder(home, id)
  const inside = await readdir(folder).catch(() => null)
  if (!inside?.every((name) => ofKeys.test(name))) return
  if (inside.length > 0) await rm(folder, { recursive: true, force: true })
  // Fails if something came into it meanwhile.
  else if (madeUp.test(id)) await rmdir(folder).catch(() => undefined)
}

const madeUp = new RegExp(`^${uuid}$`)
const ofKeys = /^secrets(?:\.tmp|\.[0-9a-f-]{36})?$/

/** All of them by their references; none where the file cannot be trusted. Unavailable. */
export const readSecrets = async (home: string, id: PersonaId): Promise<ReadonlyMap<string, string>> => {
  const bytes = await contents(join(personaFolder(home, id), 'secrets'))
  return (bytes && parse(bytes)) ?? new Map()
}

export const openSecrets = async (home: string, id: PersonaId): Promise<Secrets> => {
  const folder = personaFolder(home, id)
  const path = join(folder, 'secrets')
  // A draft that a crash left behind may hold what was swept since.
  await rm(`${path}.tmp`, { force: true })
  const bytes = await contents(path)
  const read = bytes && parse(bytes)
  let values: ReadonlyMap<string, string> = read ?? new Map()

  const alone = pLimit(1)
  const change = (make: () => ReadonlyMap<string, string>): Promise<void> =>
    alone(async () => {
      const next = make()
      if (next === values) return
      await save(folder, path, next)
      values = next
    })

  return {
    damaged: bytes !== undefined && read === undefined,
    get: (ref) => values.get(ref),
    put: (ref, value) => change(() => (values.get(ref) === value ? values : new Map(values).set(ref, value))),
    sweep: (kept) =>
      change(() => {
        const wanted = new Set(kept)
        const left = new Map([...values].filter(([ref]) => wanted.has(ref)))
        return left.size === values.size ? values : left
      }),
  }
}

const contents = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path)
  } catch (cause) {
    const { code } = cause as { code?: unknown }
    if (code === 'ENOENT') return undefined
    if (code === 'EISDIR') return stray(path)
    // Not taken for an empty one: the next put would write over keys that are still there.
    throw new Unavailable('the secrets cannot be read', { cause })
  }
}

/**
 * A folder in its place holds no key, and keeps every one from being written: it is moved aside, and counts
 * as a file that cannot be trusted.
 */
const stray = async (path: string): Promise<Buffer> => {
  try {
    await rename(path, `${path}.${randomUUID()}`)
  } catch (cause) {
    throw new Unavailable('the secrets cannot be read', { cause })
  }
  return Buffer.alloc(0)
}

const parse = (bytes: Buffer): ReadonlyMap<string, string> | undefined => {
  const value = unseal(name, bytes)
  const file = value && File.safeParse(decoder.decode(value))
  return file?.success ? new Map(file.data[1]) : undefined
}

const save = async (folder: string, path: string, values: ReadonlyMap<string, string>): Promise<void> => {
  try {
    await makeFolder(folder)
    await writeWhole(path, seal(name, encoder.encode([format, [...values]])))
  } catch (cause) {
    throw new Unavailable('the secrets cannot be written', { cause })
  }
}
