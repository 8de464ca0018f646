/**
 * Stores the events of subscribed calendars, two files per subscription: its state and its events. They are
 * words of others and never part of the journal. A missing file is read again from the server.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { PersonaId } from '../../facts/fact-values.ts'
import { calendarsFolder } from '../../home/places.ts'
import { makeInnerFolder, writeWhole } from '../../journal/leveldb/durable-files.ts'

const format = 2
const MiB = 1024 * 1024
/** In bytes. */
const maxFileBytes = 16 * MiB
/** Max bytes of the files whose events stay in memory. */
const maxRememberedBytes = 16 * MiB

const Occurrence = z.object({
  start: z.number(),
  end: z.number(),
  days: z.object({ first: z.string(), last: z.string() }).exactOptional(),
  title: z.string(),
  place: z.string().exactOptional(),
  notes: z.string().exactOptional(),
  tentative: z.literal(true).exactOptional(),
  repeats: z.literal(true).exactOptional(),
})
const Occurrences = z.array(Occurrence).readonly()
type Occurrences = z.infer<typeof Occurrences>

const CachedState = z.object({
  format: z.literal(format),
  /** The zone that the events were computed for. */
  zone: z.string(),
  /** Epoch ms. */
  computed: z.number(),
  /** Epoch ms of the last answer of the server. */
  refreshed: z.number(),
  version: z.object({
    etag: z.string().nullable(),
    modified: z.string().nullable(),
    tag: z.string().nullable(),
    content: z.string().nullable(),
  }),
  refreshMs: z.number().nullable(),
  unreadable: z.number(),
  isCut: z.boolean(),
  hasUnknownZones: z.boolean(),
  /** Number of occurrences. */
  events: z.number(),
  /** Size of the file with the events. */
  bytes: z.number(),
})
export type CachedState = z.infer<typeof CachedState>

export interface EventCache {
  /** Returns null if a file is missing or damaged. Does not read the events. */
  readState(id: PersonaId, subscription: string): Promise<CachedState | null>
  /** Returns no events if the file is missing or damaged. */
  readEvents(id: PersonaId, subscription: string): Promise<Occurrences>
  /** Rejects with the error of the file system. */
  write(
    id: PersonaId,
    subscription: string,
    state: Omit<CachedState, 'format' | 'events' | 'bytes'>,
    occurrences: Occurrences,
  ): Promise<void>
  /** Leaves the events as they are. Rejects with the error of the file system. */
  writeState(id: PersonaId, subscription: string, state: CachedState): Promise<void>
  /** Removes the files of all other subscriptions. Never rejects. */
  sweep(id: PersonaId, subscriptions: readonly string[]): Promise<void>
}

interface RememberedFile {
  readonly modifiedMs: number
  readonly bytes: number
  readonly occurrences: Occurrences
}

export const createEventCache = (home: string): EventCache => {
  const getPath = (id: PersonaId, name: string) => join(calendarsFolder(home, id), name)
  const memory = createMemory()
  const writeState = (id: PersonaId, subscription: string, state: CachedState) =>
    writeWhole(getPath(id, stateName(subscription)), Buffer.from(JSON.stringify(state)))
  return {
    readState: async (id, subscription) => {
      try {
        const { size } = await stat(getPath(id, eventsName(subscription)))
        const text = await readFile(getPath(id, stateName(subscription)), 'utf8')
        const state = CachedState.parse(JSON.parse(text))
        return state.bytes === size ? state : null
      } catch {
        return null
      }
    },
    readEvents: async (id, subscription) => {
      const path = getPath(id, eventsName(subscription))
      try {
        const { size: bytes, mtimeMs: modifiedMs } = await stat(path)
        if (bytes > maxFileBytes) return []
        const remembered = memory.get(path)
        if (remembered?.bytes === bytes && remembered.modifiedMs === modifiedMs) return remembered.occurrences
        const occurrences = Occurrences.parse(JSON.parse(await readFile(path, 'utf8')))
        memory.set(path, { modifiedMs, bytes, occurrences })
        return occurrences
      } catch {
        memory.forget(path)
        return []
      }
    },
    write: async (id, subscription, state, occurrences) => {
      await makeInnerFolder(calendarsFolder(home, id))
      const text = Buffer.from(JSON.stringify(occurrences))
      const path = getPath(id, eventsName(subscription))
      memory.forget(path)
      await writeWhole(path, text)
      const counts = { events: occurrences.length, bytes: text.length }
      await writeState(id, subscription, { format, ...state, ...counts })
    },
    writeState,
    sweep: async (id, subscriptions) => {
      const folder = calendarsFolder(home, id)
      const usedNames = new Set(subscriptions.flatMap((name) => [stateName(name), eventsName(name)]))
      for (const name of await readdir(folder).catch(() => [])) {
        if (usedNames.has(name)) continue
        memory.forget(join(folder, name))
        await rm(join(folder, name), { force: true }).catch(() => undefined)
      }
    },
  }
}

const stateName = (subscription: string): string => `${subscription}.json`
const eventsName = (subscription: string): string => `${subscription}.events.json`

/** Remembers the most recently used files up to a size, by path. */
const createMemory = () => {
  const files = new Map<string, RememberedFile>()
  let usedBytes = 0
  const forget = (path: string): void => {
    usedBytes -= files.get(path)?.bytes ?? 0
    files.delete(path)
  }
  return {
    forget,
    get: (path: string): RememberedFile | undefined => {
      const file = files.get(path)
      if (!file) return undefined
      files.delete(path)
      files.set(path, file)
      return file
    },
    set: (path: string, file: RememberedFile): void => {
      forget(path)
      files.set(path, file)
      usedBytes += file.bytes
      for (const oldestPath of files.keys()) {
        if (usedBytes <= maxRememberedBytes) return
        forget(oldestPath)
      }
    },
  }
}
