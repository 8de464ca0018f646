/**
 * What means about the same, in other words: vectors of all that can be found, where an embedder is wished
 * for. They are taken up behind the words, a batch at a time; whatever goes wrong with them, words alone are
 * searched.
 */
import { rm } from 'node:fs/promises'
import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import { vectorsFolder } from '../../journal/files/places.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { Unreadable } from '../../journal/log/store.ts'
import { createKeyedPool } from '../flow/keyed-pool.ts'
import type { MaybeYield } from '../flow/yielding.ts'
import type { Log } from '../log.ts'
import type { Embedder } from '../models/embedder.ts'
import { MindError } from '../models/mind.ts'
import type { Personas, Reading } from '../persona/personas.ts'
import type { Clock } from '../time/clock.ts'
import { embedAll } from './embed-all.ts'
import { createAsked, createHealth } from './embedder-health.ts'
import { gather } from './gathered-parts.ts'
import { Unusable } from './index-store.ts'
import { holds } from './life-index.ts'
import type { Positions } from './postings.ts'
import { openVectorStore, type VectorStore } from './vector-store.ts'

/** What is known of the vectors of one life. */
export interface VectorsTold {
  readonly model: string
  readonly vectors: number
  /** What they took, as far as it was told. */
  readonly tokens: number
  /** All facts up to here have theirs. */
  readonly up_to: Seq | 0
  /** Why none are made just now; null where nothing is known to be wrong. */
  readonly reason: string | null
}

export interface Vectors {
  /** Texts were said: they are taken up soon. */
  note(id: PersonaId): void
  /**
   * Facts that are `there` and come nearest to what a question means, the nearest first; none where that
   * cannot be told in time. Called within `personas.read`.
   */
  nearest(
    id: PersonaId,
    reading: Reading,
    question: string,
    there: Positions,
    maybeYield: MaybeYield,
  ): Promise<readonly Seq[]>
  /** Called within `personas.read`. Null where it cannot be told. */
  tell(id: PersonaId, reading: Reading): Promise<VectorsTold | null>
  /** Whoever goes. */
  letGo(id: PersonaId): Promise<void>
  close(): Promise<void>
}

interface Deps {
  readonly home: string
  readonly embedder: Embedder
  readonly personas: Pick<Personas, 'read'>
  readonly clock: Clock
  readonly log: Log
  /** That may be open at once. */
  readonly most: number
}

/** Vectors nobody uses stay open this long, in milliseconds. */
const lingers = 60_000
/** Between what is said and its being taken up: the answer comes along. */
const pause = 2000
/** Facts that are told of a question. */
const mostNear = 64

