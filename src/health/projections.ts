/**
 * The projections of personas: data derived from their facts. Lists how far each one is, and rebuilds one
 * while the persona keeps working.
 */
import { stat } from 'node:fs/promises'
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import { linksFolder, searchFolder, vectorsFolder } from '../../home/places.ts'
import { bytesIn } from '../../journal/leveldb/durable-files.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { personaVersion, type StaleParts } from '../../projections/persona.ts'
import type { LinkIndexes } from '../causes/link-index.ts'
import type { PersonaStore, Reading } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import { indexVersion, linksVersion, vectorsVersion } from '../search/index-versions.ts'
import type { Search } from '../search/search.ts'
import { type ProjectionName, ProjectionNames } from './projection-names.ts'

/** Numbers are null if they are unknown, for example while the journal of the persona is closed. */
export interface ProjectionView {
  readonly persona: PersonaId
  readonly name: ProjectionName
  readonly version: number
  /** All facts up to here are applied. */
  readonly position: Seq | 0 | null
  /** Number of facts after the position. */
  readonly lag: number | null
  readonly bytes: number | null
  /** Epoch milliseconds. */
  readonly rebuiltAt: number | null
  readonly state: 'current' | 'rebuilding' | 'stale'
  /** The reason of the state, or the facts that are missing. */
  readonly reason: string | null
}

/** `differing`: wrong parts, which are replaced. Null if there was no comparison. */
export interface RebuiltProjection {
  readonly position: Seq | 0
  readonly differing: readonly string[] | null
}

export interface Projections {
  /** Reads only data in memory. */
  listKnown(): readonly ProjectionView[]
  /** Opens the journal and the indexes of one persona. Throws persona_unknown. */
  list(id: PersonaId): Promise<readonly ProjectionView[]>
  /**
   * Builds the projection again. `state` and `search` are built beside the current one and compared; if this
   * throws, the current one stays. Throws persona_unknown, projection_unknown, projection_busy,
   * JournalDamaged, JournalUnavailable, JournalReplaced if the journal must be closed, or the signal's
   * reason.
   */
  rebuild(id: PersonaId, name: ProjectionName, signal: AbortSignal): Promise<RebuiltProjection>
}

interface Deps {
  readonly home: string
  readonly personas: Pick<
    PersonaStore,
    'all' | 'getRow' | 'peekState' | 'read' | 'readUntilClosed' | 'rebuildState' | 'vitals'
  >
  readonly search: Pick<Search, 'embedder' | 'peek' | 'rebuild' | 'rebuildVectors' | 'status' | 'vectors'>
  readonly links: Pick<LinkIndexes, 'drop' | 'peek' | 'use'>
  readonly clock: Pick<Clock, 'now'>
}

interface Progress {
  readonly position: Seq | 0 | null
  readonly bytes?: number | null
  readonly rebuiltAt?: number | null
  readonly reason?: string | null
  readonly isStale?: boolean
}

/** Reads and rebuilds one projection. `known` opens no file. */
interface ProjectionRow {
  readonly version: number
  readonly known: (id: PersonaId) => Progress | null
  readonly read: (id: PersonaId, reading: Reading) => Promise<Progress | null>
  readonly rebuild: (id: PersonaId, signal: AbortSignal) => Promise<RebuiltProjection>
}

