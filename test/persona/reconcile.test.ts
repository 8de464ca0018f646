/** What a start does with the journals that a crash left behind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openCatalog } from '../../journal/leveldb/catalog.ts'
import { openJournals } from '../../journal/log/journals.ts'
import { memoryStores } from '../../journal/log/memory-store.ts'
import type { Stores } from '../../journal/log/store.ts'
import { createBus } from '../../src/bus.ts'
import { createLog } from '../../src/log.ts'
import { openPersonas } from '../../src/persona/open-personas.ts'
import { systemClock } from '../../src/time/clock.ts'
import { inHome } from '../journal/engines.ts'

const [count, most] = [64, 32]

// Seen failing with journals looked at in the order in which their personas are woken: 128 openings.
test('after a crash nearly half of what was looked at is still open when its persona is woken', () =>
  inHome(async (home) => {
    const catalog = await openCatalog(home)
    let openings = 0
    const stores = memoryStores()
    const counted: Stores = {
      ...stores,
      open: (id) => {
        openings++
        return stores.open(id)
      },
    }
    const log = await createLog({ level: 'silent' })
    const live = (complete: boolean) =>
      openPersonas({
        ...{ home, catalog: { ...catalog, complete }, bus: createBus(), clock: systemClock(), log, most },
        journals: openJournals({ stores: counted, witness: async () => undefined }),
      })
    const before = live(true)
    for (let n = 0; n < count; n++)
      await before.create({ type: 'CreatePersona', id: `p${n}`, name: 'Ada', birthday: '2026-01-01', recipient: '', organs: {} })
    await before.close()

    openings = 0
    const after = live(false)
    await after.ready
    assert.is(openings, count)
    for (const { self } of after.all()) await after.execute(self.id, { type: 'Wake' }, 'host')
    assert.ok(openings <= 2 * count - most + 4, `${openings} openings`)
    await after.close()
    await catalog.close()
  }))

test.run()
