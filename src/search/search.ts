/**
 * Full-text search over whole lives. Opens an index per persona on use and rebuilds it if anything is wrong.
 */
import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import { getTraits } from '../../facts/facts.ts'
import { searchFolder, trashFolder, vectorsFolder } from '../../home/places.ts'
import { makeFolder } from '../../journal/leveldb/durable-files.ts'
import { createKeyedPool } from '../../packages/kit/flow/keyed-pool.ts'
import { createYielding, type MaybeYield } from '../../packages/kit/flow/yielding.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Embedder } from '../../packages/models/embedder.ts'
import { type Bus, listen } from '../bus.ts'
import type { PersonaStore, Reading } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { Ask, Page } from './find.ts'
import { Unusable } from './index-store.ts'
import type { IndexStatus, LifeIndex } from './life-index.ts'
import type { Answers, Nearest } from './rank.ts'
import type { Question } from './terms.ts'
import type { Vectors, VectorsTold } from './vectors.ts'

/** Searches one life. */
export type SearchOfOne = (reading: Reading, question: Question) => Promise<Answers>

/**
 * Call within `personas.read` and pass its reading, so that the persona is not removed meanwhile. Throws
 * Refused: persona_unknown when it is being removed.
 */
export interface Search {
  /** Facts with all words, newest first. */
  find(id: PersonaId, reading: Reading, ask: Ask): Promise<Page>
  /** Answers to a question, best first. */
  rank(id: PersonaId, reading: Reading, question: Question): Promise<Answers>
  /** Deletes the index and the vectors; they are rebuilt later. No one may be reading the journal. */
  drop(id: PersonaId): Promise<void>
  /** Returns the progress of the word index. Null if it is not open. */
  peek(id: PersonaId): IndexStatus | null
  /** Opens the word index and brings it up to date. Null if none can be stored. */
  status(id: PersonaId, reading: Reading): Promise<IndexStatus | null>
  /**
   * Builds a new word index beside the current one, compares them and replaces the current one. Searches go
   * on. Throws Unusable if none can be built, or the signal's reason; then nothing has changed.
   */
  rebuild(id: PersonaId, reading: Reading, signal: AbortSignal): Promise<RebuiltIndex>
  /** Deletes the vectors and embeds all texts again in the background. Searches use words meanwhile. */
  rebuildVectors(id: PersonaId): Promise<void>
  /** Replaces the embedder. Null: searches by words only. Vectors of another model are rebuilt. */
  useEmbedder(embedder: Embedder | null): Promise<void>
  /** The name of the embedder, null without one. */
  embedder(): string | null
  /** Null if there is no embedder or the state is unknown. */
  vectors(id: PersonaId, reading: Reading): Promise<VectorsTold | null>
  close(): Promise<void>
}

/** `differing`: number of words whose positions differed. Null if there was no index to compare with. */
export interface RebuiltIndex {
  readonly position: Seq | 0
  readonly differing: number | null
}

interface Deps {
  readonly home: string
  readonly personas: Pick<PersonaStore, 'read'>
  readonly bus: Pick<Bus, 'commits' | 'signs'>
  readonly clock: Clock
  readonly log: Log
  /** Max open indexes. */
  readonly maxOpen?: number
  /** For search by meaning. Its code is loaded only if set. */
  readonly embedder?: Embedder | null
  /** Number of new texts after which the index is updated in the background and written to disk. */
  readonly worthWriting?: number
}

/** How long an unused index stays open. */
const idleTimeoutMs = 60_000

