/**
 * Search by meaning with an embedder. Embeds texts in the background, a batch at a time. On any error, search
 * uses words alone.
 */
import { rm } from 'node:fs/promises'
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import { vectorsFolder } from '../../home/places.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { Unreadable } from '../../journal/log/store.ts'
import { createKeyedPool } from '../../packages/kit/flow/keyed-pool.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Embedder } from '../../packages/models/embedder.ts'
import { MindError } from '../../packages/models/mind.ts'
import type { PersonaStore, Reading } from '../persona/persona-store.ts'
import { embedAll } from './embed-all.ts'
import { createAsked, createHealth } from './embedder-health.ts'
import { type EmbedderWeights, getWeight, measureWeights } from './embedder-weights.ts'
import { gather } from './gathered-parts.ts'
import { Unusable } from './index-store.ts'
import { holds } from './life-index.ts'
import type { Positions } from './positions.ts'
import { type NearFacts, nothingNear } from './rank.ts'
import { openVectorStore, type VectorStore } from './vector-store.ts'
import { detectLanguage } from './word-stems.ts'
import { wordsIn } from './words.ts'

/** State of the vectors of one life. */
export interface VectorsTold {
  readonly model: string
  readonly vectors: number
  /** Tokens used, as far as reported. */
  readonly tokens: number
  /** All facts up to here are embedded. */
  readonly up_to: Seq | 0
  /** Why embedding fails now; null if no error is known. */
  readonly reason: string | null
}

export interface Vectors {
  /** Embeds new texts soon. */
  onCommit(id: PersonaId): void
  /**
   * Returns those of `positions` that are nearest to the question; none on a timeout. Call within
   * `personas.read`.
   */
  nearest(
    id: PersonaId,
    reading: Reading,
    question: string,
    positions: Positions,
    maybeYield: MaybeYield,
  ): Promise<NearFacts>
  /** Call within `personas.read`. Null if unknown. */
  getStatus(id: PersonaId, reading: Reading): Promise<VectorsTold | null>
  /** Deletes the vectors of a persona. */
  drop(id: PersonaId): Promise<void>
  /** Stops all work for a persona. */
  letGo(id: PersonaId): Promise<void>
  close(): Promise<void>
}

interface Deps {
  readonly home: string
  readonly embedder: Embedder
  readonly personas: Pick<PersonaStore, 'read'>
  readonly clock: Clock
  readonly log: Log
  /** Max open stores. */
  readonly maxOpen: number
}

/** How long unused vectors stay open. */
const idleTimeoutMs = 60_000
/** Delay before embedding, so that the answer is in the same batch. */
const delayMs = 2000
/** Max facts found by meaning. */
const maxNear = 64

