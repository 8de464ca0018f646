/**
 * Findings about model servers: the form of the address that works, which of two APIs a server has, and
 * the fields that it refuses by name. They are stored in one small file in the home, so that they survive
 * a restart. The file holds addresses without credentials and queries, and names of models and remedies,
 * but no text of a request. An invalid file is ignored.
 */
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { writeWhole } from '../../../journal/leveldb/durable-files.ts'
import type { Log } from '../../kit/log.ts'
import { toPlainAddress } from '../base-url.ts'
import type { KnownWay } from './address.ts'
import type { FoundBases } from './base-addresses.ts'
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
  /** Resolves when pending writes have succeeded or failed. Never rejects. */
  close(): Promise<void>
}

interface Deps {
  /** Without it, nothing is written. */
  readonly file?: string | undefined
  readonly log?: Log | undefined
  readonly now: () => number
}

const Addresses = z.record(z.string(), z.record(z.string(), z.string()))
const Models = z.record(
  z.string(),
  z.object({
    way: z.enum(['chat', 'responses']).optional(),
    /** Epoch milliseconds by name of the remedy. */
    refused: z.record(z.string(), z.number()),
  }),
)
const Kept = z.object({ version: z.literal(1), addresses: Addresses, models: Models })
type Kept = z.infer<typeof Kept>

/** Max addresses and max models in the file. The newest are stored. */
const maxKept = 500
const maxBytes = 1024 * 1024

const emptyMemory: Kept = { version: 1, addresses: {}, models: {} }

/** Reads the file if it exists. */
export const openServerMemory = async (deps: Deps & { readonly file: string }): Promise<ServerMemory> =>
  createServerMemory(deps, (await readKept(deps.file, deps.log)) ?? emptyMemory)

export const createServerMemory = ({ file, log, now }: Deps, savedMemory = emptyMemory): ServerMemory => {
  const bases = new Map(
    Object.entries(savedMemory.addresses).map(([address, basesByPath]) => [
      address,
      ownForms(address, basesByPath),
    ]),
  )
  const ways = new Map<string, KnownWay['current']>()
  const fields = new Map<string, RefusedFields>()
  for (const [key, { way, refused }] of Object.entries(savedMemory.models)) {
    if (way) ways.set(key, way)
    fields.set(
      key,
      createRefusedFields(now, getRefusals(refused, now()), () => save()),
    )
  }
  /** Paths that no form of an address has. Not stored, because the server may have them after a restart. */
  const missingBases = new Map<string, Map<string, string>>()

  const toKept = (): Kept => {
    const models: Kept['models'] = {}
    for (const key of new Set([...ways.keys(), ...fields.keys()])) {
      const way = ways.get(key)
      const refusedFields = Object.fromEntries(
        [...(fields.get(key)?.learnedAt() ?? [])].map(([{ name }, time]) => [name, time]),
      )
      if (way || Object.keys(refusedFields).length > 0)
        models[key] = { ...(way && { way }), refused: refusedFields }
    }
    const addresses = [...bases].flatMap(([address, basesByPath]) =>
      basesByPath.size > 0 ? [[address, Object.fromEntries(basesByPath)] as const] : [],
    )
    return {
      version: 1,
      addresses: Object.fromEntries(addresses.slice(-maxKept)),
      models: Object.fromEntries(Object.entries(models).slice(-maxKept)),
    }
  }

  let hasChanges = false
  let saving: Promise<void> | undefined
  const save = () => {
    if (file === undefined) return
    hasChanges = true
    saving ??= saveAll(file).finally(() => {
      saving = undefined
    })
  }
  const saveAll = async (path: string) => {
    while (hasChanges) {
      hasChanges = false
      try {
        await writeWhole(path, Buffer.from(`${JSON.stringify(toKept(), null, 2)}\n`))
      } catch (err) {
        log?.warn({ err }, 'failed to save the findings about model servers')
      }
    }
  }

  return {
    bases: ({ url }) => {
      const address = plainAddress(url)
      const basesByPath = entry(bases, address, () => new Map())
      const missingByPath = entry(missingBases, address, () => new Map())
      return {
        get: (path) => basesByPath.get(path) ?? missingByPath.get(path),
        values: () => basesByPath.values(),
        set: (path, base) => {
          if (basesByPath.get(path) === base) return
          basesByPath.set(path, base)
          save()
        },
        setMissing: (path, base) => void missingByPath.set(path, base),
        delete: (path) => {
          missingByPath.delete(path)
          if (basesByPath.delete(path)) save()
        },
        clear: () => {
          missingByPath.clear()
          if (basesByPath.size === 0) return
          basesByPath.clear()
          save()
        },
      }
    },
    way: (server) => {
      const key = toKey(server)
      return {
        get current() {
          return ways.get(key)
        },
        set current(api) {
          if (ways.get(key) === api) return
          if (api) ways.set(key, api)
          else ways.delete(key)
          save()
        },
      }
    },
    refused: (server) => entry(fields, toKey(server), () => createRefusedFields(now, [], save)),
    close: async () => {
      await saving
    },
  }
}

const entry = <T>(all: Map<string, T>, key: string, create: () => T): T => {
  const value = all.get(key) ?? create()
  all.set(key, value)
  return value
}

const toKey = ({ url, model }: Server): string => `${plainAddress(url)} ${model}`

const plainAddress = (url: string): string => (URL.canParse(url) ? toPlainAddress(new URL(url)) : '')

/** Drops bases on other hosts, because a key must only be sent to the host that the user named. */
const ownForms = (address: string, basesByPath: Readonly<Record<string, string>>): Map<string, string> => {
  const isOwn = (base: string) =>
    URL.canParse(address) && URL.canParse(base) && new URL(address).origin === new URL(base).origin
  return new Map(Object.entries(basesByPath).filter(([, base]) => isOwn(base)))
}

/** Drops remedies of other versions, and times in the future, which come from a wrong clock. */
const getRefusals = (refusedFields: Readonly<Record<string, number>>, now: number) =>
  remedies.flatMap((remedy) => {
    const time = refusedFields[remedy.name]
    return time !== undefined && time <= now ? [[remedy, time] as const] : []
  })

const readKept = async (file: string, log: Log | undefined): Promise<Kept | null> => {
  try {
    const bytes = await readFile(file)
    if (bytes.length > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`)
    return Kept.parse(JSON.parse(bytes.toString()))
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
    log?.warn({ err }, 'failed to read the findings about model servers, they are collected again')
    return null
  }
}