export const createVectors = ({ home, embedder, personas, clock, log, most }: Deps): Vectors => {
  const closing = new AbortController()
  const leaving = new Set<PersonaId>()
  const pool = createKeyedPool<VectorStore>({
    open: (id) => openVectorStore(vectorsFolder(home, id), embedder.name),
    close: (store) => store.close(),
    inTime: (opening) => opening,
    onError: (err) => log.warn({ err }, 'vectors could not be closed'),
    ...{ clock, interval: lingers, most },
  })
  const health = createHealth(embedder.name, clock, log)
  /** The journals that are known to hold what was taken up. */
  const checked = new WeakMap<VectorStore, Reading['journal']>()

  /** With its vectors as they should be, or undefined. */
  const using = async <T>(
    id: PersonaId,
    reading: Reading,
    look: (store: VectorStore) => Promise<T>,
  ): Promise<T | undefined> => {
    for (let tries = 0; tries < 2 && !leaving.has(id) && !closing.signal.aborted; tries++)
      try {
        return await pool.use(id, async (store) => {
          const { journal } = reading
          if (checked.get(store) !== journal && !(await holds(journal, store.mark())))
            throw new Unusable('the vectors are of another journal')
          checked.set(store, journal)
          return look(store)
        })
      } catch (err) {
        if (!(err instanceof Unusable)) throw err
        if (!isLost(err)) {
          // A full disk costs no vectors: they are dear.
          await pool.close(id)
          throw err
        }
        log.info({ id, err }, 'the vectors for search are made anew')
        await pool
          .whileClosed(id, () => rm(vectorsFolder(home, id), { recursive: true, force: true }))
          .catch(() => undefined)
      }
    return undefined
  }

  /** Whether there is more. */
  const takeUp = async (id: PersonaId, signal: AbortSignal): Promise<boolean> => {
    const stopped = () => signal.aborted
    const batch = await personas.read(id, (reading) =>
      using(id, reading, async (store) => gather(reading, store.mark(), stopped)),
    )
    if (!batch || batch.upTo.seq === batch.after.seq) return false
    const { vectors, tokens } = await embedAll(embedder, batch.parts, signal)
    // Not meanwhile: whoever is to be removed or restored would have to wait for it.
    await personas.read(id, (reading) =>
      using(id, reading, async (store) => {
        const isNext = store.mark().seq === batch.after.seq && (await holds(reading.journal, batch.upTo))
        if (isNext) await store.add(vectors, batch.upTo, tokens)
      }),
    )
    if (batch.parts.length > 0) health.good()
    log.debug({ id, count: vectors.length }, 'texts were embedded for search')
    return batch.more
  }

  const waiting = new Set<PersonaId>()
  let current: { readonly id: PersonaId; readonly stop: AbortController } | undefined
  let working: Promise<void> | undefined

  const work = async (): Promise<void> => {
    await clock.wait(pause, closing.signal)
    for (const id of waiting) {
      const rest = health.rest()
      if (rest > 0) await clock.wait(rest, closing.signal)
      if (closing.signal.aborted) return
      // Set anew, it comes last: a long life keeps nobody waiting.
      waiting.delete(id)
      const stop = new AbortController()
      current = { id, stop }
      try {
        if (await takeUp(id, stop.signal)) waiting.add(id)
      } catch (err) {
        if (stop.signal.aborted) continue
        if (!(err instanceof MindError || err instanceof Unusable)) {
          log.debug({ id, err }, 'what it said is not embedded')
          continue
        }
        waiting.add(id)
        health.bad(err)
      } finally {
        current = undefined
      }
    }
  }
  const goOn = (): void => {
    if (closing.signal.aborted || waiting.size === 0) return
    working ??= work().finally(() => {
      working = undefined
      goOn()
    })
  }
  const note = (id: PersonaId): void => {
    if (!leaving.has(id)) waiting.add(id)
    goOn()
  }

  const asked = createAsked(embedder, closing.signal, clock, health)

  return {
    note,
    nearest: async (id, reading, question, there, maybeYield) => {
      note(id)
      try {
        const known = await using(id, reading, async (store) => store.mark().vectors > 0)
        if (!known || health.rest() > 0) return []
        const numbers = await asked(question)
        if (!numbers) return []
        const look = (store: VectorStore) => store.nearest(numbers, there, mostNear, maybeYield)
        return (await using(id, reading, look)) ?? []
      } catch (err) {
        log.debug({ id, err }, 'its vectors cannot be searched')
        return []
      }
    },
    tell: async (id, reading) => {
      const told = await using(id, reading, async (store) => store.mark()).catch(() => undefined)
      if (!told) return null
      const { model, vectors, tokens, seq } = told
      return { model, vectors, tokens, up_to: seq, reason: health.reason() }
    },
    letGo: async (id) => {
      leaving.add(id)
      waiting.delete(id)
      if (current?.id === id) current.stop.abort(new Error('it is gone'))
      try {
        await pool.close(id)
      } finally {
        leaving.delete(id)
      }
    },
    close: async () => {
      closing.abort(new Error('the service is closing'))
      current?.stop.abort(closing.signal.reason)
      await working
      await pool.closeAll()
      await embedder.close()
    },
  }
}

/** Whether there is nothing worth keeping. */
const isLost = ({ cause }: Unusable): boolean =>
  cause === undefined || cause instanceof Damaged || cause instanceof Unreadable
