/** What every daemon knows of every persona: how the list shows it, and who hosts it. */
import * as z from 'zod'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { PersonaView } from '../../projections/view.ts'
import type { Servers } from './buckets.ts'
import { openWatched } from './watched-bucket.ts'

export interface Summary {
  /** The daemon that hosts it, or did last. */
  readonly host: string
  /** Epoch milliseconds: the list is in this order. */
  readonly created: number
  readonly view: PersonaView
}

/** A view is of the host's version: it is passed on as it came. */
const Read = z.object({
  host: z.string(),
  created: z.number(),
  view: z.looseObject({ id: z.string(), name: z.string(), running: z.boolean() }),
})

/** Undefined for what this version cannot read. */
export const readSummary = (value: unknown): Summary | undefined =>
  Read.safeParse(value).data as Summary | undefined

export interface Summaries {
  readonly all: ReadonlyMap<PersonaId, Summary>
  /** Written behind it: the last of what is told in one moment. */
  tell(id: PersonaId, summary: Summary): void
  /** It is deleted. */
  forget(id: PersonaId): void
  /** Another host speaks for it from now on: what was not written yet is not. */
  cease(id: PersonaId): void
  /** Reads them whole again. Rejects where the servers do not answer. */
  refresh(): Promise<void>
  /** What was told has left, or could not. */
  close(): Promise<void>
}

interface Deps {
  readonly servers: Servers
  readonly log: Log
  /** How the list shows it has changed, or it is gone. Must not throw. */
  readonly changed: (id: PersonaId, summary: Summary | undefined) => void
}

/** Milliseconds between two tries to write what could not be written. */
const again = 1000

export const openSummaries = async ({ servers, log, changed }: Deps): Promise<Summaries> => {
  const all = new Map<PersonaId, Summary>()
  const bucket = await openWatched<Summary>({
    ...{ servers, log, name: 'summaries' },
    read: readSummary,
    changed: (id, summary) => {
      if (summary) all.set(id, summary)
      else all.delete(id)
      changed(id, summary)
    },
  })
  /** What the servers are still to be told; null for what is to go. */
  const owed = new Map<PersonaId, Summary | null>()
  let writing: Promise<void> | null = null

  const write = async (id: PersonaId, summary: Summary | null) => {
    await (summary ? bucket.put(id, summary) : bucket.remove(id))
    if (owed.get(id) === summary) owed.delete(id)
  }
  let told = false
  /** Never rejects. */
  const writeAll = async () => {
    while (told) {
      // All of one moment together.
      await new Promise(setImmediate)
      told = false
      await Promise.all([...owed].map(([id, summary]) => write(id, summary).catch(() => undefined)))
    }
    writing = null
  }
  const go = () => {
    told = true
    writing ??= writeAll()
  }
  const trying = setInterval(() => owed.size > 0 && go(), again)

  return {
    all,
    tell: (id, summary) => {
      const last = owed.get(id) ?? all.get(id)
      if (JSON.stringify(last) === JSON.stringify(summary)) return
      owed.set(id, summary)
      go()
    },
    forget: (id) => {
      owed.set(id, null)
      go()
    },
    cease: (id) => void owed.delete(id),
    refresh: bucket.refresh,
    close: async () => {
      clearInterval(trying)
      if (owed.size > 0) go()
      await writing
      bucket.close()
    },
  }
}
