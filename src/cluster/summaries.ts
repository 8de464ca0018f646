/** The summaries of all personas, known to every daemon: the list view and the host. */
import * as z from 'zod'
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { PersonaView } from '../../projections/view.ts'
import type { Servers } from './buckets.ts'
import { openWatched } from './watched-bucket.ts'

export interface Summary {
  /** Id of the current or last host. */
  readonly host: string
  /** Epoch milliseconds. The persona list is sorted by it. */
  readonly created: number
  readonly view: PersonaView
}

/** The host may run another version, so its view is passed on unchanged. */
const Read = z.object({
  host: z.string(),
  created: z.number(),
  view: z.looseObject({ id: z.string(), name: z.string(), running: z.boolean() }),
})

/** Returns undefined if this version cannot read the value. */
export const readSummary = (value: unknown): Summary | undefined =>
  Read.safeParse(value).data as Summary | undefined

export interface Summaries {
  readonly all: ReadonlyMap<PersonaId, Summary>
  /** Queues the summary for writing. Only the last summary of one event-loop turn is written. */
  publish(id: PersonaId, summary: Summary): void
  /** Removes the summary of a deleted persona. */
  forget(id: PersonaId): void
  /** Drops a pending write, because another daemon hosts the persona from now on. */
  cease(id: PersonaId): void
  /** Reloads all summaries. Rejects if the servers do not answer. */
  refresh(): Promise<void>
  /** Resolves after one attempt to write the pending summaries. */
  close(): Promise<void>
}

interface Deps {
  readonly servers: Servers
  readonly log: Log
  /** Called when the summary of a persona has changed or is removed. Must not throw. */
  readonly onChange: (id: PersonaId, summary: Summary | undefined) => void
}

/** Milliseconds between two attempts to write pending summaries. */
const retryMs = 1000

export const openSummaries = async ({ servers, log, onChange }: Deps): Promise<Summaries> => {
  const all = new Map<PersonaId, Summary>()
  const bucket = await openWatched<Summary>({
    servers,
    log,
    name: 'summaries',
    parse: readSummary,
    onChange: (id, summary) => {
      if (summary) all.set(id, summary)
      else all.delete(id)
      onChange(id, summary)
    },
  })
  /** Pending writes. Null removes the summary. */
  const pendingWrites = new Map<PersonaId, Summary | null>()
  let writeTask: Promise<void> | null = null

  const write = async (id: PersonaId, summary: Summary | null) => {
    await (summary ? bucket.put(id, summary) : bucket.remove(id))
    if (pendingWrites.get(id) === summary) pendingWrites.delete(id)
  }
  let hasPending = false
  /** Never rejects. */
  const writeAll = async () => {
    while (hasPending) {
      // Batches all writes of one event-loop turn.
      await new Promise(setImmediate)
      hasPending = false
      await Promise.all([...pendingWrites].map(([id, summary]) => write(id, summary).catch(() => undefined)))
    }
    writeTask = null
  }
  const writePending = () => {
    hasPending = true
    writeTask ??= writeAll()
  }
  const retryTimer = setInterval(() => pendingWrites.size > 0 && writePending(), retryMs)

  return {
    all,
    publish: (id, summary) => {
      const last = pendingWrites.get(id) ?? all.get(id)
      if (JSON.stringify(last) === JSON.stringify(summary)) return
      pendingWrites.set(id, summary)
      writePending()
    },
    forget: (id) => {
      pendingWrites.set(id, null)
      writePending()
    },
    cease: (id) => void pendingWrites.delete(id),
    refresh: bucket.refresh,
    close: async () => {
      clearInterval(retryTimer)
      if (pendingWrites.size > 0) writePending()
      await writeTask
      bucket.close()
    },
  }
}