export const createVectors = ({ home, embedder, personas, clock, log, maxOpen }: Deps): Vectors => {
  const closing = new AbortController()
  const leavingIds = new Set<PersonaId>()
  const pool = createKeyedPool<VectorStore>({
    open: (id) => openVectorStore(vectorsFolder(home, id), embedder.name),
    close: (store) => store.close(),
    inTime: (opening) => opening,
    onError: (err) => log.warn({ err }, 'failed to close vectors'),
    clock,
    interval: idleTimeoutMs,
    maxItems: maxOpen,
  })
  const health = createHealth(embedder.name, clock, log)
  /** The journal that each store was checked against. */
  const checkedJournals = new WeakMap<VectorStore, Reading['journal']>()

  /** Uses valid vectors; undefined if there are none. */
  const withStore = async <T>(
    id: PersonaId,
    reading: Reading,
    work: (store: VectorStore) => Promise<T>,
  ): Promise<T | undefined> => {
    for (let tries = 0; tries < 2 && !leavingIds.has(id) && !closing.signal.aborted; tries++)
      try {
        return await pool.use(id, async (store) => {
          const { journal } = reading
          if (checkedJournals.get(store) !== journal && !(await holds(journal, store.mark())))
            throw new Unusable('the vectors are of another journal')
          checkedJournals.set(store, journal)
          return work(store)
        })
      } catch (err) {
        if (!(err instanceof Unusable)) throw err
        if (!isLost(err)) {
          // Kept on a full disk: they are expensive.
          await pool.close(id)
          throw err
        }
        log.info({ id, err }, 'rebuilding the vectors for search')
        await pool
          .whileClosed(id, () => rm(vectorsFolder(home, id), { recursive: true, force: true }))
          .catch(() => undefined)
      }
    return undefined
  }

  let weightsTask: Promise<EmbedderWeights> | undefined
  const weightsOnce = (signal: AbortSignal): Promise<EmbedderWeights> => {
    weightsTask ??= measureWeights(embedder, signal).catch((error: unknown) => {
      weightsTask = undefined
      throw error
    })
    return weightsTask
  }

  /** Embeds a batch. Returns whether there is more. */
  const embedBatch = async (id: PersonaId, signal: AbortSignal): Promise<boolean> => {
    const isStopped = () => signal.aborted
    const hasWeights = await personas.read(id, (reading) =>
      withStore(id, reading, async (store) => store.mark().weights !== null),
    )
    if (hasWeights === undefined) return false
    const weights = hasWeights ? null : await weightsOnce(signal)
    const batch = await personas.read(id, (reading) =>
      withStore(id, reading, async (store) => {
        if (weights) await store.setWeights(weights)
        return gather(reading, store.mark(), isStopped)
      }),
    )
    if (!batch || batch.upTo.seq === batch.after.seq) return false
    const { vectors, tokens } = await embedAll(embedder, batch.parts, signal)
    // Not held open meanwhile: a removal or restore would have to wait.
    await personas.read(id, (reading) =>
      withStore(id, reading, async (store) => {
        const isNext = store.mark().seq === batch.after.seq && (await holds(reading.journal, batch.upTo))
        if (isNext) await store.add(vectors, batch.upTo, tokens)
      }),
    )
    if (batch.parts.length > 0) health.good()
    log.debug({ id, count: vectors.length }, 'texts were embedded for search')
    return batch.hasMore
  }

  const waitingIds = new Set<PersonaId>()
  let current: { readonly id: PersonaId; readonly stop: AbortController } | undefined
  let workTask: Promise<void> | undefined

  const work = async (): Promise<void> => {
    await clock.wait(delayMs, closing.signal)
    for (const id of waitingIds) {
      const rest = health.rest()
      if (rest > 0) await clock.wait(rest, closing.signal)
      if (closing.signal.aborted) return
      // Added again below, it comes last, so that a long life does not block others.
      waitingIds.delete(id)
      const stop = new AbortController()
      current = { id, stop }
      try {
        if (await embedBatch(id, stop.signal)) waitingIds.add(id)
      } catch (err) {
        if (stop.signal.aborted) continue
        if (!(err instanceof MindError || err instanceof Unusable)) {
          log.debug({ id, err }, 'failed to embed texts')
          continue
        }
        waitingIds.add(id)
        health.bad(err)
      } finally {
        current = undefined
      }
    }
  }
  const startWork = (): void => {
    if (closing.signal.aborted || waitingIds.size === 0) return
    workTask ??= work().finally(() => {
      workTask = undefined
      startWork()
    })
  }
  const onCommit = (id: PersonaId): void => {
    if (!leavingIds.has(id)) waitingIds.add(id)
    startWork()
  }

  const askEmbedder = createAsked(embedder, closing.signal, clock, health)

  return {
    onCommit,
    nearest: async (id, reading, question, positions, maybeYield) => {
      onCommit(id)
      try {
        const mark = await withStore(id, reading, async (store) => store.mark())
        if (!mark?.weights || mark.vectors === 0 || health.rest() > 0) return nothingNear
        const numbers = await askEmbedder(question)
        if (!numbers) return nothingNear
        const work = (store: VectorStore) => store.nearest(numbers, positions, maxNear, maybeYield)
        const weight = getWeight(mark.weights, getLanguage(question))
        return { seqs: (await withStore(id, reading, work)) ?? [], weight }
      } catch (err) {
        log.debug({ id, err }, 'failed to search vectors')
        return nothingNear
      }
    },
    getStatus: async (id, reading) => {
      const storedMark = await withStore(id, reading, async (store) => store.mark()).catch(() => undefined)
      if (!storedMark) return null
      const { model, vectors, tokens, seq } = storedMark
      return { model, vectors, tokens, up_to: seq, reason: health.reason() }
    },
    drop: (id) => pool.whileClosed(id, () => rm(vectorsFolder(home, id), { recursive: true, force: true })),
    letGo: async (id) => {
      leavingIds.add(id)
      waitingIds.delete(id)
      if (current?.id === id) current.stop.abort(new Error('it is gone'))
      try {
        await pool.close(id)
      } finally {
        leavingIds.delete(id)
      }
    },
    close: async () => {
      closing.abort(new Error('the service is closing'))
      current?.stop.abort(closing.signal.reason)
      await workTask
      await pool.closeAll()
      await embedder.close()
    },
  }
}

const getLanguage = (text: string) =>
  detectLanguage([...wordsIn(text)].flatMap(({ forms }) => forms[0] ?? []))

/** Whether there is nothing worth keeping. */
const isLost = ({ cause }: Unusable): boolean =>
  cause === undefined || cause instanceof Damaged || cause instanceof Unreadable
