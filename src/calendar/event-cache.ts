/**
 * Stores the events of subscribed calendars, one file per subscription. They are words of others and never
 * part of the journal. A missing file is read again from the server.
 */
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { calendarsFolder, writeWhole } from '../../journal/files/places.ts'

const format = 1
/** In bytes. */
const maxFileBytes = 32 * 1024 * 1024

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

const CachedCalendar = z.object({
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
  occurrences: z.array(Occurrence).readonly(),
})
export type CachedCalendar = z.infer<typeof CachedCalendar>

export interface EventCache {
  /** Returns null if the file is missing or damaged. */
  read(id: PersonaId, subscription: string): Promise<CachedCalendar | null>
  /** Rejects with the error of the file system. */
  write(id: PersonaId, subscription: string, calendar: Omit<CachedCalendar, 'format'>): Promise<void>
  /** Removes the files of all other subscriptions. Never rejects. */
  sweep(id: PersonaId, subscriptions: readonly string[]): Promise<void>
}

export const createEventCache = (home: string): EventCache => {
  const getPath = (id: PersonaId, subscription: string) =>
    join(calendarsFolder(home, id), `${subscription}.json`)
  return {
    read: async (id, subscription) => {
      const path = getPath(id, subscription)
      try {
        if ((await stat(path)).size > maxFileBytes) return null
        return CachedCalendar.parse(JSON.parse(await readFile(path, 'utf8')))
      } catch {
        return null
      }
    },
    write: async (id, subscription, calendar) => {
      // Not recursive: the folder of a persona that was deleted meanwhile must not be recreated.
      await mkdir(calendarsFolder(home, id), { mode: 0o700 }).catch(ignoreExisting)
      await writeWhole(getPath(id, subscription), Buffer.from(JSON.stringify({ format, ...calendar })))
    },
    sweep: async (id, subscriptions) => {
      const folder = calendarsFolder(home, id)
      const usedNames = new Set(subscriptions.map((subscription) => `${subscription}.json`))
      for (const name of await readdir(folder).catch(() => []))
        if (!usedNames.has(name)) await rm(join(folder, name), { force: true }).catch(() => undefined)
    },
  }
}

const ignoreExisting = (error: unknown): void => {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
}
