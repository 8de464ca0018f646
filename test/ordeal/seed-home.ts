/**
 * Creates homes with personas but without recovery phrases, because their derivation takes longer than the
 * rest of a test.
 */
import { randomUUID } from 'node:crypto'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { createLog } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { createBus } from '../../src/bus.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import { unusedRecipient } from '../daemon.ts'

/**
 * Resolves with the ids of this many stopped personas on the practice model, all with the same key. The home
 * must not be open elsewhere.
 */
export const seedHome = async (
  home: string,
  clock: Clock,
  count: number,
  apiKey: string | null = null,
): Promise<readonly string[]> => {
  const log = await createLog({ level: 'silent' })
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const personas = createPersonaStore({ home, journals, catalog, bus: createBus(), clock, log })
  const ids = Array.from({ length: count }, () => randomUUID())
  const make = async (id: string) => {
    const key = apiKey === null ? null : await personas.keepSecret(id, apiKey)
    const thinkingOrgan = { model: 'embedded/practice', provider: null, url: null, key }
    await personas.create({
      type: 'CreatePersona',
      id,
      name: 'Ada',
      birthday: '2026-11-23',
      recipient: unusedRecipient,
      organs: { thinking: thinkingOrgan },
    })
    await personas.execute(id, { type: 'AskStop' }, 'person')
  }
  const remainingIds = [...ids]
  const worker = async () => {
    for (let id = remainingIds.shift(); id !== undefined; id = remainingIds.shift()) await make(id)
  }
  // Limited, because on a busy machine the last of many parallel creations would time out.
  await Promise.all(Array.from({ length: 8 }, worker))
  await personas.close()
  await catalog.close()
  return ids
}
