/**
 * Homes with personas in them, made without recovery phrases, whose derivation costs more than all the rest
 * of a test.
 */
import { randomUUID } from 'node:crypto'
import { openCatalog } from '../../journal/leveldb/catalog.ts'
import { openLevelStores } from '../../journal/leveldb/level-stores.ts'
import { openJournals } from '../../journal/log/journals.ts'
import { createLog } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { createBus } from '../../src/bus.ts'
import { openPersonas } from '../../src/persona/create-persona-store.ts'
import { nobody } from '../daemon.ts'

/**
 * Resolves with the ids of so many who rest, on the practice mind, each with the same key. Nobody else may
 * have the home.
 */
export const seed = async (
  home: string,
  clock: Clock,
  count: number,
  apiKey: string | null = null,
): Promise<readonly string[]> => {
  const log = await createLog({ level: 'silent' })
  const catalog = await openCatalog(home)
  const journals = openJournals({ stores: await openLevelStores(home), witness: async () => undefined })
  const personas = openPersonas({ home, journals, catalog, bus: createBus(), clock, log })
  const ids = Array.from({ length: count }, () => randomUUID())
  const make = async (id: string) => {
    const key = apiKey === null ? null : await personas.keepSecret(id, apiKey)
    const thinking = { model: 'embedded/practice', provider: null, url: null, key }
    await personas.create({
      type: 'CreatePersona',
      id,
      name: 'Ada',
      birthday: '2026-11-23',
      recipient: nobody,
      organs: { thinking },
    })
    await personas.execute(id, { type: 'AskStop' }, 'person')
  }
  const waiting = [...ids]
  const worker = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await make(id)
  }
  // Not all at once: on a busy machine the last would have waited longer than anyone waits for a disk.
  await Promise.all(Array.from({ length: 8 }, worker))
  await personas.close()
  await catalog.close()
  return ids
}
