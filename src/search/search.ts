/**
 * Full-text search over whole lives: an index for each persona, opened when it is asked, made anew whenever
 * something is wrong with it.
 */
import { rm } from 'node:fs/promises'
import pLimit from 'p-limit'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { traitsOf } from '../../journal/facts/facts.ts'
import { searchFolder, vectorsFolder } from '../../journal/files/places.ts'
import { type Bus, listen } from '../bus.ts'
import { createKeyedPool } from '../flow/keyed-pool.ts'
import { createYielding, type MaybeYield } from '../flow/yielding.ts'
import type { Log } from '../log.ts'
import type { Embedder } from '../models/embedder.ts'
import type { Personas, Reading } from '../persona/personas.ts'
import { Refused } from '../persona/refusals.ts'
import type { Clock } from '../time/clock.ts'
import type { Ask, Page } from './find.ts'
import { Unusable } from './index-store.ts'
import type { LifeIndex } from './life-index.ts'
import type { Answers, Nearest } from './rank.ts'
import type { Question } from './terms.ts'
import type { VectorsTold } from './vectors.ts'

/** A search over one life. */
export type SearchOfOne = (reading: Reading, question: Question) => Promise<Answers>

/**
 * Called within `personas.read`, whose reading is handed over: so nobody is removed while its index is used.
 * Refused `persona_unknown` when it is.
 */
export interface Search {
  /** Facts that have all words, the newest first. */
  find(id: PersonaId, reading: Reading, ask: Ask): Promise<Page>
  /** What answers a question, the best first. */
  rank(id: PersonaId, reading: Reading, question: Question): Promise<Answers>
  /** Its index and its vectors are off the disk, to be made anew; nobody may be reading its journal. */
  drop(id: PersonaId): Promise<void>
  /** Null where nothing is embedded, or that cannot be told. */
  vectors(id: PersonaId, reading: Reading): Promise<VectorsTold | null>
  close(): Promise<void>
}

interface Deps {
  readonly home: string
  readonly personas: Pick<Personas, 'read'>
  readonly bus: Pick<Bus, 'commits' | 'signs'>
  readonly clock: Clock
  readonly log: Log
  /** Indexes that may be open at once. */
  readonly most?: number
  /** What helps to find the same in other words; without, nothing of that is loaded. */
  readonly embedder?: Embedder | null
  /** Texts that are taken up before anybody looks for them, and written to the disk. */
  readonly worthWriting?: number
}

/** An index nobody uses stays open this long, in milliseconds. */
const lingers = 60_000

