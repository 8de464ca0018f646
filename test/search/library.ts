/** A searchable persona on a real disk, without a daemon. */

import type { SearchKind } from '../../facts/fact.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { createLog } from '../../packages/kit/log.ts'
import type { Embedder } from '../../packages/models/embedder.ts'
import { type Bus, createBus } from '../../src/bus.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import type { PersonaStore } from '../../src/persona/persona-store.ts'
import type { Ask, Page } from '../../src/search/find.ts'
import { parseQuery } from '../../src/search/query.ts'
import { createSearch, type Search } from '../../src/search/search.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { createHome, type WrittenEvents } from '../create-journal.ts'

export interface Library {
  readonly home: string
  readonly personas: PersonaStore
  readonly search: Search
  readonly bus: Bus
  readonly clock: FakeClock
  /** Log lines. */
  readonly logLines: readonly string[]
  /** Returns positions of texts that contain all words, newest first. */
  find(
    text: string,
    options?: { readonly limit?: number; readonly before?: number; readonly kind?: SearchKind },
  ): Promise<readonly number[]>
  page(ask: Partial<Ask>): Promise<Page>
  hear(content: string): Promise<unknown>
  close(): Promise<void>
}

export const ada = 'ada'

/** Texts per batch on disk. Small, so that a short life has some texts on disk and some in memory. */
export const worthWriting = 100

export const openLibrary = async (home: string, embedder?: Embedder): Promise<Library> => {
  const lines: string[] = []
  const log = await createLog({ level: 'debug', stream: { write: (line) => void lines.push(line) } })
  const clock = createFakeClock()
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({
    stores: await openHomeStores(home),
    witness: async (id) => catalog.get(id)?.head,
  })
  const bus = createBus()
  const personas = createPersonaStore({ home, journals, catalog, bus, clock, log })
  const search = createSearch({ home, personas, bus, clock, log, worthWriting, embedder: embedder ?? null })
  await personas.ready
  const page: Library['page'] = (ask) =>
    personas.read(ada, (reading) =>
      search.find(ada, reading, { query: [], before: reading.journal.head.seq + 1, limit: 10_000, ...ask }),
    )
  return {
    home,
    personas,
    search,
    bus,
    clock,
    logLines: lines,
    page,
    find: async (text, { limit = 10_000, before, kind } = {}) => {
      const { hits } = await page({
        query: parseQuery(text, 'last'),
        limit,
        ...(before && { before }),
        ...(kind && { kinds: [kind] }),
      })
      return hits.map(({ entry }) => entry.seq)
    },
    hear: (content) =>
      personas.execute(
        ada,
        { type: 'Hear', channel: { type: 'web', name: ada }, content, media: null, key: null },
        'person',
      ),
    close: async () => {
      await search.close()
      await personas.close()
      await catalog.close()
    },
  }
}

/** Writes each fact as its own commit. */
export const createLife = (events: readonly PersonaEvent[]): Promise<string> =>
  createHome(events.map((event): WrittenEvents => ({ at: '2026-11-20T09:00:00+01:00', events: [event] })))

/** Position of the first fact of the given life, after the birth and the Mind. */
export const firstLived = 3