export const createProjections = ({ home, personas, search, links, clock }: Deps): Projections => {
  /** Rebuilds in progress. */
  const runningRebuilds = new Set<string>()
  /** Times of rebuilds of states. A folder shows its own. */
  const rebuildTimes = new Map<string, number>()
  const toKey = (id: PersonaId, name: ProjectionName) => `${id} ${name}`

  const readState = (id: PersonaId): Progress | null => {
    const state = personas.peekState(id)
    if (!state) return null
    const reason = formatStale(state.stale)
    const rebuiltAt = rebuildTimes.get(toKey(id, 'state')) ?? null
    return { position: state.seq, reason, isStale: reason !== null, rebuiltAt }
  }
  const inFolder = async (folder: string) => ({
    bytes: await bytesIn(folder),
    rebuiltAt: await readBirth(folder),
  })

  /** One row for each projection. */
  const rows: Readonly<Record<ProjectionName, ProjectionRow>> = {
    state: {
      version: personaVersion,
      known: readState,
      read: async (id) => readState(id),
      rebuild: async (id, signal) => {
        const { head, differing } = await personas.rebuildState(id, { signal })
        rebuildTimes.set(toKey(id, 'state'), clock.now())
        return { position: head.seq, differing }
      },
    },
    search: {
      version: indexVersion,
      known: (id) => toIndexProgress(search.peek(id)),
      read: async (id, reading) => {
        const status = toIndexProgress(await search.status(id, reading))
        return status && { ...status, ...(await inFolder(searchFolder(home, id))) }
      },
      rebuild: (id, signal) =>
        personas.readUntilClosed(id, signal, async (reading, untilClosed) => {
          const { position, differing } = await search.rebuild(id, reading, untilClosed)
          return { position, differing: toDifferences(differing) }
        }),
    },
    vectors: {
      version: vectorsVersion,
      known: () => null,
      read: async (id, reading) => {
        const status = await search.vectors(id, reading)
        if (!status) return null
        const { up_to: position, reason } = status
        return { position, reason, ...(await inFolder(vectorsFolder(home, id))) }
      },
      rebuild: (id) =>
        personas.read(id, async () => {
          await search.rebuildVectors(id)
          return { position: 0, differing: null }
        }),
    },
    links: {
      version: linksVersion,
      known: (id) => toLinksProgress(links.peek(id)),
      read: async (id) => {
        const progress = toLinksProgress(links.peek(id))
        return progress && { ...progress, ...(await inFolder(linksFolder(home, id))) }
      },
      rebuild: (id, signal) =>
        personas.readUntilClosed(id, signal, async ({ journal }, untilClosed) => {
          await links.drop(id)
          await links.use(id, journal, untilClosed, async () => undefined)
          return { position: journal.head.seq, differing: null }
        }),
    },
  }
  const listNames = () => ProjectionNames.filter((name) => name !== 'vectors' || search.embedder() !== null)

  const toView = (
    id: PersonaId,
    name: ProjectionName,
    progress: Progress | null,
    headSeq: Seq | 0 | null,
  ): ProjectionView => {
    const { position = null, bytes = null, rebuiltAt = null, reason = null, isStale = false } = progress ?? {}
    const isRunning = runningRebuilds.has(toKey(id, name))
    return {
      persona: id,
      name,
      version: rows[name].version,
      position,
      lag: position === null || headSeq === null ? null : Math.max(0, headSeq - position),
      bytes,
      rebuiltAt,
      state: isRunning ? 'rebuilding' : isStale ? 'stale' : 'current',
      reason,
    }
  }

  return {
    listKnown: () =>
      personas.all().flatMap(({ self: { id } }) => {
        const headSeq = personas.peekState(id)?.seq ?? null
        return listNames().map((name) => toView(id, name, rows[name].known(id), headSeq))
      }),
    list: (id) =>
      personas.read(id, async (reading) => {
        const views: ProjectionView[] = []
        for (const name of listNames()) {
          const progress = await rows[name].read(id, reading)
          views.push(toView(id, name, progress, reading.journal.head.seq))
        }
        return views
      }),
    rebuild: async (id, name, signal) => {
      if (!listNames().includes(name)) throw new Refused({ code: 'projection_unknown' })
      const key = toKey(id, name)
      if (runningRebuilds.has(key)) throw new Refused({ code: 'projection_busy' })
      runningRebuilds.add(key)
      try {
        return await rows[name].rebuild(id, signal)
      } finally {
        runningRebuilds.delete(key)
      }
    },
  }
}

const toLinksProgress = (position: Seq | 0 | null): Progress | null =>
  position === null ? null : { position }

const toIndexProgress = (status: ReturnType<Search['peek']>): Progress | null =>
  status && {
    position: status.position,
    reason: status.skipped > 0 ? `Search does not find ${status.skipped} facts: they are unreadable.` : null,
  }

const toDifferences = (wordCount: number | null): readonly string[] | null => {
  if (wordCount === null) return null
  return wordCount === 0 ? [] : [`${wordCount} words`]
}

/** Returns one sentence about the stale parts, or null. */
export const formatStale = (stale: StaleParts): string | null => {
  const parts = Object.entries(stale).map(([part, { seq, error }]) => `${part} (fact ${seq}, ${error})`)
  return parts.length === 0
    ? null
    : `Some facts could not be applied: ${parts.join(', ')}. Nothing is lost. Install a corrected version of the daemon.`
}

/** Returns when a folder was created, in epoch milliseconds. Null if it does not exist. */
const readBirth = (folder: string): Promise<number | null> =>
  stat(folder).then(
    ({ birthtimeMs }) => Math.round(birthtimeMs),
    () => null,
  )