export const createSearch = ({
  home,
  personas,
  bus,
  clock,
  log,
  embedder = null,
  maxOpen = 32,
  worthWriting = 512,
}: Deps): Search => {
  let isClosed = false
  /** Personas that are being removed: work for them stops. */
  const leavingIds = new Set<PersonaId>()
  /** Number of texts since the last index update. */
  const waitCounts = new Map<PersonaId, number>()
  const pool = createKeyedPool<LifeIndex>({
    open: async (id) => {
      const { openLifeIndex } = await importIndex()
      return openLifeIndex(searchFolder(home, id), worthWriting)
    },
    close: (index) => index.close(),
    inTime: (opening) => opening,
    onError: (err) => log.warn({ err }, 'failed to close a search index'),
    clock,
    interval: idleTimeoutMs,
    maxItems: maxOpen,
  })

  /** After the former one is closed, because both use the same folders. */
  const openVectors = async (next: Embedder, previousVectors?: Promise<Vectors>): Promise<Vectors> => {
    await (await previousVectors)?.close()
    const { createVectors } = await import('./vectors.ts')
    return createVectors({ home, embedder: next, personas, clock, log, maxOpen })
  }
  let embedderName = embedder?.name ?? null
  let vectorSearch = embedder ? openVectors(embedder) : undefined

  const stoppedFor = (id: PersonaId) => () => isClosed || leavingIds.has(id)

  /** Uses an up-to-date index. Calls `without` if none can be built, e.g. on a full disk. */
  const withIndex = async <T>(
    id: PersonaId,
    reading: Reading,
    work: IndexWork<T>,
    readWithout = () => lookWithoutIndex(reading, work, stoppedFor(id)),
  ): Promise<T> => {
    const attempt = () =>
      pool.use(id, async (index) => {
        const maybeYield = createYielding()
        await index.catchUp(reading, maybeYield, stoppedFor(id))
        if (isClosed) throw new Error('the service is closing')
        if (leavingIds.has(id)) throw new Refused({ code: 'persona_unknown' })
        waitCounts.delete(id)
        return work(index, maybeYield)
      })
    for (let tries = 0; tries < 2; tries++) {
      try {
        return await attempt()
      } catch (err) {
        if (!(err instanceof Unusable)) throw err
        log.info({ id, err }, 'rebuilding a search index')
        await dropIndex(id).catch(() => undefined)
      }
    }
    log.warn({ id }, 'failed to build a search index; reading the whole life instead')
    return readWithout()
  }

  const dropIndex = (id: PersonaId) =>
    pool.whileClosed(id, () => rm(searchFolder(home, id), { recursive: true, force: true }))

  const returnNothing = async () => undefined
  const getStatus = async (index: LifeIndex) => index.status()

  const rebuild: Search['rebuild'] = async (id, reading, signal) => {
    const { openLifeIndex } = await importIndex()
    const maybeYield = createYielding(signal)
    const isStopped = () => signal.aborted || stoppedFor(id)()
    // In the trash, so that the next start removes it after a crash.
    await makeFolder(trashFolder(home))
    const folder = join(trashFolder(home), randomUUID())
    try {
      const rebuilt = await openLifeIndex(folder, worthWriting)
      const sums = await fill(rebuilt, reading, maybeYield, isStopped)
      signal.throwIfAborted()
      if (isStopped()) throw new Refused({ code: 'persona_unknown' })
      const { position } = rebuilt.status()
      const liveSums = await withIndex(
        id,
        reading,
        async (index) => {
          await index.writeOut(maybeYield)
          return index.sums(position, maybeYield)
        },
        returnNothing,
      )
      await pool.whileClosed(id, async () => {
        await rm(searchFolder(home, id), { recursive: true, force: true })
        await rename(folder, searchFolder(home, id))
      })
      return { position, differing: liveSums ? countDifferences(sums, liveSums) : null }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  const background = pLimit(1)
  const update = async (id: PersonaId) => {
    if (isClosed) return
    await personas
      .read(id, (reading) => withIndex(id, reading, returnNothing, returnNothing))
      .catch((err: unknown) => log.debug({ id, err }, 'failed to update a search index'))
  }

  const release = (id: PersonaId) => {
    leavingIds.add(id)
    waitCounts.delete(id)
    const vectors = vectorSearch?.then(({ letGo }) => letGo(id))
    Promise.all([pool.close(id), vectors])
      .catch((err: unknown) => log.warn({ id, err }, 'failed to close a search index'))
      .finally(() => leavingIds.delete(id))
  }

  const stops = [
    listen(bus.commits, log, ({ id, entries }) => {
      if (entries.at(-1)?.type === 'PersonaDeleted') return release(id)
      const texts = entries.filter(({ type }) => getTraits(type).search).length
      if (texts === 0) return
      void vectorSearch?.then(({ onCommit }) => onCommit(id))
      const all = (waitCounts.get(id) ?? 0) + texts
      waitCounts.set(id, all < worthWriting ? all : 0)
      if (all < worthWriting) return
      void background(update, id)
    }),
    listen(bus.signs, log, (sign) => {
      if (sign.type === 'gone' || sign.type === 'left') release(sign.id)
    }),
  ]

  return {
    find: async (id, reading, ask) => {
      const { findAll } = await import('./find.ts')
      return withIndex(id, reading, (index, maybeYield) => findAll(index, reading, ask, maybeYield))
    },
    rank: async (id, reading, question) => {
      const { rank } = await import('./rank.ts')
      const vectors = await vectorSearch
      return withIndex(id, reading, (index, maybeYield) => {
        const nearest: Nearest | undefined =
          vectors && ((positions) => vectors.nearest(id, reading, question.text, positions, maybeYield))
        return rank(index, reading, question, maybeYield, nearest)
      })
    },
    drop: async (id) => {
      await dropIndex(id)
      await (await vectorSearch)?.letGo(id)
      // Also old vectors, if there is no embedder any more.
      await rm(vectorsFolder(home, id), { recursive: true, force: true })
    },
    peek: (id) => pool.peek(id)?.status() ?? null,
    status: async (id, reading) => (await withIndex(id, reading, getStatus, returnNothing)) ?? null,
    rebuild,
    rebuildVectors: async (id) => {
      const vectors = await vectorSearch
      await vectors?.drop(id)
      vectors?.onCommit(id)
    },
    useEmbedder: async (next) => {
      if (isClosed) return
      const previousVectors = vectorSearch
      embedderName = next?.name ?? null
      vectorSearch = next ? openVectors(next, previousVectors) : undefined
      await (vectorSearch ?? (await previousVectors)?.close())
    },
    embedder: () => embedderName,
    vectors: async (id, reading) => (await (await vectorSearch)?.getStatus(id, reading)) ?? null,
    close: async () => {
      isClosed = true
      for (const stop of stops) stop()
      await background(returnNothing)
      await Promise.all([pool.closeAll(), (await vectorSearch)?.close()])
    },
  }
}

/** Indexes a whole life, closes the index, and returns the checksums of its words. */
const fill = async (
  index: LifeIndex,
  reading: Reading,
  maybeYield: MaybeYield,
  isStopped: () => boolean,
): Promise<ReadonlyMap<string, number>> => {
  try {
    await index.catchUp(reading, maybeYield, isStopped)
    await index.writeOut(maybeYield)
    return await index.sums(index.status().position, maybeYield)
  } finally {
    await index.close()
  }
}

const countDifferences = (
  first: ReadonlyMap<string, number>,
  second: ReadonlyMap<string, number>,
): number => {
  const words = new Set([...first.keys(), ...second.keys()])
  return [...words].filter((word) => first.get(word) !== second.get(word)).length
}

type IndexWork<T> = (index: LifeIndex, maybeYield: MaybeYield) => Promise<T>

// Loaded on the first search, since the stemmers are large.
const importIndex = () => import('./life-index.ts')

/** Builds an index in memory from the whole journal. */
export const lookWithoutIndex = async <T>(
  reading: Reading,
  work: IndexWork<T>,
  isStopped = () => false,
  maybeYield = createYielding(),
): Promise<T> => {
  const { openIndexInMemory } = await importIndex()
  const index = openIndexInMemory()
  await index.catchUp(reading, maybeYield, isStopped)
  return work(index, maybeYield)
}
