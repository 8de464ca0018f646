/**
 * Findings about the servers of models: the form of an address under which they answer, which of two APIs
 * they have, and the fields that they refuse by name. One small file in the home, so that a restart does not
 * ask again. It holds addresses without credentials and queries, names of models and of remedies, and no word
 * of a request. A file that cannot be read is ignored.
 */
import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { writeWhole } from '../../../journal/files/places.ts'
import type { Log } from '../../kit/log.ts'
import type { FoundBases } from './base-addresses.ts'
import type { KnownWay } from './chat-ways.ts'
import { createRefusedFields, type RefusedFields } from './refused-fields.ts'
import { remedies } from './remedies.ts'

interface Server {
  readonly url: string
  readonly model: string
}

export interface ServerMemory {
  bases(server: Server): FoundBases
  way(server: Server): KnownWay
  refused(server: Server): RefusedFields
  /** Resolves when everything is written or has failed to be. Never rejects. */
  close(): Promise<void>
}

interface Deps {
  /** Left out: nothing is read or written. */
  readonly file?: string | undefined
  readonly log?: Log | undefined
  readonly now: () => number
}

const Addresses = z.record(z.string(), z.record(z.string(), z.string()))
const Models = z.record(
  z.string(),
  z.object({
    way: z.enum(['chat', 'responses']).optional(),
    /** By the name of a remedy, epoch milliseconds. */
    refused: z.record(z.string(), z.number()),
  }),
)
const Kept = z.object({ version: z.literal(1), addresses: Addresses, models: Models })
type Kept = z.infer<typeof Kept>

/** Max addresses, and models, in the file: the newest. */
const maxKept = 500
const maxBytes = 1024 * 1024

export const createServerMemory = ({ file, log, now }: Deps): ServerMemory => {
  const kept = (file !== undefined && readKept(file, log)) || { version: 1, addresses: {}, models: {} }
  const bases = new Map(Object.entries(kept.addresses).map(([at, found]) => [at, ownForms(at, found)]))
  const ways = new Map<string, KnownWay['current']>()
  const fields = new Map<string, RefusedFields>()
  for (const [key, { way, refused }] of Object.entries(kept.models)) {
    if (way) ways.set(key, way)
    fields.set(
      key,
      createRefusedFields(now, sinceOf(refused, now()), () => save()),
    )
  }
  /** Paths that no form of an address serves. They may be there after a restart. */
  const missing = new Map<string, Map<string, string>>()

  const toKept = (): Kept => {
    const models: Kept['models'] = {}
    for (const key of new Set([...ways.keys(), ...fields.keys()])) {
      const way = ways.get(key)
      const refused = Object.fromEntries(
        [...(fields.get(key)?.since() ?? [])].map(([{ name }, at]) => [name, at]),
      )
      if (way || Object.keys(refused).length > 0) models[key] = { ...(way && { way }), refused }
    }
    const addresses = [...bases].flatMap(([at, found]) =>
      found.size > 0 ? [[at, Object.fromEntries(found)] as const] : [],
    )
    return {
      version: 1,
      addresses: Object.fromEntries(addresses.slice(-maxKept)),
      models: Object.fromEntries(Object.entries(models).slice(-maxKept)),
    }
  }

  let changed = false
  let saving: Promise<void> | undefined
  const save = () => {
    if (file === undefined) return
    changed = true
    saving ??= saveAll(file).finally(() => {
      saving = undefined
    })
  }
  const saveAll = async (path: string) => {
    while (changed) {
      changed = false
      try {
        await writeWhole(path, Buffer.from(`${JSON.stringify(toKept(), null, 2)}\n`))
      } catch (err) {
        log?.warn({ err }, 'findings about the servers of models could not be saved')
      }
    }
  }

  return {
    bases: ({ url }) => {
      const at = plainAddress(url)
      const found = entry(bases, at, () => new Map())
      const absent = entry(missing, at, () => new Map())
      return {
        get: (path) => found.get(path) ?? absent.get(path),
        values: () => found.values(),
        set: (path, base) => {
          if (found.get(path) === base) return
          found.set(path, base)
          save()
        },
        setMissing: (path, base) => void absent.set(path, base),
        delete: (path) => {
          absent.delete(path)
          if (found.delete(path)) save()
        },
        clear: () => {
          absent.clear()
          if (found.size === 0) return
          found.clear()
          save()
        },
      }
    },
    way: (server) => {
      const key = keyOf(server)
      return {
        get current() {
          return ways.get(key)
        },
        set current(way) {
          if (ways.get(key) === way) return
          if (way) ways.set(key, way)
          else ways.delete(key)
          save()
        },
      }
    },
    refused: (server) => entry(fields, keyOf(server), () => createRefusedFields(now, [], save)),
    close: async () => {
      await saving
    },
  }
}

const entry = <T>(all: Map<string, T>, key: string, create: () => T): T => {
  const known = all.get(key) ?? create()
  all.set(key, known)
  return known
}

const keyOf = ({ url, model }: Server): string => `${plainAddress(url)} ${model}`

/** Without a name, a password and the query, any of which may be a secret. */
const plainAddress = (url: string): string => {
  if (!URL.canParse(url)) return ''
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** A key must never go to another host than the one that the user named. */
const ownForms = (at: string, found: Readonly<Record<string, string>>): Map<string, string> => {
  const isOwn = (base: string) =>
    URL.canParse(at) && URL.canParse(base) && new URL(at).origin === new URL(base).origin
  return new Map(Object.entries(found).filter(([, base]) => isOwn(base)))
}

/** Without remedies of other versions, and without times that a wrong clock has put into the future. */
const sinceOf = (refused: Readonly<Record<string, number>>, now: number) =>
  remedies.flatMap((remedy) => {
    const at = refused[remedy.name]
    return at !== undefined && at <= now ? [[remedy, at] as const] : []
  })

const readKept = (file: string, log: Log | undefined): Kept | null => {
  try {
    const bytes = readFileSync(file)
    if (bytes.length > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`)
    return Kept.parse(JSON.parse(bytes.toString()))
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
    log?.warn({ err }, 'findings about the servers of models could not be read, and are made again')
    return null
  }
}