export const createSearch = ({
  home,
  personas,
  bus,
  clock,
  log,
  embedder,
  most = 32,
  worthWriting = 512,
}: Deps): Search => {
  let closed = false
  /** Who is going: whatever is done for its ends soon. */
  const leaving = new Set<PersonaId>()
  /** Texts since its index was last brought up to its journal. */
  const waiting = new Map<PersonaId, number>()
  const pool = createKeyedPool<LifeIndex>({
    open: async (id) => {
      const { openLifeIndex } = await indexing()
      return openLifeIndex(searchFolder(home, id), worthWriting)
    },
    close: (index) => index.close(),
    inTime: (opening) => opening,
    onError: (err) => log.warn({ err }, 'an index could not be closed'),
    ...{ clock, interval: lingers, most },
  })

  const meaning = embedder
    ? import('./vectors.ts').then(({ createVectors }) =>
        createVectors({ home, embedder, personas, clock, log, most }),
      )
    : undefined

  const stoppedFor = (id: PersonaId) => () => closed || leaving.has(id)

  /** With its index as it should be; `without` where none can be had, as on a full disk. */
  const using = async <T>(
    id: PersonaId,
    reading: Reading,
    look: Look<T>,
    without = () => lookWithoutIndex(reading, look, stoppedFor(id)),
  ): Promise<T> => {
    const attempt = () =>
      pool.use(id, async (index) => {
        const maybeYield = createYielding()
        await index.catchUp(reading, maybeYield, stoppedFor(id))
        if (closed) throw new Error('the service is closing')
        if (leaving.has(id)) throw new Refused({ code: 'persona_unknown' })
        waiting.delete(id)
        return look(index, maybeYield)
      })
    for (let tries = 0; tries < 2; tries++) {
      try {
        return await attempt()
      } catch (err) {
        if (!(err instanceof Unusable)) throw err
        log.info({ id, err }, 'an index for search is made anew')
        await dropIndex(id).catch(() => undefined)
      }
    }
    log.warn({ id }, 'no index for search can be made; all it ever said is read instead')
    return without()
  }

  const dropIndex = (id: PersonaId) =>
    pool.whileClosed(id, () => rm(searchFolder(home, id), { recursive: true, force: true }))

  const nothing = async () => undefined
  const behindThem = pLimit(1)
  const bringUp = async (id: PersonaId) => {
    if (closed) return
    await personas
      .read(id, (reading) => using(id, reading, nothing, nothing))
      .catch((err: unknown) => log.debug({ id, err }, 'an index for search stays behind'))
  }

  const letGo = (id: PersonaId) => {
    leaving.add(id)
    waiting.delete(id)
    const vectors = meaning?.then(({ letGo }) => letGo(id))
    Promise.all([pool.close(id), vectors])
      .catch((err: unknown) => log.warn({ id, err }, 'an index could not be closed'))
      .finally(() => leaving.delete(id))
  }

  const quiet = [
    listen(bus.commits, log, ({ id, entries }) => {
      if (entries.at(-1)?.type === 'PersonaDeleted') return letGo(id)
      const texts = entries.filter(({ type }) => traitsOf(type).search).length
      if (texts === 0) return
      void meaning?.then(({ note }) => note(id))
      const all = (waiting.get(id) ?? 0) + texts
      waiting.set(id, all < worthWriting ? all : 0)
      if (all < worthWriting) return
      void behindThem(bringUp, id)
    }),
    listen(bus.signs, log, (sign) => {
      if (sign.type === 'gone' || sign.type === 'left') letGo(sign.id)
    }),
  ]

  return {
    find: async (id, reading, ask) => {
      const { findAll } = await import('./find.ts')
      return using(id, reading, (index, maybeYield) => findAll(index, reading, ask, maybeYield))
    },
    rank: async (id, reading, question) => {
      const { rank } = await import('./rank.ts')
      const vectors = await meaning
      return using(id, reading, (index, maybeYield) => {
        const nearest: Nearest | undefined =
          vectors && ((there) => vectors.nearest(id, reading, question.text, there, maybeYield))
        return rank(index, reading, question, maybeYield, nearest)
      })
    },
    drop: async (id) => {
      await dropIndex(id)
      await (await meaning)?.letGo(id)
      // Also those of before, where nothing is embedded any more.
      await rm(vectorsFolder(home, id), { recursive: true, force: true })
    },
    vectors: async (id, reading) => (await (await meaning)?.tell(id, reading)) ?? null,
    close: async () => {
      closed = true
      for (const stop of quiet) stop()
      await behindThem(nothing)
      await Promise.all([pool.closeAll(), (await meaning)?.close()])
    },
  }
}

type Look<T> = (index: LifeIndex, maybeYield: MaybeYield) => Promise<T>

// Apart: what is known of languages is not needed before somebody searches.
const indexing = () => import('./life-index.ts')

/** All it ever said is read for it, and kept in memory meanwhile. */
export const lookWithoutIndex = async <T>(
  reading: Reading,
  look: Look<T>,
  stopped = () => false,
  maybeYield = createYielding(),
): Promise<T> => {
  const { openIndexInMemory } = await indexing()
  const index = openIndexInMemory()
  await index.catchUp(reading, maybeYield, stopped)
  return look(index, maybeYield)
}
