/** Retries while the disk refuses writes for a long time. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { memoryStores, type Operation } from '../../journal/log/memory-store.ts'
import { createLog } from '../../packages/kit/log.ts'
import { createBus } from '../../src/bus.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import { createFakeClock } from '../clock.ts'
import { unusedRecipient } from '../daemon.ts'
import { inHome } from '../journal/engines.ts'

const toRename = (name: string) =>
  ({ type: 'UpdatePersona', name, status: null, idleTimeout: null, organs: {}, clear: [] }) as const

/** Fails if a journal is reopened after each failed write (`300 tries in half a minute`). */
test('a journal is reopened at most once in five seconds, however many writes were refused', async () => {
  await inHome(async (home) => {
    let full = false
    const tries = new Map<Operation, number>()
    const stores = memoryStores({
      fault: (operation) => {
        tries.set(operation, (tries.get(operation) ?? 0) + 1)
        return full && (operation === 'batch' || operation === 'reopen') ? 'refused' : undefined
      },
    })
    const clock = createFakeClock()
    const catalog = await openCatalog(home)
    const personas = createPersonaStore({
      home,
      catalog,
      bus: createBus(),
      clock,
      stopwatch: clock,
      log: await createLog({ level: 'silent' }),
      journals: openPersonaJournals({ stores, witness: async () => undefined }),
    })
    const thinkingOrgan = { model: 'embedded/practice', provider: null, url: null, key: null }
    const ada = {
      id: 'ada',
      name: 'Ada',
      birthday: '2026-01-01',
      recipient: unusedRecipient,
      organs: { thinking: thinkingOrgan },
    }
    await personas.create({ type: 'CreatePersona', ...ada })

    full = true
    for (let n = 0; n < 50; n++) {
      const refusal = await personas
        .execute('ada', toRename(`Ada ${n}`), 'person')
        .then(() => 'written', String)
      assert.match(refusal, /cannot be written/)
    }
    tries.clear()
    for (let second = 0; second < 30; second++) await clock.advance(1000)
    const tryCount = tries.get('reopen') ?? 0
    assert.ok(tryCount > 0 && tryCount <= 7, `${tryCount} tries in half a minute`)

    full = false
    for (let second = 0; second < 6; second++) await clock.advance(1000)
    await personas.execute('ada', toRename('Bea'), 'person')
    assert.is(personas.getRow('ada')?.self.name, 'Bea')
    await personas.close()
    await catalog.close()
  })
})

test.run()
