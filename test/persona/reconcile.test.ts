/** The start after a crash, which has to check the journals. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { memoryStores } from '../../journal/log/memory-store.ts'
import type { Stores } from '../../journal/log/store.ts'
import { createLog } from '../../packages/kit/log.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { createBus } from '../../src/bus.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import type { PersonaStore } from '../../src/persona/persona-store.ts'
import { inHome } from '../journal/engines.ts'

const count = 64
const maxOpen = 32

interface Home {
  /** The personas, opened after a crash. */
  readonly storeAfter: PersonaStore
  /** Returns the journals that were opened since the last call. */
  readonly openings: () => readonly string[]
}

/**
 * Creates a home with many personas that ran once. `behind`: personas whose catalog entry is older than that.
 */
const home = (hasSecrets: boolean, staleIds: readonly string[], look: (home: Home) => Promise<void>) =>
  inHome(async (folder) => {
    const realCatalog = await openCatalog(folder)
    const catalog: typeof realCatalog = {
      ...realCatalog,
      put: (id, entry) =>
        staleIds.includes(id) && realCatalog.get(id) ? undefined : realCatalog.put(id, entry),
    }
    const openedIds: string[] = []
    const stores = memoryStores()
    const countedStores: Stores = {
      ...stores,
      open: (id) => {
        openedIds.push(id)
        return stores.open(id)
      },
      newestRecord: async (id) => (hasSecrets ? stores.newestRecord(id) : undefined),
    }
    const log = await createLog({ level: 'silent' })
    const createStore = (complete: boolean) =>
      createPersonaStore({
        home: folder,
        catalog: { ...catalog, complete },
        bus: createBus(),
        clock: systemClock(),
        log,
        maxOpenJournals: maxOpen,
        journals: openPersonaJournals({ stores: countedStores, witness: async () => undefined }),
      })
    const storeBefore = createStore(true)
    for (let n = 0; n < count; n++) {
      await storeBefore.create({
        type: 'CreatePersona',
        id: `p${n}`,
        name: 'Ada',
        birthday: '2026-01-01',
        recipient: '',
        organs: {},
      })
      await storeBefore.execute(`p${n}`, { type: 'Wake' }, 'host')
    }
    await storeBefore.close()
    const openings = () => openedIds.splice(0)
    openings()
    const storeAfter = createStore(false)
    try {
      await look({ storeAfter, openings })
    } finally {
      await storeAfter.close()
      await realCatalog.close()
    }
  })

// Fails if every journal is opened that may be ahead of the catalog after a crash.
test('after a crash only journals are opened that do not end where the catalog says', () =>
  home(true, ['p3', 'p40'], async ({ storeAfter, openings }) => {
    await storeAfter.ready
    assert.equal([...openings()].sort(), ['p3', 'p40'])
  }))

// Fails if journals are checked in the order in which their personas start: 128 openings.
test('almost half of the checked journals are still open when their persona starts', () =>
  home(false, [], async ({ storeAfter, openings }) => {
    await storeAfter.ready
    const checkedCount = openings().length
    assert.is(checkedCount, count)
    for (const { self } of storeAfter.all()) await storeAfter.execute(self.id, { type: 'Wake' }, 'host')
    const reopenedCount = openings().length
    assert.ok(
      checkedCount + reopenedCount <= 2 * count - maxOpen + 4,
      `${checkedCount + reopenedCount} openings`,
    )
  }))

test.run()
